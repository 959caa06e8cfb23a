// Sums of independent operations on a time grid by Fourier transform, as in
// backend/src/tailroom/domain/transactions/plan_sums.py. Exponential tilting reduces wrap-around, negligible
// frequencies are skipped, and cumulative sums need no inverse transform.

const TILT = 18;
/** Terms below e^−34.5 are skipped: together they change a cumulative sum by less than 1e-10. */
const LEFT_OUT = 34.5;

/** Number of cached transforms, which the next sums can reuse. */
const MOST_SPECTRA = 8;

type Placed = { readonly columns: Int32Array; readonly shares: Float64Array };
/** A term added `times` times. `place` returns its masses; terms with equal `source` and `grid` share them. */
export type GridTerm = {
  readonly source: object;
  readonly grid: string;
  readonly times: number;
  readonly place: () => Placed;
};

/** Thrown if a question exceeds its limit of work. */
export class TooMuchWork extends Error {}

/** Cost per grid step of a transform, and of reading a sum. */
const PASSES = { transform: 36, reading: 8 };
let pointsLeft = Number.POSITIVE_INFINITY;

/** Returns the result of `calculate`. Throws `TooMuchWork` if its sums process more than `points` numbers. */
export function withinWork<Result>(points: number, calculate: () => Result): Result {
  pointsLeft = points;
  try {
    return calculate();
  } finally {
    pointsLeft = Number.POSITIVE_INFINITY;
  }
}

function countWork(points: number): void {
  pointsLeft -= points;
  if (pointsLeft < 0) throw new TooMuchWork();
}

/** Returns the share of sums that end within `column` on a grid of `bins` steps, a power of two. */
export function shareWithin(terms: readonly GridTerm[], bins: number, column: number): number {
  const size = 2 * bins;
  countWork(PASSES.reading * bins * (1 + terms.length));
  const spectra = terms.map((term) => ({ times: term.times, ...spectrumOf(term, size, terms.length) }));
  const relevant = relevance(spectra);
  const tilt = TILT / size;
  const grown = Math.exp(tilt * (column + 1));
  const [tiltGrown, tiltGrownLess1] = [Math.exp(tilt), Math.expm1(tilt)];
  // The factors of the widest stage: `cosine[half + n]` is that of n of `size` parts of a turn, for the first half.
  const { cosine, sine } = twiddleFactorsOf(size);
  const half = bins - 1;
  let share = 0;
  for (let frequency = 0, turned = 0; frequency <= bins; frequency += 1, turned = (turned + column + 1) & (size - 1)) {
    if (!relevant(frequency)) continue;
    let x = 1;
    let y = 0;
    for (const { times, real, imaginary } of spectra) {
      // Computes the power by repeated squaring.
      let a = real[frequency] ?? 0;
      let b = imaginary[frequency] ?? 0;
      for (let left = times; left > 0; left = Math.floor(left / 2)) {
        if (left % 2 === 1) {
          const before = x;
          x = before * a - y * b;
          y = before * b + y * a;
          if (left === 1) break;
        }
        const before = a;
        a = before * before - b * b;
        b = 2 * before * b;
      }
    }
    // Geometric sum over the columns 0 … `column`, with the tilt removed.
    const place = half + (turned & half);
    const away = turned < bins ? grown : -grown;
    const topReal = away * (cosine[place] ?? 0) - 1;
    const topImaginary = away * (sine[place] ?? 0);
    const isLast = frequency === bins;
    const cos = isLast ? -1 : (cosine[half + frequency] ?? 0);
    const sin = isLast ? 0 : (sine[half + frequency] ?? 0);
    // cos − 1 would lose the digits of a small angle.
    const bottomReal = tiltGrownLess1 * cos - (cos > 0 ? (sin * sin) / (1 + cos) : 1 - cos);
    const bottomImaginary = tiltGrown * sin;
    const weight = (frequency > 0 && frequency < bins ? 2 : 1) / (size * (bottomReal ** 2 + bottomImaginary ** 2));
    const readReal = (topReal * bottomReal + topImaginary * bottomImaginary) * weight;
    const readImaginary = (topImaginary * bottomReal - topReal * bottomImaginary) * weight;
    share += x * readReal - y * readImaginary;
  }
  return share;
}

type Spectrum = { readonly real: Float64Array; readonly imaginary: Float64Array };

/** Returns a function of a frequency: whether the product of all powers there is not negligible. */
function relevance(spectra: readonly (Spectrum & { readonly times: number })[]): (frequency: number) => boolean {
  // No transform is above 1, so that a product is negligible where one of its powers is.
  const powers = spectra.map((spectrum) => ({ ...spectrum, least: Math.exp((-2 * LEFT_OUT) / spectrum.times) }));
  return (frequency) => {
    let exponent = 0;
    for (const { times, real, imaginary, least } of powers) {
      const a = real[frequency] ?? 0;
      const b = imaginary[frequency] ?? 0;
      const squared = a * a + b * b;
      if (squared <= least) return false;
      if (powers.length > 1) exponent += times * Math.log(squared);
    }
    return exponent > -2 * LEFT_OUT;
  };
}

type Cached = Spectrum & { readonly source: object; readonly grid: string };
/** Recent transforms, in order of use. */
const cached: Cached[] = [];

/** Returns the cached transform of a term, or computes it in the arrays of the least recently used. */
function spectrumOf(term: GridTerm, size: number, terms: number): Spectrum {
  const at = cached.findIndex(({ source, grid }) => source === term.source && grid === term.grid);
  let spectrum = cached.splice(at, at < 0 ? 0 : 1)[0];
  if (spectrum === undefined) {
    const half = size / 2;
    countWork(PASSES.transform * half);
    const oldest = cached.length >= Math.max(MOST_SPECTRA, terms) ? cached.shift() : undefined;
    const isReused = oldest?.real.length === half + 1;
    const real = isReused ? oldest.real.fill(0) : new Float64Array(half + 1);
    const imaginary = isReused ? oldest.imaginary.fill(0) : new Float64Array(half + 1);
    transformInto({ real, imaginary }, term.place(), size);
    spectrum = { real, imaginary, source: term.source, grid: term.grid };
  }
  cached.push(spectrum);
  return spectrum;
}

/** Computes the tilted transform of real values by a complex one of half the length: frequencies 0 to `size / 2`. */
function transformInto({ real, imaginary }: Spectrum, { columns, shares }: Placed, size: number): void {
  const half = size / 2;
  for (let mass = 0; mass < columns.length; mass += 1) {
    const column = columns[mass] ?? 0;
    const value = (shares[mass] ?? 0) * Math.exp((-TILT / size) * column);
    const target = column % 2 === 0 ? real : imaginary;
    const place = column >> 1;
    target[place] = (target[place] ?? 0) + value;
  }
  transform(real, imaginary, half);
  const { cosine, sine } = twiddleFactorsOf(size);
  const first = real[0] ?? 0;
  const second = imaginary[0] ?? 0;
  const twiddleFactors = half - 1;
  for (let low = 1; low <= half / 2; low += 1) {
    const high = half - low;
    const a = real[low] ?? 0;
    const b = imaginary[low] ?? 0;
    const c = real[high] ?? 0;
    const d = imaginary[high] ?? 0;
    const evenReal = (a + c) / 2;
    const evenImaginary = (b - d) / 2;
    const oddReal = (b + d) / 2;
    const oddImaginary = (c - a) / 2;
    const cos = cosine[twiddleFactors + low] ?? 0;
    const sin = sine[twiddleFactors + low] ?? 0;
    const turnedReal = oddReal * cos + oddImaginary * sin;
    const turnedImaginary = oddImaginary * cos - oddReal * sin;
    real[low] = evenReal + turnedReal;
    imaginary[low] = evenImaginary + turnedImaginary;
    real[high] = evenReal - turnedReal;
    imaginary[high] = turnedImaginary - evenImaginary;
  }
  real[0] = first + second;
  imaginary[0] = 0;
  real[half] = first - second;
  imaginary[half] = 0;
}

/** Cosines and sines of all passes of a transform. The pass of `width` starts at index `width − 1`. */
type TwiddleFactors = { readonly cosine: Float64Array; readonly sine: Float64Array };
const twiddleFactors = new Map<number, TwiddleFactors>();

function twiddleFactorsOf(size: number): TwiddleFactors {
  let cached = twiddleFactors.get(size);
  if (cached === undefined) {
    cached = { cosine: new Float64Array(size - 1), sine: new Float64Array(size - 1) };
    for (let width = 1; width < size; width *= 2) {
      for (let place = 0; place < width; place += 1) {
        cached.cosine[width - 1 + place] = Math.cos((Math.PI * place) / width);
        cached.sine[width - 1 + place] = Math.sin((Math.PI * place) / width);
      }
    }
    twiddleFactors.set(size, cached);
  }
  return cached;
}

/** Transforms the first `length` complex values in place; `length` must be a power of two. */
function transform(real: Float64Array, imaginary: Float64Array, length: number): void {
  const { cosine, sine } = twiddleFactorsOf(length);
  for (let place = 1, reversed = 0; place < length; place += 1) {
    let bit = length >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (place < reversed) {
      const a = real[place] ?? 0;
      real[place] = real[reversed] ?? 0;
      real[reversed] = a;
      const b = imaginary[place] ?? 0;
      imaginary[place] = imaginary[reversed] ?? 0;
      imaginary[reversed] = b;
    }
  }
  for (let width = 1; width < length; width *= 2) {
    for (let begin = 0; begin < length; begin += 2 * width) {
      for (let place = 0; place < width; place += 1) {
        const low = begin + place;
        const high = low + width;
        const cos = cosine[width - 1 + place] ?? 0;
        const sin = sine[width - 1 + place] ?? 0;
        const c = real[high] ?? 0;
        const d = imaginary[high] ?? 0;
        const turnedReal = c * cos + d * sin;
        const turnedImaginary = d * cos - c * sin;
        const a = real[low] ?? 0;
        const b = imaginary[low] ?? 0;
        real[high] = a - turnedReal;
        imaginary[high] = b - turnedImaginary;
        real[low] = a + turnedReal;
        imaginary[low] = b + turnedImaginary;
      }
    }
  }
}
