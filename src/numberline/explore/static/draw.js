// Names, attributes and children → elements; numbers → paths.

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function button(text, press, attributes = {}) {
  return html("button", { type: "button", onclick: press, ...attributes }, text);
}

export function upright(kind, x, top, bottom) {
  return svg("line", { class: kind, x1: x, x2: x, y1: top, y2: bottom });
}

export function level(kind, from, to, y) {
  return svg("line", { class: kind, x1: from, x2: to, y1: y, y2: y });
}

export function write(kind, x, y, text) {
  return svg("text", { class: kind, x, y }, text);
}

const ruler = document.createElement("canvas").getContext("2d");

// Pixels that a text takes in the font of the page.
export function textWidth(text, pixels, weight = 500) {
  ruler.font = `${weight} ${pixels}px ${getComputedStyle(document.documentElement).fontFamily}`;
  return ruler.measureText(text).width;
}

const short = (value) => Math.round(value * 10) / 10;

export function linePath(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${short(x)} ${short(y)}`).join("");
}

// The area below a line of points, down to y = bottom.
export function areaPath(points, bottom) {
  if (!points.length) return "";
  const [first, last] = [points[0], points[points.length - 1]];
  return `M${short(first[0])} ${bottom}L${linePath(points).slice(1)}L${short(last[0])} ${bottom}Z`;
}

// Heights → points over a width. Square roots, so that small heights can be seen.
export function shape(heights, width, bottom, height, largest = Math.max(...heights)) {
  const step = width / heights.length;
  return heights.map((value, at) => [
    (at + 0.5) * step,
    bottom - height * Math.sqrt(value / (largest || 1)),
  ]);
}

export function bars(list, rows) {
  list.replaceChildren(
    ...rows.map(({ name, fraction, label, choose }) => {
      const bar = html("span", { class: "bar" });
      bar.style.setProperty("--fraction", Math.max(0, Math.min(1, fraction)));
      const text = choose ? button(name, choose) : html("span", {}, name);
      return html("li", {}, bar, text, html("small", {}, label));
    }),
  );
}

// Labels with the lowest row that has room for them; those without room are left out.
export function inRows(labels, width, rows) {
  const ends = Array.from({ length: rows }, () => []);
  const placed = [];
  for (const label of labels) {
    const half = label.width / 2 + 7;
    if (label.x < half - 7 || label.x > width - half + 7) continue;
    const isFree = ([from, to]) => label.x + half <= from || label.x - half >= to;
    const row = ends.findIndex((taken) => taken.every(isFree));
    if (row < 0) continue;
    ends[row].push([label.x - half, label.x + half]);
    placed.push({ ...label, row });
  }
  return placed;
}

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Calls show with fractions from 0 to 1, slowly at both ends; returns a function that stops it.
export function glide(milliseconds, show) {
  if (isStill()) {
    show(1);
    return () => {};
  }
  const start = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    const fraction = Math.min(1, Math.max(0, (now - start) / milliseconds));
    show(fraction * fraction * (3 - 2 * fraction));
    if (fraction < 1) frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}
