// The page of one run or two: previews, a table, plots that share a cursor, scenes.

const { runs } = JSON.parse(document.getElementById("data").textContent);
const letters = ["a", "b"];
const isPair = runs.length > 1;

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** Four significant digits, with k, M or G if that is shorter. */
function number(value) {
  if (!isNumber(value)) return "–";
  const size = Math.abs(value);
  const [factor, letter] = size >= 1e9 ? [1e9, " G"] : size >= 1e6 ? [1e6, " M"] : size >= 1e4 ? [1e3, " k"] : [1, ""];
  const scaled = value / factor;
  const text = scaled !== 0 && Math.abs(scaled) < 1e-3 ? scaled.toExponential(2) : String(Number(scaled.toPrecision(4)));
  return text.replaceAll("-", "−") + letter;
}

function duration(seconds) {
  if (seconds < 100) return `${number(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const sum = (run, key) => run.frames.reduce((total, frame) => total + (isNumber(frame[key]) ? frame[key] : 0), 0);
const largest = (run, key) => Math.max(...run.frames.map((frame) => frame[key]).filter(isNumber));
const last = (run) => run.frames[run.frames.length - 1];

// Head and previews

const shown = { frame: null };
const followers = [];  // called with the frame under the pointer, or null

function follow(frame) {
  if (frame === shown.frame) return;
  shown.frame = frame;
  for (const follower of followers) follower(frame);
}

document.getElementById("head").append(...runs.map((run, i) =>
  element("h1", { className: isPair ? letters[i] : "" }, ...(isPair ? [element("b", {}, "AB"[i])] : []), run.name)));

for (const [i, run] of runs.entries()) {
  if (!run.damaged.length) continue;
  document.getElementById("head").append(element("p", { className: "wrong" },
    `${isPair ? `${"AB"[i]}: ` : ""}damaged or missing: ${run.damaged.join("; ")}`));
}

for (const [i, run] of runs.entries()) {
  if (!run.previews.length) continue;
  const strip = element("div", { className: `strip ${isPair ? letters[i] : ""}`, tabIndex: 0 });
  for (const preview of run.previews) {
    const image = element("img", { src: `data:image/png;base64,${preview.png}`, alt: `Mass per column at frame ${preview.frame}` });
    const figure = element("figure", {}, image, element("figcaption", {}, `frame ${preview.frame}`));
    figure.onpointerenter = () => follow(preview.frame);
    figure.onpointerleave = () => follow(null);
    followers.push((frame) => figure.classList.toggle("chosen", frame === preview.frame));
    strip.append(figure);
  }
  const title = element("h2", {}, "Mass per column");
  document.getElementById("previews").append(...(document.querySelector(".strip") ? [] : [title]), strip);
}

const strips = [...document.querySelectorAll(".strip")];
for (const strip of strips) {
  strip.onscroll = () => strips.forEach((other) => { other.scrollLeft = strip.scrollLeft; });
}

// Summary

const drift = (run) => {
  const first = run.frames[0].mass_kg;
  return isNumber(first) && first !== 0 ? last(run).mass_kg / first - 1 : NaN;
};
const rows = [
  ["Frames", (run) => `${run.frames[0].frame} to ${last(run).frame}${last(run).frame < last(run).end_frame ? ` of ${last(run).end_frame}` : ""}`],
  ["Simulated", (run) => `${number(last(run).time_s)} s`],
  ["Took", (run) => duration(sum(run, "seconds"))],
  ["Substeps", (run) => number(sum(run, "substeps"))],
  ["Integrator", (run) => [...new Set(run.frames.map((frame) => frame.integrator).filter(Boolean))].join(", ") || "–"],
  ["Instructions", (run) => [...new Set(run.frames.map((frame) => frame.instructions).filter(Boolean))].join(", ") || "–"],
  ["Particles", (run) => number(last(run).particles)],
  ["Peak memory", (run) => `${number(largest(run, "peak_rss_bytes"))}B`],
  ["Mass", (run) => `${number(last(run).mass_kg)} kg`],
  ["Change of mass", (run) => `${number(100 * drift(run))} %`, (run) => Math.abs(drift(run)) > 1e-5],
  ["Fastest particle", (run) => `${number(largest(run, "max_speed_m_s"))} m/s`],
  ["Solver iterations", (run) => number(sum(run, "cr_iterations"))],
  ["Solves that failed", (run) => number(sum(run, "cr_failures")), (run) => sum(run, "cr_failures") > 0],
  ["Rejected steps", (run) => number(sum(run, "rollbacks")), (run) => sum(run, "rollbacks") > 0],
];
const table = element("table");
if (isPair) {
  table.append(element("thead", {}, element("tr", {}, element("th"), ...runs.map((run, i) => element("th", { className: letters[i] }, "AB"[i])))));
}
table.append(element("tbody", {}, ...rows.map(([name, text, isWrong]) =>
  element("tr", {}, element("th", { scope: "row" }, name),
    ...runs.map((run) => element("td", { className: isWrong && isWrong(run) ? "wrong" : "" }, text(run)))))));
document.getElementById("summary").append(element("h2", {}, "Summary"), table);

// Plots

const firstFrame = Math.min(...runs.map((run) => run.frames[0].frame));
const lastFrame = Math.max(...runs.map((run) => last(run).frame), firstFrame + 1);

const of = (key, factor = 1) => (run) => run.frames.map((frame) => [frame.frame, isNumber(frame[key]) ? factor * frame[key] : NaN]);
const ofMomentum = (part) => (run) => run.frames.map((frame) => [frame.frame, Array.isArray(frame.momentum) ? part(frame.momentum) : NaN]);
const dashes = ["", "5 3"];

/** Title, unit, lines of each run, and whether the plot is shown if all values are zero. */
const plots = [
  ["Time per frame", "s", [of("seconds")], true],
  ["Substeps", "", [of("substeps")], true],
  ["Time step, least and largest", "ms", [of("dt_min_s", 1e3), of("dt_max_s", 1e3)], true],
  ["Particles", "", [of("particles")], true],
  ["Sleeping particles", "", [of("sleeping")], false],
  ["Leaves of the grid", "", [of("leaves")], true],
  ["Peak memory", "MB", [of("peak_rss_bytes", 1e-6)], true],
  ["Particle steps per second", "", [of("particle_steps_per_s")], true],
  ["Mass", "kg", [of("mass_kg")], true],
  ["Momentum, horizontal", "kg m/s", [ofMomentum(([x, , z]) => Math.hypot(x, z))], true],
  ["Momentum, vertical", "kg m/s", [ofMomentum(([, y]) => y)], true],
  ["Kinetic energy", "J", [of("kinetic_energy_j")], true],
  ["Potential energy", "J", [of("potential_energy_j")], true],
  ["Elastic energy", "J", [of("elastic_energy_j")], true],
  ["Fastest particle", "m/s", [of("max_speed_m_s")], true],
  ["Deepest particle in a body", "mm", [of("penetration_m", 1e3)], true],
  ["Particles in bodies", "", [of("penetrating")], false],
  ["Solver iterations", "", [of("cr_iterations")], false],
  ["Solves that failed", "", [of("cr_failures")], false],
  ["Rejected steps", "", [of("rollbacks")], false],
];

function addPlot(grid, [title, unit, lines, isKept]) {
  const series = runs.flatMap((run, i) => lines.map((line, k) => ({ run: i, line: k, points: line(run).filter(([, y]) => isNumber(y)) })));
  const values = series.flatMap((one) => one.points.map(([, y]) => y));
  if (!values.length || (!isKept && values.every((value) => value === 0))) return;
  const low = Math.min(0, ...values), high = Math.max(...values, low === 0 ? 1e-30 : 0);
  const x = (frame) => (100 * (frame - firstFrame)) / (lastFrame - firstFrame);
  const y = (value) => 100 - (100 * (value - low)) / (high - low || 1);
  const svg = shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img" });
  for (const level of [0, 50, 100]) svg.append(shape("path", { d: `M0 ${level}H100`, class: "grid-line" }));
  for (const { run, line, points } of series) {
    const d = points.map(([frame, value], i) => `${i ? "L" : "M"}${x(frame)} ${y(value)}`).join("");
    svg.append(shape("path", { d, stroke: `var(--${letters[run]})`, "stroke-dasharray": dashes[line] }));
  }
  const cursor = shape("path", { class: "cursor", d: "" });
  svg.append(cursor);
  const reading = element("span");
  const range = `${number(low)} to ${number(high)}${unit ? ` ${unit}` : ""}`;
  const plot = element("div", { className: "plot" }, element("p", {}, element("span", {}, title), element("span", {}, range)), svg,
    element("div", { className: "axis" }, element("span", {}, String(firstFrame)), reading, element("span", {}, String(lastFrame))));
  svg.setAttribute("aria-label", `${title}: ${range}`);
  const show = (frame) => {
    cursor.setAttribute("d", frame === null ? "" : `M${x(frame)} 0V100`);
    if (frame === null) return reading.replaceChildren();
    const parts = series.map(({ run, points }) => {
      const point = points.find(([at]) => at === frame);
      return element("span", { className: letters[run] }, ` ${point ? number(point[1]) : "–"}`);
    });
    reading.replaceChildren(`frame ${frame} `, ...parts, unit ? ` ${unit}` : "");
  };
  show(null);
  followers.push(show);
  svg.onpointermove = (event) => {
    const box = svg.getBoundingClientRect();
    const place = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    follow(Math.round(firstFrame + place * (lastFrame - firstFrame)));
  };
  svg.onpointerleave = () => follow(null);
  grid.append(plot);
}

const grid = element("div", { className: "grid" });
for (const plot of plots) addPlot(grid, plot);
document.getElementById("plots").append(element("h2", {}, "Over frames"), grid);

// What limited the time step, by frames

const limits = runs.map((run) => {
  const counts = new Map();
  for (const frame of run.frames) if (frame.substeps > 0) counts.set(frame.dt_limit, (counts.get(frame.dt_limit) ?? 0) + 1);
  return [...counts].sort((p, q) => q[1] - p[1]).map(([limit, count]) => `${limit} (${count} frames)`).join(", ") || "–";
});
table.tBodies[0].append(element("tr", {}, element("th", { scope: "row" }, "Time step limited by"), ...limits.map((text) => element("td", {}, text))));

// Scenes: values without comments, and their differences

/** Lines without comments, each with its table. */
function sceneLines(text) {
  let section = "";
  return text.split("\n").map((line) => line.replace(/\s+#.*$/, "")).filter((line) => !line.startsWith("#")).map((line) => {
    if (line.trimStart().startsWith("[")) section = line;
    return { line, id: `${section}\n${line}` };
  });
}
const scenes = runs.map((run) => sceneLines(run.scene));
const areScenesKnown = runs.every((run) => run.scene !== "");
const columns = element("div", { className: "columns" });
let different = 0;
for (const [i, lines] of scenes.entries()) {
  const others = new Set(isPair ? scenes[1 - i].map(({ id }) => id) : lines.map(({ id }) => id));
  const pre = element("pre", { className: isPair ? letters[i] : "", tabIndex: 0 });
  for (const { line, id } of lines) {
    const isNew = areScenesKnown && !others.has(id) && line.trim() !== "";
    different += isNew;
    pre.append(isNew ? element("mark", {}, line) : line, "\n");
  }
  columns.append(pre);
  if (runs[i].scene_fault) columns.append(element("p", {}, `${runs[i].name}: ${runs[i].scene_fault}`));
}
const heading = isPair && areScenesKnown ? `Resolved scenes (${different ? "differences are marked" : "the same"})` : "Resolved scene";
document.getElementById("scenes").append(element("h2", {}, "Scene"), element("details", { open: isPair && different > 0 }, element("summary", {}, heading), columns));
