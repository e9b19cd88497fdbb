// Canvases made from a frame's pixels: A, B, their difference, FLIP, significance.

/** The planes for red, green and blue; a single plane is shown as grey. */
function shownPlanes(pixels, channels) {
  const last = pixels.channels.length - 1;
  if (channels === "rgb") return [0, Math.min(1, last), Math.min(2, last)];
  const plane = Math.min("rgb".indexOf(channels), last);
  return [plane, plane, plane];
}

const isLuminance = (pixels, look) => look.channels === "y" && pixels.channels.length >= 3;

/** Luminance, or the chosen channel. */
function scalarAt(pixels, look, image, i) {
  if (pixels.channels.length >= 3 && (look.channels === "y" || look.channels === "rgb")) {
    let sum = 0;
    for (let c = 0; c < 3; ++c) sum += weights[c] * halfValues[image[c * pixels.count + i]];
    return sum;
  }
  return halfValues[image[shownPlanes(pixels, look.channels)[0] * pixels.count + i]];
}

/** A canvas whose pixel i has the colour that paint(i, rgba, 4 * i) writes. */
function paintCanvas(pixels, paint) {
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  const image = new ImageData(pixels.width, pixels.height);
  for (let i = 0; i < pixels.count; ++i) {
    image.data[4 * i + 3] = 255;
    paint(i, image.data, 4 * i);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

function write(out, at, color) {
  out[at] = color[0];
  out[at + 1] = color[1];
  out[at + 2] = color[2];
}

const notFinite = [255, 0, 255];

function paintImage(pixels, look, image) {
  if (isLuminance(pixels, look)) {
    return paintCanvas(pixels, (i, out, at) => out.fill(displayed(scalarAt(pixels, look, image, i), look), at, at + 3));
  }
  const table = displayedHalves(look);
  const [red, green, blue] = shownPlanes(pixels, look.channels).map((plane) =>
    image.subarray(plane * pixels.count, (plane + 1) * pixels.count));
  return paintCanvas(pixels, (i, out, at) => {
    out[at] = table[red[i]];
    out[at + 1] = table[green[i]];
    out[at + 2] = table[blue[i]];
    if (!(isFiniteHalf(red[i]) && isFiniteHalf(green[i]) && isFiniteHalf(blue[i]))) write(out, at, notFinite);
  });
}

function paintSigned(pixels, look) {
  const gain = 2 ** look.gain;
  return paintCanvas(pixels, (i, out, at) => {
    const difference = scalarAt(pixels, look, pixels.b, i) - scalarAt(pixels, look, pixels.a, i);
    write(out, at, Number.isFinite(difference) ? signedColor(gain * difference) : notFinite);
  });
}

function paintAbsolute(pixels, look) {
  const gain = 2 ** look.gain;
  const planes = shownPlanes(pixels, look.channels);
  const encoded = (difference) => Math.round(255 * srgb(clamp(gain * Math.abs(difference), 0, 1)));
  const differenceAt = isLuminance(pixels, look)
    ? (i) => scalarAt(pixels, look, pixels.b, i) - scalarAt(pixels, look, pixels.a, i)
    : (i, c) => halfValues[pixels.b[planes[c] * pixels.count + i]] - halfValues[pixels.a[planes[c] * pixels.count + i]];
  return paintCanvas(pixels, (i, out, at) => {
    const differences = [0, 1, 2].map((c) => differenceAt(i, c));
    write(out, at, differences.every(Number.isFinite) ? differences.map(encoded) : notFinite);
  });
}

const paintFlip = (pixels) => paintCanvas(pixels, (i, out, at) => write(out, at, heat(pixels.flip[i] / 255)));

/** A darkened, with significant differences in the colours of the heat map. */
function paintSignificance(pixels, look, threshold) {
  return paintCanvas(pixels, (i, out, at) => {
    const deviations = pixels.deviations[i] * data.deviation_step;
    if (threshold !== null && deviations >= threshold) {
      write(out, at, heat(significancePosition(deviations, threshold)));
    } else {
      out.fill(16 + 0.3 * displayed(scalarAt(pixels, look, pixels.a, i), look), at, at + 3);
    }
  });
}

const painters = {
  a: (pixels, look) => paintImage(pixels, look, pixels.a),
  b: (pixels, look) => paintImage(pixels, look, pixels.b),
  difference: (pixels, look) => (look.signed ? paintSigned : paintAbsolute)(pixels, look),
  flip: paintFlip,
  noise: (pixels, look, frame) => paintSignificance(pixels, look, significanceThreshold(frame)),
};

const painted = new Map();

/** The canvas of a kind for a frame. It is kept until frame, exposure or tone curve change. */
function picture(kind, index, pixels, look) {
  const key = `${index} ${JSON.stringify(look)}`;
  if (painted.get(kind)?.key !== key) {
    painted.set(kind, { key, canvas: painters[kind](pixels, look, data.frames[index]) });
  }
  return painted.get(kind).canvas;
}
