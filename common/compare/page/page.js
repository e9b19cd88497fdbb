// The data of the page, and formatting them.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** A number with at most this many significant digits. */
function number(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 0.01 || size >= 1e5) ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** Names of two paths: the last folder in which they differ. If one path is the end of the other: all of each. */
function shortNames(a, b) {
  const parts = (path) => path.split("/").filter((part) => part && part !== ".");
  const ofA = parts(a), ofB = parts(b);
  const isSame = ofA.join("/") === ofB.join("/");
  while (!isSame && ofA.length > 1 && ofB.length > 1 && ofA.at(-1) === ofB.at(-1)) {
    ofA.pop();
    ofB.pop();
  }
  const name = (all) => (isSame || ofA.at(-1) !== ofB.at(-1) ? all.at(-1) : all.join("/")) ?? "";
  return [name(ofA), name(ofB)];
}

const [nameA, nameB] = shortNames(data.a, data.b);
