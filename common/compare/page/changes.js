// Differences between A and B other than pixels: metadata of the pictures, and the scenes that they were rendered from.

/**
 * The shortest edit from lines a to lines b: [{kind: "same" | "a" | "b", text}]. Longest common subsequence of what is
 * left between equal beginnings and ends.
 */
function diffLines(a, b) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const as = (kind) => (text) => ({ kind, text });
  return [
    ...a.slice(0, start).map(as("same")),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(as("same")),
  ];
}

function diffMiddle(a, b) {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);  // [i, j]: length for a from i on and b from j on
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const lines = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push({ kind: "same", text: a[i++], j: j++ });
    else if (j === b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      lines.push({ kind: "a", text: a[i++] });
    } else lines.push({ kind: "b", text: b[j++] });
  }
  return lines;
}

/** Which lines to show: changed lines, a few lines around them, and the headings of their tables. */
function linesShown(lines, around = 2) {
  const shown = new Set();
  lines.forEach((line, i) => {
    if (line.kind === "same") return;
    for (let j = i - around; j <= i + around; ++j) shown.add(j);
    let heading = i;
    while (heading >= 0 && !lines[heading].text.trimStart().startsWith("[")) --heading;
    shown.add(heading);
  });
  return shown;
}

const sceneLines = data.scene_a && data.scene_b ? diffLines(data.scene_a.split("\n"), data.scene_b.split("\n")) : null;
const changedLines = sceneLines ? sceneLines.filter((line) => line.kind !== "same").length : 0;

function sceneDiff() {
  if (!sceneLines) return [element("p", { textContent: "The metadata of the pictures do not contain their scenes." })];
  if (!changedLines) return [element("p", { textContent: "Both were rendered from the same scene." })];
  const shown = linesShown(sceneLines);
  const rows = [];
  sceneLines.forEach((line, i) => {
    if (shown.has(i)) rows.push(element("span", { className: line.kind, textContent: line.text }));
    else if (shown.has(i - 1)) rows.push(element("span", { className: "gap", textContent: "⋯" }));
  });
  return [element("pre", {}, ...rows)];
}

function metadataTable(metadata) {
  if (!metadata?.length) return element("p", { textContent: "No differences." });
  const head = element("tr", {}, ...["Key", `A  ${nameA}`, `B  ${nameB}`].map((text) => element("th", { textContent: text })));
  const rows = metadata.map(({ key, a, b }) => element("tr", {}, element("th", { textContent: key, scope: "row" }),
    element("td", { textContent: a || "–", className: "a" }), element("td", { textContent: b || "–", className: "b" })));
  return element("table", {}, head, ...rows);
}

/** The plain metrics of every layer except the one that is shown. */
function layerTable(layers) {
  const head = element("tr", {}, ...["Layer", "RMS", "Largest", "At"].map((text) => element("th", { textContent: text })));
  const rows = layers.map(({ layer, rms, largest }) => {
    const cells = [number(rms), number(largest?.value ?? 0), largest ? `${largest.channel} ${largest.x}, ${largest.y}` : "–"];
    return element("tr", {}, element("th", { textContent: layer, scope: "row" }),
      ...cells.map((text) => element("td", { textContent: text })));
  });
  return element("table", {}, head, ...rows);
}

function openChanges() {
  const close = element("button", { className: "quiet", textContent: "Close" });
  close.addEventListener("click", () => $("changes").close());
  $("changes").replaceChildren(
    element("header", {}, element("h1", { textContent: "Changes" }), close),
    element("p", { className: "path a", textContent: `A  ${frameNow().a}` }),
    element("p", { className: "path b", textContent: `B  ${frameNow().b}` }),
    element("h2", { textContent: "Scene" }), ...sceneDiff(),
    element("h2", { textContent: data.frames.length > 1 ? `Metadata of frame ${frameName(frameNow())}` : "Metadata" }),
    metadataTable(frameNow().metadata));
  const others = frameNow().layers?.slice(1) ?? [];
  if (others.length) $("changes").append(element("h2", { textContent: "Other layers" }), layerTable(others));
  $("changes").showModal();
}

function paintChanges() {
  const count = frameNow().metadata?.length ?? 0;
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const scene = sceneLines ? `${plural(changedLines, "line")} of the scene, ` : "";
  $("changes-button").textContent = count || changedLines ? `${scene}${plural(count, "key")} of metadata` : "None";
}
