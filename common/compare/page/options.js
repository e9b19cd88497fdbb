// The strip below the picture: options of the mode, and the scale of its colours.

function segments(host, choices, isChosen, choose) {
  host.replaceChildren(...choices.map(({ id, label, text }) => {
    const button = element("button", { textContent: label, title: text, "aria-pressed": String(isChosen(id)) });
    button.dataset.id = id;
    button.addEventListener("click", () => choose(id));
    return button;
  }));
}

/** Sets which button of a group is pressed, without making the buttons anew. */
function press(host, isChosen) {
  for (const button of host.children) button.setAttribute("aria-pressed", String(isChosen(button.dataset.id)));
}

function scale(background, ...labels) {
  const bar = element("i");
  bar.style.background = background;
  const ends = element("span", {}, ...labels.map((label) => element("b", { textContent: label })));
  return element("div", { className: "scale" }, bar, ends);
}

function wipeOptions() {
  const group = element("div", { className: "segments", role: "group", "aria-label": "Direction of the wipe" });
  segments(group, wipeDirections, (id) => wipeDirections[state.direction].id === id,
    (id) => update({ direction: wipeDirections.findIndex((direction) => direction.id === id) }));
  return [group];
}

function differenceScale() {
  const end = number(2 ** -state.look.gain);
  return state.look.signed
    ? scale(scaleBar((t) => signedColor(2 * t - 1)), `A +${end}`, "0", `B +${end}`)
    : scale(scaleBar((t) => Array(3).fill(Math.round(255 * srgb(t)))), "0", end);
}

function differenceOptions() {
  const group = element("div", { className: "segments", role: "group", "aria-label": "Kind of difference" });
  segments(group,
    [{ id: "signed", label: "Signed", text: "B − A" }, { id: "absolute", label: "Absolute", text: "|B − A|" }],
    (id) => state.look.signed === (id === "signed"), (id) => updateLook({ signed: id === "signed" }));
  const gain = element("input", { type: "range", id: "gain", min: -4, max: 12, step: 1 });
  gain.addEventListener("input", () => updateLook({ gain: Number(gain.value) }));
  return [group, element("label", {}, "Gain", gain, element("output", { id: "gain-value" })), differenceScale()];
}

function noiseOptions() {
  const threshold = significanceThreshold(frameNow()), share = frameNow().significance.share_significant;
  if (threshold === null) return [element("span", { textContent: "No significant difference" })];
  const top = data.deviation_step * 255;
  const bar = scale(scaleBar((t) => heat(significancePosition(threshold + t * (top - threshold), threshold))),
    `${number(threshold)} σ`, `${number(top)} σ`);
  return [element("span", { textContent: `${number(100 * share)} % significant` }), bar];
}

const pathOf = (take) => [element("span", { className: "path", textContent: frameNow()[take] })];

const optionsOf = {
  a: () => pathOf("a"),
  b: () => pathOf("b"),
  wipe: wipeOptions,
  difference: differenceOptions,
  flip: () => [scale(scaleBar(heat), "0", "0.25", "0.5", "0.75", "1")],
  noise: noiseOptions,
};

let optionsShown = "";

/** Makes the strip anew only if its content has changed, so that a slider under the pointer stays. */
function paintOptions() {
  const mode = modes.find(({ id }) => id === state.mode);
  const make = frameNow().pixels && canShow(mode) ? optionsOf[state.mode] : null;
  const { gain, signed } = state.look;
  const key = JSON.stringify([make && state.mode, state.direction, signed, state.frame]);
  if (key !== optionsShown) {
    const focused = document.activeElement?.closest("#options") && document.activeElement.dataset.id;
    $("options").replaceChildren(...(make?.() ?? []));
    if (focused) $("options").querySelector(`[data-id="${focused}"]`)?.focus();
    optionsShown = key;
  }
  if (!make || state.mode !== "difference") return;
  $("gain").value = gain;
  $("gain-value").textContent = `× ${number(2 ** gain)}`;
  $("options").querySelector(".scale").replaceWith(differenceScale());
}
