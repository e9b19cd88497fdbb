// Assembles the page.

function paintFrame() {
  document.body.dataset.mode = state.mode;
  document.body.dataset.frame = frameName(frameNow());
  document.body.classList.toggle("no-panel", !state.panel);
  for (const mode of modes) {
    const button = $("modes").querySelector(`[data-id="${mode.id}"]`);
    button.setAttribute("aria-pressed", String(mode.id === state.mode));
    button.disabled = !canShow(mode);
    button.title = canShow(mode) ? `${mode.text} (${keyOfMode(mode.id)})` : `${mode.label} ${mode.lack}`;
  }
}

const keyOfMode = (id) => ({ a: "A", b: "B", side: "S", wipe: "W", flicker: "F", difference: "D", flip: "H", noise: "N" })[id];

function paintVerdict() {
  const beyond = data.frames.filter(isBeyond).length, total = data.frames.length;
  const isSame = data.frames.every((frame) => frame.same);
  const missing = data.missing_a.length + data.missing_b.length;
  const what = beyond ? (total > 1 ? `${beyond} of ${total} frames differ` : "Differs")
    : isSame ? "The same" : "Within limits";
  $("verdict").textContent = missing ? `${what}, ${missing} missing` : what;
  $("verdict").className = `quiet ${beyond || missing ? "wrong" : "right"}`;
  $("verdict").title = missing ? `Missing in A: ${data.missing_a.join(", ") || "none"}; in B: ` +
    `${data.missing_b.join(", ") || "none"}` : "Go to the next frame beyond limits (U)";
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
  update({});
}

function nameTakes() {
  for (const [id, name, path] of [["name-a", nameA, data.a], ["name-b", nameB, data.b]]) {
    $(id).textContent = name;
    $(id).parentElement.title = path;
  }
}

function start() {
  nameTakes();
  segments($("modes"), modes, (id) => id === state.mode, chooseMode);
  startPanel();
  startTimeline();
  makeHelp();
  paintVerdict();
  $("verdict").addEventListener("click", goToNextBeyond);
  $("panel-button").addEventListener("click", () => update({ panel: !state.panel }));
  $("theme-button").addEventListener("click", toggleTheme);
  $("help-button").addEventListener("click", () => $("help").showModal());
  $("changes-button").addEventListener("click", openChanges);
  $("zoom").addEventListener("click", () => update({ zoom: null, center: null }));
  listenToPointer();
  listenToWipe();
  listenToKeys();
  startFlicker();
  for (const paint of [paintFrame, paintTags, placeWipe, paintOptions, paintZoom, paintLook, paintStage]) onChange(paint);
  for (const paint of [paintMetrics, paintChanges]) onChange(paint, () => state.frame);
  onChange(paintTimeline, () => [state.frame, state.metric, state.playing, $("plot").clientWidth].join(" "));
  new ResizeObserver(() => update({})).observe(canvas);
  new ResizeObserver(() => update({})).observe($("plot"));
  update({ frame: Math.max(0, data.frames.findIndex((frame) => frame.pixels)) });
}

start();
