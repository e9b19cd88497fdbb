// The inspector: metrics of the frame, values of the pixel, exposure and tone curve.

function paintMetrics() {
  const frame = frameNow();
  const layer = data.layer && data.layer !== "rgb" ? `, ${data.layer}` : "";
  $("frame-title").textContent = (data.frames.length > 1 ? `Frame ${frameName(frame)}` : "Picture") + layer;
  const rows = metrics.map((metric) => [metric, metricOf(metric, frame)]).filter(([, value]) => value !== undefined);
  $("metrics").replaceChildren(...rows.map(([metric, value]) => {
    const limit = limitOf(metric);
    const isWrong = limit !== undefined && (metric.id === "psnr" ? !(value >= limit) : !(value <= limit));
    const shown = element("dd", { textContent: number(value), className: isWrong ? "wrong" : "" });
    if (metric.id === "largest" && frame.layers[0].largest) makePlaceLink(shown, frame);
    const title = limit === undefined ? metric.text : `${metric.text}; limit ${number(limit)}`;
    return element("div", { title }, element("dt", { textContent: metric.label }), shown);
  }));
  $("notes").replaceChildren(...notesOf(frame).map(([kind, text]) => element("li", { className: kind, textContent: text })));
}

/** The largest difference, as a link to its pixel. */
function makePlaceLink(shown, frame) {
  const { x, y, channel } = frame.layers[0].largest;
  const link = element("button", { className: "link", textContent: shown.textContent, id: "to-largest",
    title: `${channel} at ${x}, ${y}: go there` });
  link.addEventListener("click", () => lookAt(x - frame.pixels.origin_x + 0.5, y - frame.pixels.origin_y + 0.5));
  shown.replaceChildren(link);
}

/** [class, text] of each problem of a frame. */
function notesOf(frame) {
  if (frame.error) return [["wrong", frame.error]];
  const notes = frame.failures.map((failure) => ["wrong", failure]);
  const add = (count, text) => count && notes.push(["strange", `${count} ${text}`]);
  for (const layer of frame.layers) {
    add(layer.not_finite_a, `pixels of ${layer.layer} in A are not finite`);
    add(layer.not_finite_b, `pixels of ${layer.layer} in B are not finite`);
  }
  add(frame.alpha_errors_a, "pixels of A have alpha outside 0 and 1");
  add(frame.alpha_errors_b, "pixels of B have alpha outside 0 and 1");
  for (const layer of frame.layers_only_a) notes.push(["strange", `only A has the layer '${layer}'`]);
  for (const layer of frame.layers_only_b) notes.push(["strange", `only B has the layer '${layer}'`]);
  const { factor, few_paths: hasFewPaths, light_cache: hasLightCache } = frame.pixels;
  if (hasFewPaths) notes.push(["", "With 8 or fewer paths per pixel, the test of significance finds little."]);
  if (hasLightCache) notes.push(["", "The test knows only the noise of paths; noise of a light cache is not tested."]);
  if (factor > 1) notes.push(["", `Shown at 1/${factor} size: values are means over ${factor} × ${factor} pixels`]);
  return notes;
}

const cellOf = (text, className = "") => element("td", { textContent: text, className });

function pixelRow(name, values, className) {
  const cellsOf = values.map((value) => cellOf(number(value)));
  return element("tr", { className }, element("th", { textContent: name, scope: "row" }), ...cellsOf);
}

function paintPixel() {
  const found = state.probe && shownPixels ? pixelAt(shownPixels, state.probe.x, state.probe.y) : null;
  $("pixel-place").textContent = found ? `${found.x}, ${found.y}` : "";
  const channels = shownPixels ? shownPixels.channels : ["R", "G", "B"];
  const blank = channels.map(() => undefined);
  const head = element("tr", {}, element("th"), ...channels.map((channel) => element("th", { textContent: channel })));
  const rows = [
    head,
    pixelRow("A", found?.a ?? blank, "a"),
    pixelRow("B", found?.b ?? blank, "b"),
    pixelRow("B − A", found ? found.b.map((value, c) => value - found.a[c]) : blank, "difference"),
  ];
  $("pixel").replaceChildren(...rows);
  const more = [];
  if (shownPixels?.flip) more.push(`FLIP ${number(found?.flip, 3)}`);
  if (shownPixels?.deviations) more.push(`difference ${number(found?.deviations, 2)} times the noise`);
  $("pixel-more").textContent = more.join("; ");
}

const channelChoices = [
  { id: "rgb", label: "RGB", text: "All channels (C)" },
  { id: "r", label: "R", text: "Red, or the first channel (C)" },
  { id: "g", label: "G", text: "Green, or the second channel (C)" },
  { id: "b", label: "B", text: "Blue, or the third channel (C)" },
  { id: "y", label: "Y", text: "Luminance (C)" },
];
const toneChoices = [
  { id: "filmic", label: "Filmic", text: "The tone curve of previews (V)" },
  { id: "srgb", label: "sRGB", text: "Clipped at 1 (V)" },
];

/** The choice after the current one. */
function nextOf(choices, id) {
  return choices[(choices.findIndex((choice) => choice.id === id) + 1) % choices.length].id;
}

function paintLook() {
  const { exposure, gamma, channels, tone } = state.look;
  $("exposure").value = exposure;
  $("exposure-value").textContent = `${exposure > 0 ? "+" : exposure < 0 ? "−" : ""}${Math.abs(exposure).toFixed(2)}`;
  $("gamma").value = gamma;
  $("gamma-value").textContent = gamma.toFixed(1);
  press($("channels"), (id) => id === channels);
  press($("tones"), (id) => id === tone);
}

const changeExposure = (step) => updateLook({ exposure: clamp(state.look.exposure + step, -10, 10) });
const changeGamma = (step) => updateLook({ gamma: Number(clamp(state.look.gamma + step, 0.2, 4).toFixed(1)) });
const changeGain = (step) => updateLook({ gain: clamp(state.look.gain + step, -4, 12) });
const resetLook = () => update({ look: { ...initialLook } });

function startPanel() {
  $("exposure").addEventListener("input", () => updateLook({ exposure: Number($("exposure").value) }));
  $("gamma").addEventListener("input", () => updateLook({ gamma: Number($("gamma").value) }));
  segments($("channels"), channelChoices, () => false, (channels) => updateLook({ channels }));
  segments($("tones"), toneChoices, () => false, (tone) => updateLook({ tone }));
  $("reset-look").addEventListener("click", resetLook);
}
