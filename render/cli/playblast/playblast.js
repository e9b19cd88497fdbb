// The page of a playblast: its pictures as a film, and plots of the statistics. While the run goes on, the page loads
// itself again and stays where it was.

const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const reloadAfter_ms = 2000;
const key = `firn-playblast ${location.pathname}`;

// What the page remembers when it loads itself again.
const remembered = JSON.parse(sessionStorage.getItem(key) ?? "{}");
const state = {
  at: remembered.at ?? data.frames.length - 1, // position in data.frames
  last: remembered.last ?? true, // shows the last frame, also when there are more
  playing: remembered.playing ?? false,
};
if (state.last && !state.playing) state.at = data.frames.length - 1;
state.at = Math.max(0, Math.min(state.at, data.frames.length - 1));
const remember = () => sessionStorage.setItem(key, JSON.stringify(state));

// Plots

// "19,375", "2.17", "0.0031".
const number = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(Number(value).toPrecision(3)));
const kinds = [
  ["Seconds per frame", "s", (line) => line.seconds],
  ["Substeps", "", (line) => line.substeps],
  ["Fastest particle", "m/s", (line) => line.max_speed_m_s],
  ["Kinetic energy", "J", (line) => line.kinetic_energy_j],
  ["Particles that move", "", (line) => line.particles - line.sleeping],
  ["Mass", "kg", (line) => line.mass_kg],
];
const marks = [];

function plot([title, unit, valueOf]) {
  const points = data.stats.map((line) => [line.frame, valueOf(line)]).filter(([, value]) => Number.isFinite(value));
  if (points.length < 2) return;
  const first = points[0][0], end = Math.max(data.last_frame, points.at(-1)[0]);
  const most = Math.max(...points.map(([, value]) => value)), least = Math.min(0, ...points.map(([, value]) => value));
  const x = (frame) => (100 * (frame - first)) / Math.max(1, end - first);
  const y = (value) => 38 - (36 * (value - least)) / (most - least || 1);
  const drawing = shape("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none" });
  drawing.append(shape("path", { d: points.map(([frame, value], i) => `${i ? "L" : "M"}${x(frame)} ${y(value)}`).join("") }));
  const mark = shape("line", { y1: 0, y2: 40 });
  drawing.append(mark);
  const now = element("span");
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const frame = first + ((event.clientX - box.left) / box.width) * (end - first);
    const distances = data.frames.map((other) => Math.abs(other - frame));
    choose(distances.indexOf(Math.min(...distances)));
  });
  marks.push((frame) => {
    for (const name of ["x1", "x2"]) mark.setAttribute(name, x(frame));
    const point = points.find(([other]) => other === frame);
    now.textContent = point ? `${number(point[1])} ${unit}` : "";
  });
  find("plots").append(element("div", { className: "plot" }, element("h2", {}, title, now), drawing));
}

// The film

function show() {
  const frame = data.frames[state.at];
  find("picture").src = data.pictures[state.at];
  find("picture").alt = `Frame ${frame}`;
  find("frame").value = state.at;
  find("number").textContent = `frame ${frame}`;
  find("play").textContent = state.playing ? "Pause" : "Play";
  for (const mark of marks) mark(frame);
  remember();
}

function choose(at) {
  state.at = at;
  state.last = at === data.frames.length - 1;
  state.playing = false;
  show();
}

function play() {
  state.playing = !state.playing;
  if (state.playing && state.at === data.frames.length - 1) state.at = 0;
  show();
}

let before_ms = performance.now();
function tick(now_ms) {
  const step_ms = 1000 / data.fps;
  if (state.playing && now_ms - before_ms >= step_ms && find("picture").complete) {
    before_ms = now_ms;
    state.at = (state.at + 1) % data.frames.length;
    show();
  }
  requestAnimationFrame(tick);
}

find("title").textContent = data.title;
const done = data.frames.length ? `frame ${data.frames.at(-1)} of ${data.last_frame}` : "no frame yet";
const colors = data.color === "plain" ? "" : `; colour: ${data.color}`;
find("state").textContent = (data.growing ? `The simulation goes on: ${done}` : `${data.frames.length} frames, the last is ${done}`) + colors;
if (data.frames.length) {
  kinds.forEach(plot);
  find("frame").max = data.frames.length - 1;
  find("frame").addEventListener("input", () => choose(Number(find("frame").value)));
  find("play").addEventListener("click", play);
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) return;
    if (event.key === " ") play();
    else if (event.key === "ArrowLeft") choose(Math.max(0, state.at - 1));
    else if (event.key === "ArrowRight") choose(Math.min(data.frames.length - 1, state.at + 1));
    else return;
    event.preventDefault();
  });
  show();
  requestAnimationFrame(tick);
}
if (data.growing) setTimeout(() => { remember(); location.reload(); }, reloadAfter_ms);
