// Reads the pixels of the page: planes of half floats or bytes, as differences to the value before, first all high bytes
// and then all low bytes, deflated, in base64.

/** The value of each of the 65536 half floats. */
const halfValues = Float32Array.from({ length: 65536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
});

const isFiniteHalf = (bits) => (bits & 0x7c00) !== 0x7c00;

async function payload(id) {
  const text = atob($(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function halves(id) {
  const bytes = await payload(id);
  const count = bytes.length / 2;
  const values = new Uint16Array(count);
  let previous = 0;
  for (let i = 0; i < count; ++i) values[i] = previous = (previous + (bytes[i] << 8) + bytes[count + i]) & 0xffff;
  return values;
}

async function byteValues(id) {
  const values = await payload(id);
  for (let i = 1; i < values.length; ++i) values[i] += values[i - 1];
  return values;
}

const loaded = new Map();

/**
 * The pixels of a frame: {width, height, factor, count, a, b, flip, deviations}; a and b hold one plane of halves per
 * channel, one after the other; count is a plane's. flip (255 is 1) and deviations (in steps of data.deviation_step) are
 * there where they were measured.
 */
function framePixels(index) {
  if (!loaded.has(index)) loaded.set(index, loadFrame(index));
  return loaded.get(index);
}

async function loadFrame(index) {
  const pixels = { ...data.frames[index].pixels };
  pixels.count = pixels.width * pixels.height;
  const id = `pixels-${index}`;
  [pixels.a, pixels.b, pixels.flip, pixels.deviations] = await Promise.all([
    halves(`${id}-a`),
    halves(`${id}-b`),
    $(`${id}-flip`) ? byteValues(`${id}-flip`) : null,
    $(`${id}-deviations`) ? byteValues(`${id}-deviations`) : null,
  ]);
  return pixels;
}

/** The values of the pixel that contains (x, y) of the picture, or null outside of it. */
function pixelAt(pixels, x, y) {
  const column = Math.floor(x / pixels.factor), row = Math.floor(y / pixels.factor);
  if (column < 0 || row < 0 || column >= pixels.width || row >= pixels.height) return null;
  const place = row * pixels.width + column;
  const values = (image) => pixels.channels.map((_, c) => halfValues[image[c * pixels.count + place]]);
  return {
    x: pixels.origin_x + column * pixels.factor,
    y: pixels.origin_y + row * pixels.factor,
    a: values(pixels.a),
    b: values(pixels.b),
    flip: pixels.flip ? pixels.flip[place] / 255 : null,
    deviations: pixels.deviations ? pixels.deviations[place] * data.deviation_step : null,
  };
}
