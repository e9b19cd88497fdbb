// The position of the picture on the screen: zoom and pan, which all cells share.

const canvas = $("view");
const fitMargin = 12;

/** Screen size of the canvas in CSS pixels. */
const stageSize = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });

/** Parts of the canvas that show the picture: one, or two side by side or one above the other, whichever is larger. */
function cells() {
  const { width, height } = stageSize();
  if (state.mode !== "side") return [{ x: 0, y: 0, width, height }];
  const size = frameNow().pixels;
  const isWide = size && Math.min(width / 2 / size.full_width, height / size.full_height) <
    Math.min(width / size.full_width, height / 2 / size.full_height);
  return isWide
    ? [{ x: 0, y: 0, width, height: height / 2 }, { x: 0, y: height / 2, width, height: height / 2 }]
    : [{ x: 0, y: 0, width: width / 2, height }, { x: width / 2, y: 0, width: width / 2, height }];
}

/** {scale, x, y}: screen pixels per pixel of the picture, and the pixel in the middle of each cell. */
function transform() {
  const { full_width, full_height } = frameNow().pixels;
  const [cell] = cells();
  const fit = Math.min((cell.width - 2 * fitMargin) / full_width, (cell.height - 2 * fitMargin) / full_height);
  const center = state.center ?? { x: full_width / 2, y: full_height / 2 };
  return { scale: state.zoom ?? Math.max(fit, 0.01), x: center.x, y: center.y };
}

const cellAt = (x, y) => cells().find((c) => x >= c.x && y >= c.y && x < c.x + c.width && y < c.y + c.height) ?? cells()[0];

/** Pixel of the picture under a point of the canvas. */
function toPicture(x, y) {
  const cell = cellAt(x, y), { scale, x: cx, y: cy } = transform();
  return { x: cx + (x - cell.x - cell.width / 2) / scale, y: cy + (y - cell.y - cell.height / 2) / scale };
}

/** Zooms around a point of the canvas, whose pixel stays in place. */
function zoomAbout(x, y, factor, more = {}) {
  if (!frameNow().pixels) return;
  const before = toPicture(x, y), { scale } = transform(), cell = cellAt(x, y);
  const zoom = clamp(scale * factor, 0.02, 64);
  const center = {
    x: before.x - (x - cell.x - cell.width / 2) / zoom,
    y: before.y - (y - cell.y - cell.height / 2) / zoom,
  };
  update({ zoom, center: keptInside(center), ...more });
}

function panBy(x, y, more = {}) {
  if (!frameNow().pixels) return;
  const { scale, x: cx, y: cy } = transform();
  const center = keptInside({ x: cx - x / scale, y: cy - y / scale });
  update({ zoom: scale, center, ...more });
}

function keptInside({ x, y }) {
  const { full_width, full_height } = frameNow().pixels;
  return { x: clamp(x, 0, full_width), y: clamp(y, 0, full_height) };
}

/** While keys move the picture, the values of the pixel in the middle are shown. */
function byKeys(move) {
  if (!frameNow().pixels) return;
  move();
  const { x, y } = transform();
  update({ probe: { x, y }, isProbeFromKeys: true });
}

const zoomByKeys = (factor) => byKeys(() => {
  const [cell] = cells();
  zoomAbout(cell.x + cell.width / 2, cell.y + cell.height / 2, factor);
});
const panByKeys = (x, y) => byKeys(() => panBy(-x * stageSize().width * 0.1, -y * stageSize().width * 0.1));

/** Zooms in on a pixel of the picture. */
function lookAt(x, y) {
  const { scale } = transform();
  update({ zoom: Math.max(scale, 8), center: { x, y }, probe: { x, y }, isProbeFromKeys: true });
}

function listenToPointer() {
  let last = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = event;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (last) {
      panBy(event.offsetX - last.offsetX, event.offsetY - last.offsetY);
      last = event;
    }
    if (frameNow().pixels) update({ probe: toPicture(event.offsetX, event.offsetY), isProbeFromKeys: false });
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (last = null));
  canvas.addEventListener("pointerleave", () => update({ probe: null }));
  canvas.addEventListener("dblclick", () => update({ zoom: null, center: null }));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAbout(event.offsetX, event.offsetY, 2 ** (-event.deltaY / 240));
  }, { passive: false });
}
