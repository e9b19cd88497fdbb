// The strip below: a metric over frames, the frame slider, playback.

const metrics = [
  { id: "flip", label: "FLIP", text: "mean FLIP", of: (f) => f.flip?.mean, limit: "flip" },
  { id: "rms", label: "RMS", text: "root of the mean squared difference", of: (f) => f.layers[0].rms, limit: "rms" },
  { id: "relative", label: "Relative MSE", text: "mean of (B − A)² / (A² + 0.01)", of: (f) => f.layers[0].relative_mse },
  { id: "psnr", label: "PSNR, dB", text: "20 log10(peak / RMS)", of: (f) => f.layers[0].psnr_db ?? Infinity,
    limit: "psnr_db", isFree: true },
  { id: "ssim", label: "SSIM", text: "structural similarity", of: (f) => f.ssim, isFree: true },
  { id: "largest", label: "Largest", text: "largest difference of a channel", of: (f) => f.layers[0].largest?.value ?? 0 },
  { id: "significant", label: "Beyond noise, %", text: "share of pixels with a significant difference",
    of: (f) => f.significance && 100 * f.significance.share_significant, limit: "significant", percent: true },
  { id: "mean", label: "Mean B − A", text: "difference of the means", of: (f) => f.layers[0].mean_difference },
];

/** The value of a metric for a frame; undefined if there is none. */
const metricOf = (metric, frame) => (frame.error ? undefined : metric.of(frame) ?? undefined);
const limitOf = (metric) => {
  const limit = metric.limit && data.thresholds[metric.limit];
  return limit === undefined ? undefined : metric.percent ? 100 * limit : limit;
};

const frameName = (frame) => (frame.frame === undefined ? frame.name : String(frame.frame));
const margin = { left: 47, right: 8, top: 7, bottom: 7 };

/** The plot's coordinates: x of an index, y of a value, and the values at its ends. Errors are measured from 0. */
function plotScales(metric, values, limit, width, height) {
  const known = [...values, limit].filter(Number.isFinite);
  const low = metric.isFree ? Math.min(...known) : Math.min(0, ...known), high = Math.max(...known, low + 1e-9);
  const steps = Math.max(1, values.length - 1);
  return {
    x: (index) => margin.left + ((width - margin.left - margin.right) * index) / steps,
    y: (value) => height - margin.bottom - ((height - margin.top - margin.bottom) *
      (clamp(value, low, high) - low)) / (high - low),
    low,
    high,
  };
}

function paintPlot() {
  const plot = $("plot"), { width, height } = plot.getBoundingClientRect();
  const metric = metrics.find(({ id }) => id === state.metric), limit = limitOf(metric);
  const values = data.frames.map((frame) => metricOf(metric, frame));
  const { x, y, low, high } = plotScales(metric, values, limit, width, height);
  const parts = [shape("line", { class: "head", x1: x(state.frame), x2: x(state.frame), y1: 0, y2: height })];
  if (limit !== undefined) {
    parts.push(shape("line", { class: "limit", x1: margin.left, x2: width, y1: y(limit), y2: y(limit) }));
  }
  const points = values.map((value, i) => [i, value]).filter(([, value]) => value !== undefined && !Number.isNaN(value));
  parts.push(shape("polyline", { points: points.map(([i, value]) => `${x(i)},${y(value)}`).join(" ") }));
  data.frames.forEach((frame, i) => {
    const value = values[i], kind = frame.error ? "error" : isBeyond(frame) ? "beyond" : "within";
    const isNow = i === state.frame ? " now" : "";
    if (frame.error) parts.push(shape("line", { class: "error", x1: x(i), x2: x(i), y1: 4, y2: height - 4 }));
    else if (value !== undefined && (values.length <= 150 || isNow || kind === "beyond")) {
      parts.push(shape("circle", { class: kind + isNow, cx: x(i), cy: y(value), r: isNow ? 4 : 2.5 }));
    }
  });
  for (const value of [low, high]) {
    parts.push(shape("text", { x: margin.left - 9, y: y(value) + 4, "text-anchor": "end" }, number(value, 3)));
  }
  plot.replaceChildren(...parts);
}

function paintTimeline() {
  const isSequence = data.frames.length > 1;
  $("timeline").hidden = !isSequence;
  if (!isSequence) return;
  $("slider").value = state.frame;
  $("slider").setAttribute("aria-valuetext", frameName(frameNow()));
  const last = data.frames[data.frames.length - 1];
  $("frame-label").replaceChildren(element("b", { textContent: frameName(frameNow()) }),
    element("span", { textContent: `${frameName(data.frames[0])} – ${frameName(last)}` }));
  $("play").setAttribute("aria-pressed", String(state.playing));
  $("metric").value = state.metric;
  paintPlot();
}

/** Plays at the scene's rate, or as fast as frames can be decoded. */
async function play() {
  const interval = 1000 / data.fps;
  let due = performance.now();
  while (state.playing) {
    const next = (state.frame + 1) % data.frames.length;
    if (data.frames[next].pixels) await framePixels(next);
    due = Math.max(due + interval, performance.now());
    await new Promise((done) => setTimeout(done, due - performance.now()));
    if (state.playing) goTo(next);
  }
}

function togglePlay() {
  if (data.frames.length < 2) return;
  update({ playing: !state.playing });
  if (state.playing) play();
}

const hasMetric = (metric) => data.frames.some((frame) => Number.isFinite(metricOf(metric, frame)));

function nextMetric() {
  const shown = metrics.filter(hasMetric);
  const place = shown.findIndex(({ id }) => id === state.metric);
  if (shown.length) update({ metric: shown[(place + 1) % shown.length].id });
}

function startTimeline() {
  $("slider").max = data.frames.length - 1;
  $("slider").addEventListener("input", () => goTo(Number($("slider").value)));
  $("play").addEventListener("click", togglePlay);
  const shown = metrics.filter(hasMetric);
  $("metric").append(...shown.map(({ id, label, text }) => element("option", { value: id, textContent: label, title: text })));
  $("metric").addEventListener("change", () => update({ metric: $("metric").value }));
  if (!shown.some(({ id }) => id === state.metric)) state.metric = shown[0]?.id ?? "rms";
  const seek = (event) => {
    const { left, width } = $("plot").getBoundingClientRect();
    const share = (event.clientX - left - margin.left) / (width - margin.left - margin.right);
    goTo(Math.round(share * (data.frames.length - 1)));
  };
  $("plot").addEventListener("pointerdown", (event) => {
    $("plot").setPointerCapture(event.pointerId);
    seek(event);
  });
  $("plot").addEventListener("pointermove", (event) => event.buttons && seek(event));
}
