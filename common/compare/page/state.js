// The state of the page, from which everything is drawn. update() changes it and requests one repaint.

const state = {
  frame: 0,           // index into data.frames
  mode: "wipe",
  direction: 0,       // of the wipe
  wipe: 0.5,          // share of the view that shows A
  showsB: false,      // while flickering
  playing: false,
  metric: "flip",
  probe: null,        // {x, y} in pixels of the picture; from the pointer, or the middle when moved by keys
  isProbeFromKeys: false,
  zoom: null,         // screen pixels per pixel of the picture; null: such that the picture fits
  center: null,       // in pixels of the picture; null: its middle
  panel: true,
  look: { exposure: data.exposure, gamma: 1, channels: "rgb", tone: data.view, gain: data.gain, signed: true },
};

const initialLook = { ...state.look };
const pagePainters = [];
let isPaintDue = false;

const frameNow = () => data.frames[state.frame];

function paintPage() {
  isPaintDue = false;
  for (const painter of pagePainters) {
    const key = painter.keyOf?.();
    if (painter.keyOf && key === painter.key) continue;
    painter.key = key;
    painter.paint();
  }
}

/** Calls `paint` after every change or, with `keyOf`, when the result of keyOf has changed. */
function onChange(paint, keyOf) {
  pagePainters.push({ paint, keyOf });
}

function update(changes) {
  Object.assign(state, changes);
  if (isPaintDue) return;
  isPaintDue = true;
  requestAnimationFrame(paintPage);
}

const updateLook = (changes) => update({ look: { ...state.look, ...changes } });

const modes = [
  { id: "a", label: "A", text: "A alone" },
  { id: "b", label: "B", text: "B alone" },
  { id: "side", label: "Side by side", text: "A and B side by side" },
  { id: "wipe", label: "Wipe", text: "A on one side of a line, B on the other; again: another direction" },
  { id: "flicker", label: "Flicker", text: "A and B in turn" },
  { id: "difference", label: "Difference", text: "B − A; again: signed or absolute" },
  { id: "flip", label: "FLIP", text: "what the eye sees change", needs: "flip", lack: "needs a layer of colours" },
  { id: "noise", label: "Beyond noise", text: "significant differences", needs: "significance",
    lack: "needs stderr layers and at least two paths per pixel in A and B" },
];

const canShow = (mode, frame = frameNow()) => !mode.needs || Boolean(frame[mode.needs]);

/** Shows a mode; if it is shown already, its next variant. */
function chooseMode(id) {
  if (!canShow(modes.find((mode) => mode.id === id))) return;
  if (id === state.mode && id === "wipe") update({ direction: (state.direction + 1) % wipeDirections.length });
  else if (id === state.mode && id === "difference") updateLook({ signed: !state.look.signed });
  else update({ mode: id });
}

function goTo(index) {
  const last = data.frames.length - 1;
  update({ frame: clamp(index, 0, last) });
}

/** Frames that are beyond a limit or could not be compared. */
const isBeyond = (frame) => Boolean(frame.error) || frame.failures.length > 0;

function goToNextBeyond() {
  const count = data.frames.length;
  for (let step = 1; step <= count; ++step) {
    const index = (state.frame + step) % count;
    if (isBeyond(data.frames[index])) return goTo(index);
  }
}
