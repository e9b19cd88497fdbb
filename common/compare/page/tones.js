// Converts values to what a display shows.

const weights = [0.2126, 0.7152, 0.0722];  // luminance of linear Rec. 709

const srgb = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

const toneCurves = {
  srgb: (x) => x,
  filmic: (x) => (x > 7.3 ? 1 : (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)),  // the tone curve of previews
};

/** 0 to 255 of a linear value. */
function displayed(value, look) {
  if (!(value > 0)) return 0;
  const toned = clamp(toneCurves[look.tone](value * 2 ** look.exposure), 0, 1);
  return Math.round(255 * srgb(toned) ** (1 / look.gamma));
}

let toneTable = { key: "", values: null };

/** The result of displayed() for each half float. */
function displayedHalves(look) {
  const key = `${look.tone} ${look.exposure} ${look.gamma}`;
  if (toneTable.key !== key) {
    toneTable = { key, values: Uint8Array.from(halfValues, (value) => displayed(value, look)) };
  }
  return toneTable.values;
}

/** Colour of a heat map at 0 to 1. */
function heat(position) {
  return data.heat[Math.round(clamp(position, 0, 1) * (data.heat.length - 1))];
}

const moreInA = [255, 170, 70], moreInB = [80, 160, 255], same = [22, 23, 25];

/** Colour of a signed difference from -1 to 1: amber where A is greater, blue where B is. */
function signedColor(value) {
  const share = clamp(Math.abs(value), 0, 1) ** 0.6;
  const end = value < 0 ? moreInA : moreInB;
  return same.map((from, c) => Math.round(from + share * (end[c] - from)));
}

/** The least significant deviation of a frame, in the precision of the map's bytes; null if there is none. */
function significanceThreshold(frame) {
  const least = frame.significance.least_significant ?? null;
  return least === null ? null : Math.min(least, 255 * data.deviation_step);
}

/** The position of a deviation on the scale of the significance map: 0 at the threshold. */
const significancePosition = (deviations, threshold) =>
  0.35 + (0.65 * (deviations - threshold)) / Math.max(1, data.deviation_step * 255 - threshold);

const rgbText = (color) => `rgb(${color.join(" ")})`;

/** A scale bar as a CSS background. */
function scaleBar(colorAt) {
  const stops = Array.from({ length: 17 }, (_, i) => rgbText(colorAt(i / 16)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
