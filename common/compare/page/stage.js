// The picture in the middle: what each mode draws, and labels over it.

const context = canvas.getContext("2d");
const smoothBelow = 2;  // screen pixels per pixel; from here on pixels are shown as squares

/** The content of each cell. */
function kindsShown() {
  if (state.mode === "side") return ["a", "b"];
  if (state.mode === "flicker") return [state.showsB ? "b" : "a"];
  return [state.mode === "wipe" ? "b" : state.mode];
}

function drawPicture(cell, kind, pixels) {
  const { scale, x, y } = transform();
  context.save();
  context.beginPath();
  context.rect(cell.x, cell.y, cell.width, cell.height);
  context.clip();
  context.translate(cell.x + cell.width / 2 - x * scale, cell.y + cell.height / 2 - y * scale);
  context.beginPath();
  context.rect(0, 0, pixels.full_width * scale, pixels.full_height * scale);
  context.clip();  // the last column and row of a reduced picture extend beyond it
  const magnification = scale * pixels.factor * devicePixelRatio;
  context.imageSmoothingEnabled = magnification < smoothBelow;
  context.imageSmoothingQuality = "high";
  const size = scale * pixels.factor;
  context.drawImage(picture(kind, state.frame, pixels, state.look), 0, 0, pixels.width * size, pixels.height * size);
  context.restore();
}

function drawWipe(cell, pixels) {
  const path = wipePath();
  context.save();
  context.clip(path);
  context.fillStyle = getComputedStyle(canvas).backgroundColor;
  context.fillRect(cell.x, cell.y, cell.width, cell.height);
  drawPicture(cell, "a", pixels);
  context.restore();
  context.strokeStyle = "rgb(0 0 0 / 0.5)";
  context.lineWidth = 3;
  context.stroke(path);
  context.strokeStyle = "rgb(255 255 255 / 0.9)";
  context.lineWidth = 1;
  context.stroke(path);
}

/** The region of interest, for which the metrics are computed. */
function drawRegion(cell, pixels) {
  if (!data.region) return;
  const [left, top, width, height] = data.region.split(",").map(Number);
  const { scale, x, y } = transform();
  context.lineWidth = 1.5;
  context.strokeStyle = "rgb(255 255 255 / 0.8)";
  context.setLineDash([5, 4]);
  context.strokeRect(cell.x + cell.width / 2 + (left - pixels.origin_x - x) * scale,
    cell.y + cell.height / 2 + (top - pixels.origin_y - y) * scale, width * scale, height * scale);
  context.setLineDash([]);
}

/** The pixel that the keys have chosen. */
function drawCross(cell, pixels) {
  const { scale, x, y } = transform();
  const size = Math.max(scale * pixels.factor, 7);
  const snapped = (value) => (Math.floor(value / pixels.factor) + 0.5) * pixels.factor;
  const left = cell.x + cell.width / 2 + (snapped(state.probe.x) - x) * scale - size / 2;
  const top = cell.y + cell.height / 2 + (snapped(state.probe.y) - y) * scale - size / 2;
  context.lineWidth = 3;
  context.strokeStyle = "rgb(0 0 0 / 0.6)";
  context.strokeRect(left, top, size, size);
  context.lineWidth = 1;
  context.strokeStyle = "white";
  context.strokeRect(left, top, size, size);
}

function clearCanvas() {
  const { width, height } = stageSize(), ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}

function say(text) {
  $("message").hidden = !text;
  $("message").textContent = text;
}

let shownPixels = null;  // of the frame that is drawn

function drawFrame(pixels) {
  shownPixels = pixels;
  clearCanvas();
  const mode = modes.find(({ id }) => id === state.mode);
  say(canShow(mode) ? "" : `${mode.label} ${mode.lack}`);
  if (!canShow(mode)) return;
  const places = cells();
  kindsShown().forEach((kind, i) => drawPicture(places[i], kind, pixels));
  if (state.mode === "wipe") drawWipe(places[0], pixels);
  for (const cell of places) {
    drawRegion(cell, pixels);
    if (state.probe && state.isProbeFromKeys) drawCross(cell, pixels);
  }
  document.body.dataset.drawn = String(state.frame);
}

async function paintStage() {
  const index = state.frame;
  if (!frameNow().pixels) {
    shownPixels = null;
    clearCanvas();
    paintPixel();
    return say(frameNow().error);
  }
  const wait = setTimeout(() => say("…"), 200);
  try {
    const pixels = await framePixels(index);
    if (index === state.frame) drawFrame(pixels);
  } catch (error) {
    say(`The page's pixels cannot be read: ${error.message}`);
  } finally {
    clearTimeout(wait);
  }
  paintPixel();
}

function paintTags() {
  const hasPicture = Boolean(frameNow().pixels);
  const shows = { a: ["a"], b: ["b"], side: ["a", "b"], wipe: ["a", "b"], flicker: [state.showsB ? "b" : "a"] };
  const kinds = hasPicture ? shows[state.mode] ?? [] : [];
  for (const [kind, name] of [["a", nameA], ["b", nameB]]) {
    const tag = $(`tag-${kind}`);
    tag.hidden = !kinds.includes(kind);
    tag.textContent = `${kind.toUpperCase()}  ${name}`;
  }
  const second = state.mode === "side" ? cells()[1] : null;
  const isUpright = state.mode === "wipe" && wipeDirections[state.direction].id === "y";
  $("tag-b").style.left = second ? `${second.x + 12}px` : isUpright ? "12px" : "auto";
  $("tag-b").style.right = second || isUpright ? "auto" : "12px";
  $("tag-b").style.top = second ? `${second.y + 12}px` : isUpright ? "auto" : "12px";
  $("tag-b").style.bottom = isUpright ? "12px" : "auto";
}

function paintZoom() {
  $("zoom").hidden = !frameNow().pixels;
  if (frameNow().pixels) $("zoom").textContent = `${Math.round(100 * transform().scale)} %`;
}

/** A and B swap twice a second. This is slow enough for people whom flashes harm. */
function startFlicker() {
  setInterval(() => {
    if (state.mode === "flicker") update({ showsB: !state.showsB });
  }, 500);
}
