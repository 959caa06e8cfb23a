// Clopper-Pearson limits of a share, as `share_lower` and `share_upper` in
// backend/src/tailroom/domain/confidence/shares.py. The incomplete beta function is a continued fraction (Didonato and
// Morris, ACM TOMS 18 (1992) 360) times a binomial probability by Loader's saddle-point expansion, which is accurate
// for billions of samples. Its inverse uses Newton's method within a bracket.

const ERROR_ONE_SIDED = 0.05;
const HALF_LOG_TWO_PI = 0.9189385332046727;
const TINY = 1e-300;
const MOST_STEPS = 200_000;

/** Returns ln Γ(z + 1) − ((z + ½) ln z − z + ½ ln 2π), by Stirling's series from 16 on. */
function stirlingError(z: number): number {
  if (z < 16) {
    // ln Γ(z + 1) equals ln Γ(z + 17) minus the logarithms between.
    let product = 1;
    for (let step = 1; step <= 16; step += 1) product *= z + step;
    const at = z + 16;
    const logGamma = (at + 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + stirlingError(at) - Math.log(product);
    return logGamma - ((z + 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI);
  }
  const square = z * z;
  return (
    (1 / 12 -
      (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360_360 / square) / square) / square) / square) / square) /
    z
  );
}

/** Returns x ln(x / mean) + mean − x without cancellation for close values. `away` is x − mean at full precision. */
function deviance(x: number, mean: number, away: number): number {
  if (Math.abs(away) >= 0.1 * (x + mean)) return x * Math.log(x / mean) - away;
  const ratio = away / (x + mean);
  let sum = away * ratio;
  let term = 2 * x * ratio;
  for (let power = 3; power < 2000; power += 2) {
    term *= ratio * ratio;
    const next = sum + term / power;
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/** Returns a − (a + b) x, with y = 1 − x. Uses the smaller of x and y, since the larger has lost its last digits. */
const awayFromMean = (x: number, y: number, a: number, b: number): number =>
  x <= y ? a - (a + b) * x : (a + b) * y - b;

/** Returns x^a (1 − x)^b / B(a, b), with y = 1 − x. */
function density(x: number, y: number, a: number, b: number): number {
  const n = a + b;
  const away = awayFromMean(x, y, a, b);
  const exponent =
    stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x, away) - deviance(b, n * y, -away);
  return Math.sqrt((a * b) / (2 * Math.PI * n)) * Math.exp(exponent);
}

/**
 * Returns the continued fraction of the incomplete beta function by Lentz' method. `below` = a − (a + b) x measures the
 * distance from the mean. For x below the mean all terms are positive, so no digits are lost.
 */
function fraction(x: number, a: number, b: number, below: number): number {
  let value = (a / (a + 1)) * (below + 1);
  let [c, d] = [value, 0];
  for (let m = 1; m < MOST_STEPS; m += 1) {
    const last = a + 2 * m - 1;
    const numerator = (((a + m - 1) * x) / last) * (((a + b + m - 1) * x) / last) * m * (b - m);
    const term = m + (m * (b - m) * x) / last + ((a + m) / (last + 2)) * (below + 1 + m * (2 - x));
    d = 1 / (term + numerator * d || TINY);
    c = term + numerator / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return 1 / value;
}

/** Returns the incomplete beta function at x, and its complement. */
function incompleteBeta(x: number, a: number, b: number): readonly [number, number] {
  const y = 1 - x;
  const away = awayFromMean(x, y, a, b);
  const common = density(x, y, a, b);
  if (away >= 0) {
    const below = common * fraction(x, a, b, away);
    return [below, 1 - below];
  }
  const above = common * fraction(y, b, a, -away);
  return [1 - above, above];
}

/** Returns the x below which the beta distribution has the probability `chance`; above which, with `isAbove`. */
function inverse(a: number, b: number, chance: number, isAbove: boolean): number {
  let [low, high] = [0, 1];
  const mean = a / (a + b);
  const spread = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  let x = Math.min(Math.max(mean + (isAbove ? 1.6 : -1.6) * spread, mean / 1000), 1 - (1 - mean) / 1000);
  for (let step = 0; step < 500; step += 1) {
    const [below, above] = incompleteBeta(x, a, b);
    const excess = isAbove ? chance - above : below - chance;
    if (excess === 0) return x;
    if (excess > 0) high = x;
    else low = x;
    const slope = density(x, 1 - x, a, b) / (x * (1 - x));
    let next = x - excess / slope;
    if (!(next > low && next < high)) next = low === 0 ? high / 16 : (low + high) / 2;
    if (Math.abs(next - x) <= 2e-16 * next || next === low || next === high) return next;
    x = next;
  }
  return x;
}

/** Returns the one-sided upper limit of a share: `over` of `total` effective samples. */
export const shareUpper = (over: number, total: number): number =>
  over >= total ? 1 : inverse(over + 1, total - over, ERROR_ONE_SIDED, true);

/** Returns the one-sided lower limit of a share. */
export const shareLower = (over: number, total: number): number =>
  over <= 0 ? 0 : inverse(over, total - over + 1, ERROR_ONE_SIDED, false);
