// A sentence → its numerals marked by how well they fit; the chosen one with what was expected there.

import { latest, messageIn } from "./ask.js";
import { areaPath, html, linePath, shape, svg } from "./draw.js";
import { squash, tick, ticks, written } from "./scale.js";

const HEIGHT = 208;
const AXIS = 176;
const find = (id) => document.getElementById(id);

export function startSentence(about) {
  const input = find("text");
  let chosen = null;
  const expect = latest("expected", (answer) => drawVerdict(answer, chosen, replace), messageIn("text-error"));
  const choose = (piece, text) => {
    chosen = piece;
    for (const button of find("read").querySelectorAll("button")) button.setAttribute("aria-pressed", button.dataset.start === String(piece.start));
    expect({ text, start: piece.start, end: piece.end });
  };
  const check = latest("check", (answer, { text }) => {
    const marked = answer.pieces.filter((piece) => piece.kind !== "text");
    find("read").replaceChildren(...answer.pieces.map((piece) => shown(piece, text, choose)));
    find("verdict").hidden = !marked.length;
    const first = marked.find(({ kind }) => kind === "gap") ?? marked.find(({ is_odd }) => is_odd) ?? marked[0];
    if (first) choose(first, text);
  }, messageIn("text-error"));
  const put = (text) => { input.value = text; check({ text }); };
  // Better values take the place of the one they are better than.
  const replace = (piece, better) => {
    const characters = Array.from(input.value);
    put([...characters.slice(0, piece.start), better, ...characters.slice(piece.end)].join(""));
  };
  input.addEventListener("input", () => check({ text: input.value }));
  find("text-examples").replaceChildren(...about.texts.map((text) => html("button", { type: "button", onclick: () => put(text) }, text)));
  put(about.texts[0]);
  addEventListener("resize", () => chosen && expect({ text: input.value, start: chosen.start, end: chosen.end }));
}

function shown(piece, text, choose) {
  if (piece.kind === "text") return document.createTextNode(piece.text);
  const kind = piece.kind === "gap" ? "gap" : piece.is_odd ? "odd" : piece.lift === null ? "unknown" : "fits";
  const button = html("button", { type: "button", class: kind, "data-start": piece.start, onclick: () => choose(piece, text) }, piece.text);
  button.setAttribute("aria-label", `${piece.text}: ${kind}`);
  return button;
}

function drawVerdict(answer, piece, replace) {
  find("expected").replaceChildren(curve(answer, piece));
  find("verdict-facts").replaceChildren(...facts(answer, piece, replace));
}

function facts(answer, piece, replace) {
  const [low, high] = answer.interval.map(written);
  const list = (title, ...items) => html("p", {}, html("b", {}, title), ...items);
  const values = answer.likely.map(({ value, text }) => html("button", { type: "button", onclick: () => replace(piece, text) }, written(value)));
  const made = [list("Expected here", html("span", { class: "chips" }, ...values)), list("Nine in ten", `${low} to ${high}`)];
  if (piece.kind === "gap") return made;
  const times = piece.lift === null ? "" : `${Number(piece.lift.toPrecision(2))} times as likely here as in general`;
  const verdict = piece.lift === null ? "Nothing around it is known" : piece.is_odd ? `${piece.text} is odd` : `${piece.text} fits`;
  made.unshift(html("h2", { class: piece.is_odd ? "odd" : "" }, verdict), html("p", { class: "times" }, times));
  if (piece.words.length) made.push(list("Goes with", piece.words.join(", ")));
  return made;
}

function curve(answer, piece) {
  const width = Math.max(260, find("expected").clientWidth);
  const [low, high] = [squash(answer.low), squash(answer.high)];
  const x = (place) => ((place - low) / (high - low)) * width;
  const largest = Math.max(...answer.here, ...answer.in_general);
  const [here, general] = [answer.here, answer.in_general].map((heights) => shape(heights, width, AXIS, AXIS - 44, largest));
  const [from, to] = answer.interval.map((value) => x(squash(value)));
  const marks = ticks(low, high, (64 * (high - low)) / width).map((value) => svg("text", { class: "tick-text", x: x(squash(value)), y: AXIS + 24 }, tick(value)));
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: "img", "aria-label": "What is expected here, and in general" },
    svg("path", { class: "spread", d: areaPath(general, AXIS) }),
    svg("path", { class: "here", d: areaPath(here, AXIS) }),
    svg("path", { class: "here-line", d: linePath(here) }),
    svg("line", { class: "axis", x1: 0, x2: width, y1: AXIS, y2: AXIS }),
    svg("line", { class: "interval", x1: from, x2: to, y1: AXIS, y2: AXIS }),
    svg("text", { class: "legend", x: 0, y: 12 }, svg("tspan", { class: "legend-here" }, "expected here"), svg("tspan", { dx: 14 }, "in general")),
    ...marks);
  if (piece.kind === "numeral") {
    const at = Math.min(width - 20, Math.max(20, x(squash(piece.value))));
    drawn.append(svg("line", { class: "stands", x1: at, x2: at, y1: 34, y2: AXIS }), svg("text", { class: "stands-text", x: at, y: 28 }, piece.text));
  }
  return drawn;
}
