// Numbers ↔ the squashed number line, where equal steps are equal ratios; numbers → text.

export function squash(value) {
  const size = Math.abs(value);
  return size <= 1 ? value : Math.sign(value) * (Math.log(size) + 1);
}

export function unsquash(position) {
  const far = Math.abs(position);
  return far <= 1 ? position : Math.sign(position) * Math.exp(far - 1);
}

// The number at a position, with no more digits than a step on the line can tell apart.
export function roundedAt(position, step) {
  const value = unsquash(position);
  const gap = Math.max(Math.abs(value), 1) * step;
  const power = 10 ** Math.floor(Math.log10(gap));
  const unit = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= gap * 0.999);
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}

export function written(value) {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return sign + size.toPrecision(3);
  const digits = size >= 1000 ? 7 : 5;
  const shown = Number(size.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1)))));
  const options = { useGrouping: size >= 10000, maximumFractionDigits: 6 };
  return sign + shown.toLocaleString("en-US", options);
}

// Short texts for axes: 20k, 3M.
export function tick(value) {
  const size = Math.abs(value);
  for (const [unit, letter] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= unit && (unit > 1e3 || size >= 10000)) return written(value / unit) + letter;
  }
  return written(value);
}

// Round numbers between two positions, at least `apart` from each other, with as few digits as
// give enough of them.
export function ticks(low, high, apart) {
  const enough = Math.min(5, (high - low) / apart / 2);
  let numbers = [];
  for (let digits = 1; digits < 16 && numbers.length < enough; digits++) {
    numbers = roundNumbers(low, high, apart, digits);
  }
  return numbers;
}

function roundNumbers(low, high, apart, digits) {
  const numbers = [];
  const [first, last] = [unsquash(low), unsquash(high)];
  const take = (value) => {
    if (Number(value.toPrecision(digits)) !== value) return;
    const position = squash(value);
    if (numbers.every((other) => Math.abs(squash(other) - position) >= apart)) numbers.push(value);
  };
  for (let power = 18; power >= -4; power--) {
    for (const digit of [5, 1]) {
      const step = digit * 10 ** power;
      let [from, to] = [Math.ceil(first / step), Math.floor(last / step)];
      // On a long line there is no room for large numbers with many digits.
      if (to - from > 1000) [from, to] = [Math.max(from, -20), Math.min(to, 20)];
      for (let count = from; count <= to; count++) take(Number((count * step).toPrecision(12)));
    }
  }
  return numbers;
}
