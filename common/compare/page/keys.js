// Every key: what it does, and its text in the list of keys.

const modeKey = (key, id, text) => ({ key, text, act: () => chooseMode(id) });

const keyGroups = [
  { title: "Show", keys: [
    modeKey("a", "a", "A"), modeKey("b", "b", "B"),
    { key: "x", text: "the other of A and B", act: () => chooseMode(state.mode === "a" ? "b" : "a") },
    modeKey("s", "side", "side by side"), modeKey("w", "wipe", "wipe; again: direction"),
    modeKey("f", "flicker", "flicker"), modeKey("d", "difference", "difference; again: signed, absolute"),
    modeKey("h", "flip", "FLIP heat map"), modeKey("n", "noise", "beyond noise"),
  ] },
  { title: "Frames", keys: [
    { key: "ArrowRight", text: "next frame", act: () => goTo(state.frame + 1) },
    { key: "ArrowLeft", text: "frame before", act: () => goTo(state.frame - 1) },
    { key: "Home", text: "first", act: () => goTo(0) },
    { key: "End", text: "last", act: () => goTo(data.frames.length - 1) },
    { key: " ", text: "play, stop", act: togglePlay },
    { key: "u", text: "next frame beyond limits", act: goToNextBeyond },
    { key: "p", text: "plot the next metric", act: nextMetric },
  ] },
  { title: "Move", keys: [
    { key: "+", text: "closer", act: () => zoomByKeys(1.25) },
    { key: "-", text: "farther", act: () => zoomByKeys(0.8) },
    { key: "0", text: "fit", act: () => update({ zoom: null, center: null }) },
    { key: "1", text: "pixel by pixel", act: () => zoomByKeys(1 / transform().scale) },
    { key: "Shift+ArrowLeft", text: "pan left", act: () => panByKeys(-1, 0) },
    { key: "Shift+ArrowRight", text: "pan right", act: () => panByKeys(1, 0) },
    { key: "Shift+ArrowUp", text: "pan up", act: () => panByKeys(0, -1) },
    { key: "Shift+ArrowDown", text: "pan down", act: () => panByKeys(0, 1) },
    { key: ",", text: "wipe back", act: () => moveWipe(-0.02) },
    { key: ".", text: "wipe on", act: () => moveWipe(0.02) },
  ] },
  { title: "Look", keys: [
    { key: "e", text: "brighter", act: () => changeExposure(0.25) },
    { key: "E", text: "darker", act: () => changeExposure(-0.25) },
    { key: "m", text: "more gamma", act: () => changeGamma(0.1) },
    { key: "M", text: "less gamma", act: () => changeGamma(-0.1) },
    { key: "g", text: "more gain", act: () => changeGain(1) },
    { key: "G", text: "less gain", act: () => changeGain(-1) },
    { key: "c", text: "channels", act: () => updateLook({ channels: nextOf(channelChoices, state.look.channels) }) },
    { key: "v", text: "tone curve", act: () => updateLook({ tone: nextOf(toneChoices, state.look.tone) }) },
    { key: "r", text: "look as at first", act: resetLook },
  ] },
  { title: "Page", keys: [
    { key: "i", text: "inspector", act: () => update({ panel: !state.panel }) },
    { key: "k", text: "changes", act: openChanges },
    { key: "l", text: "light, dark", act: () => toggleTheme() },
    { key: "?", text: "these keys", act: () => $("help").showModal() },
  ] },
];

const actions = new Map(keyGroups.flatMap(({ keys }) => keys.map(({ key, act }) => [key, act])));
actions.set("=", actions.get("+"));

const keyNames = { ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", " ": "Space" };
const keyName = (key) => key.split("+").filter(Boolean).map((part) => keyNames[part] ??
  (/^[A-Z]$/.test(part) ? `Shift ${part}` : part.length === 1 ? part.toUpperCase() : part)).join(" ") || key;

/** Keys that the focused control uses itself. */
function isForControl(event) {
  const { target, key } = event;
  if (target.closest("dialog")) return true;
  if (target.matches("select")) return /^(Arrow|Home|End| |[a-z]$)/i.test(key);
  if (target.matches("input")) return /^(Arrow|Home|End|Page)/.test(key);
  return target.matches("button") && (key === " " || key === "Enter");
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isForControl(event)) return;
    const act = actions.get(event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function makeHelp() {
  const close = element("button", { className: "quiet", textContent: "Close" });
  close.addEventListener("click", () => $("help").close());
  const groups = keyGroups.map(({ title, keys }) => element("section", {}, element("h2", { textContent: title }),
    element("dl", {}, ...keys.map(({ key, text }) => element("div", {},
      element("dt", {}, element("kbd", { textContent: keyName(key) })), element("dd", { textContent: text }))))));
  $("help").replaceChildren(element("header", {}, element("h1", { textContent: "Keys" }), close),
    element("div", { className: "groups" }, ...groups),
    element("p", { textContent: "Drag to pan, wheel to zoom, double click to fit. Click the plot to go to a frame." }));
}
