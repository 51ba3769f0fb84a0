// A sentence → its numerals, marked as odd or not; for one of them, what is expected there.

import { latest, messageIn } from "./ask.js";
import { areaPath, button, html, level, linePath, shape, svg, upright, write } from "./draw.js";
import { squash, tick, ticks, written } from "./scale.js";

const HEIGHT = 208;
const AXIS = 176;
const MARGIN = 0.06; // fraction of the stretch beyond a number that widens it
const find = (id) => document.getElementById(id);

export function startSentence(about) {
  const input = find("text");
  find("no-gap-model").hidden = about.has_gap_model;
  let chosen = null;
  const say = messageIn("text-error");
  const expect = latest("expected", (answer) => drawVerdict(answer, chosen, replace), (message) => {
    say(message);
    find("verdict").hidden = message !== "";
  });
  const choose = (piece, text) => {
    chosen = piece;
    for (const one of find("read").querySelectorAll("button")) {
      one.setAttribute("aria-pressed", one.dataset.start === String(piece.start));
    }
    expect({ text, start: piece.start, end: piece.end });
  };
  const check = latest("check", (answer, { text }) => {
    const marked = answer.pieces.filter((piece) => piece.kind !== "text");
    find("read").replaceChildren(...answer.pieces.map((piece) => shown(piece, text, choose)));
    find("verdict").hidden = !marked.length;
    const gap = marked.find(({ kind }) => kind === "gap");
    const first = gap ?? marked.find(({ is_odd: isOdd }) => isOdd) ?? marked[0];
    if (first) choose(first, text);
  }, say);
  const put = (text) => { input.value = text; check({ text }); };
  // Puts a likelier value in place of the chosen one.
  const replace = (piece, better) => {
    const characters = Array.from(input.value);
    put([...characters.slice(0, piece.start), better, ...characters.slice(piece.end)].join(""));
  };
  input.addEventListener("input", () => check({ text: input.value }));
  const examples = about.texts.map((text) => button(text, () => put(text)));
  find("text-examples").replaceChildren(...examples);
  put(about.texts[0]);
  addEventListener("resize", () => {
    if (chosen) expect({ text: input.value, start: chosen.start, end: chosen.end });
  });
}

function shown(piece, text, choose) {
  if (piece.kind === "text") return document.createTextNode(piece.text);
  const kind = kindOf(piece);
  const label = `${piece.text}: ${kind}`;
  const attributes = { class: kind, "data-start": piece.start, "aria-label": label };
  return button(piece.text, () => choose(piece, text), attributes);
}

function kindOf({ kind, is_odd: isOdd, lift }) {
  if (kind === "gap") return "gap";
  if (lift === null) return "unknown";
  return isOdd ? "odd" : "fits";
}

function drawVerdict(answer, piece, replace) {
  find("expected").replaceChildren(curve(answer, piece));
  find("verdict-facts").replaceChildren(...facts(answer, piece, replace));
}

function facts(answer, piece, replace) {
  const [low, high] = answer.interval.map(written);
  const list = (title, ...items) => html("p", {}, html("b", {}, title), ...items);
  const values = answer.likely.map(({ value, text }) =>
    button(written(value), () => replace(piece, text)));
  const made = [
    list("Expected here", html("span", { class: "chips" }, ...values)),
    list("Nine in ten", `between ${low} and ${high}`),
  ];
  if (piece.kind === "gap") return made;
  const verdict = `${piece.text} ${piece.is_odd ? "is odd" : "fits"}`;
  const times = Number(Math.max(piece.lift, 1 / piece.lift).toPrecision(2));
  const lift = `${written(times)} times ${piece.lift < 1 ? "less" : "more"} likely here than in general`;
  const wrong = `wrong with a probability of ${Math.round(100 * piece.probability_wrong)} %`;
  made.unshift(
    html("h2", { class: piece.is_odd ? "odd" : "" }, verdict),
    html("p", { class: "times" }, `${wrong}, ${lift}`),
  );
  if (piece.against.length) made.push(list("Against it", piece.against.join(", ")));
  return made;
}

function curve(answer, piece) {
  const width = Math.max(260, find("expected").clientWidth);
  const [from, to] = [squash(answer.low), squash(answer.high)];
  const stands = piece.kind === "numeral" ? squash(piece.value) : from;
  // The number itself is drawn, too, however far it is from what is expected.
  const low = Math.min(from, stands - MARGIN * (to - from));
  const high = Math.max(to, stands + MARGIN * (to - from));
  const x = (position) => ((position - low) / (high - low)) * width;
  const largest = Math.max(...answer.here, ...answer.in_general);
  const [here, general] = [answer.here, answer.in_general].map((heights) =>
    shape(heights, x(to) - x(from), AXIS, AXIS - 44, largest)
      .map(([across, y]) => [x(from) + across, y]));
  const [start, end] = answer.interval.map((value) => x(squash(value)));
  const marks = ticks(low, high, (64 * (high - low)) / width).map((value) =>
    write("tick-text", x(squash(value)), AXIS + 24, tick(value)));
  const legend = write("legend", 0, 12, "");
  legend.append(
    svg("tspan", { class: "legend-here" }, "expected here"),
    svg("tspan", { dx: 14 }, "in general"),
  );
  const label = "What is expected here, and in general";
  const size = { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT };
  const drawn = svg("svg", { ...size, role: "img", "aria-label": label },
    svg("path", { class: "spread", d: areaPath(general, AXIS) }),
    svg("path", { class: "here", d: areaPath(here, AXIS) }),
    svg("path", { class: "here-line", d: linePath(here) }),
    level("axis", 0, width, AXIS),
    level("interval", start, end, AXIS),
    legend,
    ...marks);
  if (piece.kind === "numeral") {
    const half = piece.text.length * 5;
    const at = Math.min(width - half, Math.max(half, x(stands)));
    drawn.append(upright("stands", x(stands), 40, AXIS), write("stands-text", at, 34, piece.text));
  }
  return drawn;
}
