// A stretch of the number line → a picture in which a number is dragged; below it the whole line.

import { latest } from "./ask.js";
import { areaPath, glide, inRows, level, shape, svg, textWidth, upright, write } from "./draw.js";
import { roundedAt, squash, tick, ticks, unsquash, written } from "./scale.js";

const HEIGHT = 250;
const AXIS = 200; // y of the line
const ROWS = 4; // of words
const HANDLE_TOP = 122; // y, below the words
const STRONG = 12; // words of a stretch in bold
const STRIP = 58;
const GROUND = 34; // y of the whole line
const EDGE = 0.06; // fraction of the width in which dragging moves the stretch
const NARROWEST = 0.02; // stretch, on the squashed line
const WEIGHT_HEIGHT = 74;

export class Dial {
  constructor(element, about, changed) {
    Object.assign(this, { element, about, changed, weights: [], described: {}, stretch: null });
    this.corpus = [squash(about.low), squash(about.high)];
    this.ends = [...this.corpus]; // of the whole line; a number beyond them moves them
    this.low = squash(about.window[0]);
    this.high = squash(about.window[1]);
    this.value = squash(about.window[0]);
    this.stage = svg("svg", {
      class: "stage",
      height: HEIGHT,
      tabindex: 0,
      role: "slider",
      "aria-label": "Number line",
      "aria-valuemin": about.low,
      "aria-valuemax": about.high,
    });
    this.strip = svg("svg", { class: "strip", height: STRIP, "aria-hidden": "true" });
    element.append(this.stage, this.strip);
    this.ask = latest("line", (answer) => { this.stretch = answer; this.draw(); }, () => {});
    this.listen();
    new ResizeObserver(() => this.draw()).observe(element);
    this.look();
  }

  get width() { return Math.max(200, this.element.clientWidth); }
  get step() { return (this.high - this.low) / this.width; }
  get text() {
    const number = written(roundedAt(this.value, this.step));
    const isDescribed = Math.abs(this.described.position - this.value) < this.step;
    return isDescribed ? `${number}, ${this.described.company}` : number;
  }
  isSeen(position) { return position > this.low && position < this.high; }
  x(position) { return ((position - this.low) / (this.high - this.low)) * this.width; }
  wholeX(position) {
    return ((position - this.ends[0]) / (this.ends[1] - this.ends[0])) * this.width;
  }

  listen() {
    const near = (at) => this.put(this.low + at * (this.high - this.low));
    const far = (at) => this.put(this.ends[0] + at * (this.ends[1] - this.ends[0]), true);
    this.stage.addEventListener("pointerdown", (event) => this.drag(event, this.stage, near));
    this.strip.addEventListener("pointerdown", (event) => this.drag(event, this.strip, far));
    this.stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 400));
    }, { passive: false });
    this.stage.addEventListener("keydown", (event) => this.key(event));
  }

  drag(event, on, put) {
    event.preventDefault();
    on.setPointerCapture(event.pointerId);
    on.focus();
    this.stop?.();
    const box = on.getBoundingClientRect();
    let at = null;
    const follow = (moved) => {
      at = Math.min(1, Math.max(0, (moved.clientX - box.left) / box.width));
      put(at);
    };
    // While the pointer is at an edge, the stretch moves on.
    const timer = on === this.stage && setInterval(() => {
      const pull = at < EDGE ? at - EDGE : at > 1 - EDGE ? at - 1 + EDGE : 0;
      if (pull) {
        this.shift(pull * 0.4 * (this.high - this.low));
        put(at);
      }
    }, 16);
    on.classList.add("held");
    follow(event);
    on.addEventListener("pointermove", follow);
    const end = () => {
      clearInterval(timer);
      on.classList.remove("held");
      on.removeEventListener("pointermove", follow);
    };
    on.addEventListener("pointerup", end, { once: true });
    on.addEventListener("pointercancel", end, { once: true });
  }

  key(event) {
    const arrows = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 };
    const steps = { ...arrows, PageDown: -20, PageUp: 20 };
    if (event.key in steps) this.nudge(steps[event.key]);
    else if (event.key === "Home") this.put(this.ends[0], true);
    else if (event.key === "End") this.put(this.ends[1], true);
    else if (event.key === "+" || event.key === "=") this.zoom(0.7);
    else if (event.key === "-") this.zoom(1.4);
    else return;
    event.preventDefault();
  }

  // Moves to the next number that is written differently.
  nudge(steps) {
    const now = roundedAt(this.value, 2 * this.step);
    for (let far = 1; far < 12; far++) {
      const position = this.value + steps * far * 2 * this.step;
      if (roundedAt(position, 2 * this.step) !== now) return this.put(position, true);
    }
    return undefined;
  }

  put(position, mayMove = false) {
    const value = roundedAt(position, this.step);
    this.value = squash(value);
    if (mayMove) this.bringIntoView();
    this.move();
    this.changed(value);
  }

  // Glides to a number that was typed or chosen.
  go(value, milliseconds = 500) {
    this.stop?.();
    const [from, to] = [this.value, squash(value)];
    const isSeen = this.isSeen(to);
    const [start, end] = [this.low, isSeen ? this.low : to - (this.high - this.low) / 2];
    this.stop = glide(milliseconds, (fraction) => {
      this.value = from + (to - from) * fraction;
      if (!isSeen) this.shift(start + (end - start) * fraction - this.low);
      this.move();
    });
  }

  bringIntoView() {
    const margin = 0.1 * (this.high - this.low);
    if (this.value < this.low + margin) this.shift(this.value - this.low - margin);
    if (this.value > this.high - margin) this.shift(this.value - this.high + margin);
  }

  shift(by) {
    this.low += by;
    this.high += by;
    this.look();
  }

  zoom(factor) {
    const wanted = Math.max(NARROWEST, (this.high - this.low) * factor);
    const span = Math.min(this.ends[1] - this.ends[0], wanted);
    const fraction = Math.min(0.9, Math.max(0.1, (this.value - this.low) / (this.high - this.low)));
    this.low = this.value - fraction * span;
    this.high = this.low + span;
    this.look();
  }

  look() {
    const stretch = { low: unsquash(this.low), high: unsquash(this.high) };
    this.ask(stretch);
    document.dispatchEvent(new CustomEvent("stretch", { detail: stretch }));
    this.draw();
  }

  // Sets the prototypes of a number and, for screen readers, the words near it.
  made(value, weights, company) {
    this.weights = weights;
    this.described = { position: squash(value), company };
    this.move();
  }

  draw() {
    this.stage.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.strip.setAttribute("viewBox", `0 0 ${this.width} ${STRIP}`);
    this.bars = svg("g", { class: "weights" });
    this.handle = svg("g", { class: "handle" });
    this.handle.append(upright("", 0, HANDLE_TOP, AXIS), svg("circle", { cy: AXIS, r: 9 }));
    const still = [...this.spread(), ...this.landmarks(), ...this.axis(), ...this.prototypes()];
    this.stage.replaceChildren(...still, this.bars, this.handle);
    this.drawStrip();
    this.move();
  }

  drawStrip() {
    const [from, to] = this.corpus.map((position) => this.wholeX(position));
    const points = shape(this.about.heights, to - from, GROUND, GROUND - 6)
      .map(([x, y]) => [x + from, y]);
    this.brush = svg("rect", { class: "brush", y: 0, height: GROUND, rx: 4 });
    this.mark = upright("mark", 0, 0, GROUND);
    const apart = (90 * (this.ends[1] - this.ends[0])) / this.width;
    const marks = ticks(...this.ends, apart).map((value) =>
      write("tick-text small", this.wholeX(squash(value)), GROUND + 18, tick(value)));
    const spread = svg("path", { class: "spread", d: areaPath(points, GROUND) });
    const ground = level("axis", 0, this.width, GROUND);
    this.strip.replaceChildren(spread, ground, ...marks, this.brush, this.mark);
  }

  spread() {
    if (!this.stretch) return [];
    const { low, high, heights } = this.stretch;
    const [from, to] = [this.x(squash(low)), this.x(squash(high))];
    const points = shape(heights, to - from, AXIS, 74).map(([x, y]) => [x + from, y]);
    return [svg("path", { class: "spread", d: areaPath(points, AXIS) })];
  }

  landmarks() {
    const all = (this.stretch?.landmarks ?? []).map(({ word, value, similarity }) => ({
      word, similarity, x: this.x(squash(value)), width: textWidth(word, 16),
    }));
    const best = all[STRONG]?.similarity ?? 0;
    const placed = inRows(all, this.width, ROWS).map((one) => ({ ...one, y: 112 - one.row * 27 }));
    const lines = placed.map(({ x, y }) => upright("", x, y + 5, AXIS));
    const words = placed.map(({ word, x, y, similarity }) =>
      write(similarity > best ? "strong" : "weak", x, y, word));
    return [svg("g", { class: "landmark" }, ...lines, ...words)]; // no line crosses a word
  }

  axis() {
    const marks = ticks(this.low, this.high, 62 * this.step).map((value) => {
      const x = this.x(squash(value));
      const parts = [upright("", x, AXIS, AXIS + 7), write("", x, AXIS + 26, tick(value))];
      return svg("g", { class: "tick" }, ...parts);
    });
    return [level("axis", 0, this.width, AXIS), ...marks];
  }

  prototypes() {
    const seen = this.about.prototypes.map(squash).filter((position) => this.isSeen(position));
    const attributes = { class: "prototype", cy: AXIS, r: 2.5 };
    return seen.map((position) => svg("circle", { ...attributes, cx: this.x(position) }));
  }

  // Draws what changes while a number is dragged.
  move() {
    if (!this.handle) return;
    if (this.value < this.ends[0] || this.value > this.ends[1]) {
      this.ends = [Math.min(this.ends[0], this.value), Math.max(this.ends[1], this.value)];
      this.drawStrip();
    }
    const inside = this.weights.filter(({ prototype }) => this.isSeen(squash(prototype)));
    this.bars.replaceChildren(...inside.map(({ prototype, weight }) =>
      upright("", this.x(squash(prototype)), AXIS - 3, AXIS - 3 - WEIGHT_HEIGHT * weight)));
    this.handle.setAttribute("transform", `translate(${this.x(this.value)} 0)`);
    const inStrip = (x) => Math.min(this.width, Math.max(0, x));
    const [from, to] = [this.low, this.high].map((end) => inStrip(this.wholeX(end)));
    this.brush.setAttribute("x", Math.min(from, this.width - 3));
    this.brush.setAttribute("width", Math.max(3, to - from));
    const mark = this.wholeX(this.value);
    this.mark.setAttribute("x1", mark);
    this.mark.setAttribute("x2", mark);
    this.stage.setAttribute("aria-valuenow", unsquash(this.value));
    this.stage.setAttribute("aria-valuetext", this.text);
  }
}
