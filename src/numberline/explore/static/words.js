// Words → curves of their similarity to the numbers of the line.

import { latest, messageIn } from "./ask.js";
import { level, linePath, svg, textWidth, upright, write } from "./draw.js";
import { squash, tick, ticks } from "./scale.js";

const HEIGHT = 300;
const AXIS = 262;
const TOP = 34;
const LEFT = 18; // room for the 0 of the upright axis
const LEGEND = { x: 36, y: 12, half: 36 };
const find = (id) => document.getElementById(id);

export function startWords(about) {
  const input = find("compared");
  const whole = find("whole");
  let answer = null;
  let stretch = { low: about.window[0], high: about.window[1] };
  const isWhole = () => whole.getAttribute("aria-pressed") === "true";
  const draw = () => answer && find("curves").replaceChildren(picture(answer));
  const show = (curves) => {
    answer = curves;
    draw();
  };
  const look = latest("curves", show, messageIn("words-error"));
  const ask = () => {
    const { low, high } = isWhole() ? about : stretch;
    if (input.value.trim()) look({ words: input.value, low, high });
  };
  input.value = about.compared.join(" ");
  input.addEventListener("input", ask);
  whole.addEventListener("click", () => {
    whole.setAttribute("aria-pressed", !isWhole());
    ask();
  });
  // The curves show the same stretch of the line as the picture above.
  document.addEventListener("stretch", ({ detail }) => {
    stretch = detail;
    if (!isWhole()) ask();
  });
  addEventListener("resize", draw);
  ask();
}

function picture(answer) {
  const width = Math.max(280, find("curves").clientWidth);
  const positions = answer.values.map(squash);
  const [low, high] = [positions[0], positions[positions.length - 1]];
  const { usual, is_supported: isSupported } = answer;
  const all = [...usual.low, ...usual.high, ...answer.curves.flatMap((one) => one.similarities)];
  const [least, most] = [Math.min(0, ...all), Math.max(0.05, ...all)];
  const x = (position) => LEFT + ((position - low) / (high - low)) * (width - LEFT);
  const y = (similarity) => AXIS - ((similarity - least) / (most - least)) * (AXIS - TOP);
  const size = { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT };
  const legend = "Similarity of words along the number line";
  const drawn = svg("svg", { ...size, role: "img", "aria-label": legend });
  const along = (heights) => positions.map((position, at) => [x(position), y(heights[at])]);
  const band = `${linePath([...along(usual.high), ...along(usual.low).reverse()])}Z`;
  drawn.append(svg("path", { class: "usual", d: band }));
  for (const value of ticks(low, high, (62 * (high - low)) / width)) {
    const at = x(squash(value));
    drawn.append(upright("grid", at, TOP, AXIS), write("tick-text", at, AXIS + 24, tick(value)));
  }
  drawn.append(level("axis", LEFT, width, y(0)), write("legend", 0, y(0) + 4, "0"));
  drawn.append(write("legend", 0, LEGEND.y, "similarity"));
  const drawnCurves = answer.curves.map(({ similarities }) => along(similarities));
  drawnCurves.forEach((points, series) => {
    for (const { isKnown, part } of parts(points, isSupported)) {
      const kind = `curve series-${series}${isKnown ? "" : " guessed"}`;
      drawn.append(svg("path", { class: kind, d: linePath(part) }));
    }
  });
  const taken = [LEGEND];
  answer.curves.forEach(({ word }, series) => {
    drawn.append(label(word, series, drawnCurves[series], width, taken));
  });
  return drawn;
}

// Cuts a curve where numbers of the text end, so that what is only guessed looks different.
function parts(points, isSupported) {
  const made = [];
  points.forEach((point, at) => {
    const latest = made[made.length - 1];
    if (latest?.isKnown === isSupported[at]) latest.part.push(point);
    else made.push({ isKnown: isSupported[at], part: latest ? [points[at - 1], point] : [point] });
  });
  return made;
}

// Writes a word beside the peak of its curve, at the nearest height where no other label is.
function label(word, series, points, width, taken) {
  const [peakX, peakY] = points.reduce((best, point) => (point[1] < best[1] ? point : best));
  const half = textWidth(word, 15, 600) / 2 + 4;
  const x = Math.min(width - half, Math.max(half, peakX));
  const isFree = (y) => y >= 14 && taken.every((other) =>
    Math.abs(other.x - x) >= half + other.half || Math.abs(other.y - y) >= 19);
  const heights = Array.from({ length: 12 }, (_, step) => [-9 - 19 * step, 24 + 19 * step]).flat();
  const y = peakY + (heights.find((by) => isFree(peakY + by)) ?? 0);
  taken.push({ x, y, half });
  return svg("text", { class: `name series-${series}`, x, y }, word);
}
