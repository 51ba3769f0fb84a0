// Words and numbers with their points → a map to move, zoom and search.

import { ask, messageIn } from "./ask.js";
import { glide, html } from "./draw.js";

const MEANING = "What is near has a similar vector: it stands among similar words in the text. " +
  "Directions mean nothing. A dot is a word without room: zoom in to read it.";
const MARGINS = [52, 24]; // pixels around the layout, across and down, for words at its border
const POLL = 1000; // milliseconds between questions whether the better map is ready
const find = (id) => document.getElementById(id);

export async function startMap() {
  const refuse = messageIn("map-error");
  try {
    const first = await ask("map");
    const plane = new Plane(find("plane"), first);
    const options = first.tokens.map((text) => html("option", { value: text }));
    find("mapped").replaceChildren(...options);
    find("sought").addEventListener("input", () => refuse(plane.seek(find("sought").value)));
    find("nearer").addEventListener("click", () => plane.zoom(1.5));
    find("farther").addEventListener("click", () => plane.zoom(1 / 1.5));
    let latest = first;
    describe(latest);
    while (!latest.is_final) {
      await new Promise((later) => setTimeout(later, POLL));
      latest = await ask("map");
    }
    if (latest !== first) plane.change(latest);
    describe(latest);
  } catch (error) {
    refuse(error.message);
  }
}

function describe({ method, is_final: isFinal, tokens, words }) {
  const parts = `${words} words and, in colour, ${tokens.length - words} numbers, laid out by ` +
    `${method}. ${MEANING}`;
  find("map-hint").textContent = isFinal ? parts : `${parts} A better layout is being computed.`;
}

class Plane {
  constructor(canvas, answer) {
    Object.assign(this, { canvas, answer, pointers: new Map() });
    Object.assign(this, { found: -1, scale: 1, middle: [0, 0] });
    this.points = scaled(answer.points);
    this.lower = new Map(answer.tokens.map((text, at) => [text.toLowerCase(), at]));
    canvas.addEventListener("pointerdown", (event) => this.hold(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  // Pixels of a unit, across and down: at scale 1 the layout fills the canvas.
  get units() {
    const sizes = [this.canvas.clientWidth, this.canvas.clientHeight];
    return sizes.map((size, axis) => (this.scale * (size - 2 * MARGINS[axis])) / 2);
  }

  hold(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.offsetX, event.offsetY];
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    const moved = [now[0] - before[0], now[1] - before[1]];
    if (other) this.pinch(distance(now, other) / (distance(before, other) || 1), moved, now, other);
    else this.shift(...moved);
  }

  // Keeps what is midway between two fingers there while one of them moves.
  pinch(factor, moved, ...fingers) {
    const [x, y] = [0, 1].map((axis) => (fingers[0][axis] + fingers[1][axis]) / 2);
    this.shift(moved[0] / 2, moved[1] / 2);
    this.zoom(factor, x, y);
  }

  shift(x, y) {
    this.middle = [this.middle[0] - x / this.units[0], this.middle[1] - y / this.units[1]];
    this.draw();
  }

  // Keeps what is under (x, y) there.
  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const [left, down] = [x - this.canvas.clientWidth / 2, y - this.canvas.clientHeight / 2];
    const before = this.units;
    this.scale = Math.min(60, Math.max(0.7, this.scale * factor));
    const by = this.units.map((unit, axis) => 1 / before[axis] - 1 / unit);
    this.middle = [this.middle[0] + left * by[0], this.middle[1] + down * by[1]];
    this.draw();
  }

  key(event) {
    const across = { ArrowLeft: [40, 0], ArrowRight: [-40, 0] };
    const ways = { ...across, ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (event.key in ways) this.shift(...ways[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else return;
    event.preventDefault();
  }

  // Moves to a token and returns "", or returns a message if there is none.
  seek(text) {
    const wanted = text.trim().toLowerCase();
    this.found = wanted ? this.lower.get(wanted) ?? this.beginningWith(wanted) : -1;
    if (this.found < 0) {
      this.draw();
      return wanted ? `“${text.trim()}” is not on the map: it shows a choice of words.` : "";
    }
    const [from, to, start] = [this.middle, this.points[this.found], this.scale];
    const end = Math.max(start, 4);
    this.stop?.();
    this.stop = glide(600, (fraction) => {
      this.middle = [0, 1].map((at) => from[at] + (to[at] - from[at]) * fraction);
      this.scale = start + (end - start) * fraction;
      this.draw();
    });
    return "";
  }

  beginningWith(start) {
    return this.answer.tokens.findIndex((token) => token.toLowerCase().startsWith(start));
  }

  // Glides all points to where another layout has them.
  change(answer) {
    const [from, to] = [this.points, scaled(answer.points)];
    this.answer = answer;
    glide(1400, (fraction) => {
      const between = (start, end) => start + (end - start) * fraction;
      this.points = from.map(([x, y], at) => [between(x, to[at][0]), between(y, to[at][1])]);
      this.draw();
    });
  }

  draw() {
    const { canvas } = this;
    const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const paint = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name);
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, height);
    paint.textAlign = "center";
    paint.textBaseline = "middle";
    const colours = { word: colour("--ink"), number: colour("--accent"), dot: colour("--faint") };
    const sheet = { paint, width, height, colours, taken: new Set(), family: style.fontFamily };
    const unwritten = this.order().filter((at) => !this.writeToken(at, sheet));
    unwritten.forEach((at) => this.drawDot(at, sheet)); // now that all labels are known
  }

  // Tokens in the order in which they get room: what was sought, then words and numbers in turn.
  order() {
    const { words } = this.answer;
    const rank = (at) => (at < words ? at / words : (at - words) / (this.points.length - words));
    const all = this.points.map((_, at) => at).sort((one, other) => rank(one) - rank(other));
    return this.found < 0 ? all : [this.found, ...all];
  }

  // Pixels of a token from the left and from the top.
  spot(at, width, height) {
    const [across, down] = this.units;
    const [x, y] = [0, 1].map((axis) => this.points[at][axis] - this.middle[axis]);
    return [width / 2 + x * across, height / 2 + y * down];
  }

  // Writes a token and returns true, if there is room for all of it.
  writeToken(at, { paint, width, height, colours, taken, family }) {
    const [x, y] = this.spot(at, width, height);
    const text = this.answer.tokens[at];
    const isFound = at === this.found;
    const isRed = isFound || at >= this.answer.words;
    const size = isFound ? 20 : 13;
    paint.font = `${isRed ? 600 : 400} ${size}px ${family}`;
    const half = paint.measureText(text).width / 2 + 5;
    const isInside = x > half && x < width - half && y > size && y < height - size;
    if (!isInside) return false;
    const touched = touchedCells(x - half, x + half, y - size * 0.7, y + size * 0.7);
    if (touched.some((cell) => taken.has(cell))) return false;
    touched.forEach((cell) => taken.add(cell));
    paint.fillStyle = isRed ? colours.number : colours.word;
    paint.fillText(text, x, y);
    return true;
  }

  drawDot(at, { paint, width, height, colours, taken }) {
    const [x, y] = this.spot(at, width, height);
    if (taken.has(cellOf(x, y))) return;
    paint.fillStyle = at >= this.answer.words ? colours.number : colours.dot;
    dot(paint, x, y);
  }
}

const CELL = 6; // pixels: labels take cells of a grid, so that looking for room is quick
const cellOf = (x, y) => Math.floor(x / CELL) * 100003 + Math.floor(y / CELL);

function touchedCells(left, right, top, bottom) {
  const cells = [];
  for (let x = left; x <= right + CELL; x += CELL) {
    for (let y = top; y <= bottom + CELL; y += CELL) {
      cells.push(cellOf(Math.min(x, right), Math.min(y, bottom)));
    }
  }
  return cells;
}

function dot(paint, x, y) {
  paint.beginPath();
  paint.arc(x, y, 1.5, 0, 7);
  paint.fill();
}

const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// Scales points into a square from -1 to 1; the farthest percent may lie outside.
function scaled(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]).sort((a, b) => a - b));
  const outside = Math.floor(0.005 * points.length);
  const ends = [xs, ys].map((sorted) => [sorted[outside], sorted[sorted.length - 1 - outside]]);
  return points.map((point) => point.map((value, axis) => {
    const [low, high] = ends[axis];
    return (2 * value - low - high) / (high - low || 1);
  }));
}
