// The line between A and B: its position, and moving it.

const wipeDirections = [
  { id: "x", label: "|", text: "left and right", normal: [1, 0] },
  { id: "y", label: "—", text: "above and below", normal: [0, 1] },
  { id: "diagonal", label: "/", text: "diagonal", normal: [Math.SQRT1_2, Math.SQRT1_2] },
];

/** The points p of the canvas with p · normal = offset; A is where it is less. */
function wipeLine() {
  const { width, height } = stageSize();
  const { normal } = wipeDirections[state.direction];
  const reach = normal[0] * width + normal[1] * height;
  return { normal, offset: state.wipe * reach, reach };
}

/** The part of the canvas that shows A. */
function wipePath() {
  const { normal: [nx, ny], offset } = wipeLine();
  const far = stageSize().width + stageSize().height;
  const at = (along, across) => [nx * (offset - across) - ny * along, ny * (offset - across) + nx * along];
  const path = new Path2D();
  [at(-far, 0), at(far, 0), at(far, 2 * far), at(-far, 2 * far)].forEach(([x, y], i) =>
    i ? path.lineTo(x, y) : path.moveTo(x, y));
  path.closePath();
  return path;
}

const moveWipe = (step) => update({ wipe: clamp(state.wipe + step, 0, 1) });

/** Moves the handle to the middle of the line. */
function placeWipe() {
  const handle = $("wipe");
  handle.hidden = state.mode !== "wipe" || !frameNow().pixels;
  if (handle.hidden) return;
  const { normal: [nx, ny], offset } = wipeLine();
  const { width, height } = stageSize();
  const middle = nx * width / 2 + ny * height / 2;
  handle.style.left = `${width / 2 + nx * (offset - middle)}px`;
  handle.style.top = `${height / 2 + ny * (offset - middle)}px`;
  handle.style.rotate = `${Math.atan2(ny, nx)}rad`;
  handle.setAttribute("aria-valuenow", Math.round(100 * state.wipe));
}

function listenToWipe() {
  const handle = $("wipe");
  handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const frame = canvas.getBoundingClientRect(), { normal: [nx, ny], reach } = wipeLine();
    update({ wipe: clamp((nx * (event.clientX - frame.left) + ny * (event.clientY - frame.top)) / reach, 0, 1) });
  });
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    moveWipe(step);
  });
}
