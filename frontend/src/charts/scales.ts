// Converts values to axis positions and computes ticks. Pure functions, independent of pixels and React.

export type ScaleKind = "linear" | "log";
export type Domain = readonly [number, number];

/** Returns the position on the axis: 0 at the start of the domain, 1 at its end, beyond these for values outside. */
export function positionOf(value: number, [from, to]: Domain, kind: ScaleKind): number {
  if (from === to) return 0.5;
  return kind === "log" ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

/** Returns the value at a position; the inverse of `positionOf`. */
export function valueAt(position: number, [from, to]: Domain, kind: ScaleKind): number {
  return kind === "log" ? from * (to / from) ** position : from + position * (to - from);
}

const STEPS = [1, 2, 5] as const;

/** Returns 1, 2 and 5 × 10ⁿ inside the domain, ends included; only decades if there would be more than `most`. */
export function logTicks([from, to]: Domain, most = 12): number[] {
  const ticks: number[] = [];
  const slack = 1 + 1e-9;
  for (let exponent = Math.floor(Math.log10(from)); 10 ** exponent <= to * slack; exponent += 1) {
    for (const step of STEPS) {
      const tick = step * 10 ** exponent;
      if (tick * slack >= from && tick <= to * slack) ticks.push(exponent < 0 ? Number(tick.toPrecision(3)) : tick);
    }
  }
  if (ticks.length <= most) return ticks;
  const decades = ticks.filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  const every = Math.ceil(decades.length / most);
  return decades.filter((_, index) => index % every === 0);
}

/** Returns the smallest domain with 1-2-5 ends that contains all positive values; `null` if there are none. */
export function logDomain(values: Iterable<number>): Domain | null {
  let least = Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (const value of values) {
    if (value <= 0 || !Number.isFinite(value)) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  if (greatest === 0) return null;
  const low = step125(least, "down");
  const high = step125(greatest, "up");
  return low === high ? [step125(low * 0.99, "down"), step125(high * 1.01, "up")] : [low, high];
}

/** Returns the nearest 1, 2 or 5 × 10ⁿ at or below `value` ("down"), or at or above it ("up"). */
export function step125(value: number, direction: "down" | "up"): number {
  const exponent = Math.floor(Math.log10(value) + 1e-12);
  const candidates = [exponent - 1, exponent, exponent + 1].flatMap((power) => STEPS.map((step) => step * 10 ** power));
  const slack = 1 + 1e-9;
  const smallest =
    direction === "down"
      ? candidates.filter((candidate) => candidate <= value * slack).at(-1)
      : candidates.find((candidate) => candidate * slack >= value);
  return smallest ?? value;
}

/** Returns ticks from 0 to at least `greatest`, in steps of 1, 2 or 5 × 10ⁿ. */
export function linearTicks(greatest: number, about = 5): number[] {
  if (!(greatest > 0)) return [0, 1];
  const step = step125(greatest / about, "up");
  const count = Math.ceil(greatest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const TIME_STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
];

/** Returns ticks for elapsed nanoseconds, at whole seconds, minutes, hours or days. */
export function timeTicks([from, to]: Domain, about = 8): number[] {
  const ideal = (to - from) / 1e9 / about;
  const step = (TIME_STEPS_S.find((candidate) => candidate >= ideal) ?? 604_800) * 1e9;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

/** Returns the number of nines of a quantile: 0 for 0 %, 1 for 90 %, 2 for 99 %. Infinite at 1. */
export const ninesOf = (quantile: number): number => -Math.log10(1 - quantile);

export const quantileAtNines = (nines: number): number => 1 - 10 ** -nines;

/** Returns tick positions up to `most` nines, in nines: for the quantiles 0, 50 %, 90 %, 99 %, … */
export function ninesTicks(most: number): number[] {
  const ticks = [0, 0.5];
  for (let nines = 1; nines <= most + 1e-9; nines += 1) ticks.push(quantileAtNines(nines));
  return ticks.map(ninesOf);
}

/** Returns the axis label of a quantile, `50 %` or `99.9 %`, with as many decimals as its nines need. */
export function ninesLabel(nines: number): string {
  const percent = 100 * (1 - 10 ** -nines);
  return `${Number(percent.toFixed(Math.max(0, Math.ceil(nines) - 2)))}\u00a0%`;
}

export type ScaleChoice = "auto" | "linear" | "log";

/** Returns the chosen scale; for `auto`, logarithmic if the values span more than a factor of ten. */
export function chooseScale(choice: ScaleChoice, values: Iterable<number>): ScaleKind {
  if (choice !== "auto") return choice;
  const domain = logDomain(values);
  return domain !== null && domain[1] / domain[0] > 10 ? "log" : "linear";
}

/** Returns the index of the entry nearest to `x`; `xs` must ascend. Returns -1 if it is empty. */
export function nearestIndex(xs: readonly number[], x: number, kind: ScaleKind = "linear"): number {
  if (xs.length === 0) return -1;
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  const before = xs[low - 1] ?? 0;
  const after = xs[low] ?? 0;
  const nearer = kind === "log" ? x / before < after / x : x - before < after - x;
  return nearer ? low - 1 : low;
}
