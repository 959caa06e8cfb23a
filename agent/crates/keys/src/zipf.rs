//! Zipf's distribution over ranks: YCSB's approximation (Gray's inverse) and the exact distribution.
//!
//! Both inverses are powers, which would dominate the cost of a draw. They are tabulated and refined with the binomial series, to a
//! relative error below 10⁻¹².
//!
//! Source: J. Gray et al., "Quickly generating billion-record synthetic databases", 1994; W. Hörmann and G. Derflinger,
//! "Rejection-inversion to generate variates from monotone discrete distributions", 1996.

/// Number of terms above which zeta is approximated by an integral with corrections, to stay fast at the start and while keys grow.
const SUMMED_TERMS: u64 = 2_000;
/// Term at which the integral begins; the approximation error is below 1e-16 of the sum.
const INTEGRAL_FROM: u64 = 1_000;

/// Returns Σ i^−θ for i = 1 … n.
pub fn zeta(n: u64, theta: f64) -> f64 {
    let sum = |until: u64| (1..=until).rev().map(|i| (i as f64).powf(-theta)).sum::<f64>();
    if n <= SUMMED_TERMS {
        return sum(n);
    }
    let (from, to) = (INTEGRAL_FROM as f64, n as f64);
    let integral = if (theta - 1.0).abs() < 1e-12 {
        (to / from).ln()
    } else {
        (to.powf(1.0 - theta) - from.powf(1.0 - theta)) / (1.0 - theta)
    };
    // Euler-Maclaurin formula: half of both end terms, then differences of the first and third derivative.
    let ends = f64::midpoint(from.powf(-theta), to.powf(-theta));
    let first = theta * (from.powf(-theta - 1.0) - to.powf(-theta - 1.0)) / 12.0;
    let third = theta * (theta + 1.0) * (theta + 2.0) * (from.powf(-theta - 3.0) - to.powf(-theta - 3.0)) / 720.0;
    sum(INTEGRAL_FROM - 1) + integral + ends + first - third
}

/// Number of segments of the table of powers.
const SEGMENTS: usize = 512;
const SEGMENT_BITS: u32 = SEGMENTS.trailing_zeros();
/// Largest |x| times exponent within a segment for which five terms of the series are accurate enough.
const SERIES_REACH: f64 = 0.03;

/// The function scale · (at + step · u)^α or scale · e^(at + step · u), tabulated over 0 ≤ u < 1.
#[derive(Debug, Clone, PartialEq)]
struct Curve {
    form: Form,
    segments: Box<[Segment; SEGMENTS]>,
    /// Coefficients of the series of (1 + x)^α or e^x: ratios of successive terms.
    series: [f64; 5],
}

/// The function that a [`Curve`] tabulates.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Power { scale: f64, at: f64, step: f64, alpha: f64 },
    Exponential { scale: f64, at: f64, step: f64 },
}

/// One segment of 0 ≤ u < 1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Segment {
    /// Value of u at the centre of the segment.
    middle: f64,
    /// Value of the function at `middle`.
    value: f64,
    /// Factor from u − `middle` to the x of the series; NaN if the series is not accurate enough in this segment.
    slope: f64,
}

impl Form {
    fn value(self, u: f64) -> f64 {
        match self {
            Self::Power { scale, at, step, alpha } => scale * (step * u + at).powf(alpha),
            Self::Exponential { scale, at, step } => scale * (step * u + at).exp(),
        }
    }
}

impl Curve {
    fn new(form: Form) -> Self {
        let segment = |number: usize| {
            let middle = (number as f64 + 0.5) / SEGMENTS as f64;
            let (slope, steepness, is_defined) = match form {
                Form::Power { at, step, alpha, .. } => {
                    let base = step * middle + at;
                    (step / base, alpha.abs().max(1.0), base > 0.0)
                }
                Form::Exponential { step, .. } => (step, 1.0, true),
            };
            let is_within_reach = is_defined && steepness * slope.abs() * 0.5 / SEGMENTS as f64 <= SERIES_REACH;
            Segment { middle, value: form.value(middle), slope: if is_within_reach { slope } else { f64::NAN } }
        };
        let series = [0.0, 1.0, 2.0, 3.0, 4.0].map(|term: f64| match form {
            Form::Power { alpha, .. } => (alpha - term) / (term + 1.0),
            Form::Exponential { .. } => 1.0 / (term + 1.0),
        });
        Self { form, segments: Box::new(std::array::from_fn(segment)), series }
    }

    /// Returns the value at `u`, where `u` is [`unit()`] of `bits`.
    #[inline]
    fn at(&self, u: f64, bits: u64) -> f64 {
        let Segment { middle, value, slope } = self.segments[(bits >> (u64::BITS - SEGMENT_BITS)) as usize % SEGMENTS];
        if slope.is_nan() {
            return self.form.value(u);
        }
        let x = (u - middle) * slope;
        // Horner's scheme.
        value * self.series.iter().rev().fold(1.0, |sum, factor| 1.0 + factor * x * sum)
    }
}

/// Gray's approximate inverse of Zipf's distribution over the ranks 0 … items − 1. As in YCSB, rank 2 is 17 % too popular at
/// θ = 0.99.
#[derive(Debug, Clone, PartialEq)]
pub struct Gray {
    items: f64,
    zeta_of_all: f64,
    zeta_of_two: f64,
    alpha: f64,
    pub(crate) eta: f64,
    curve: Curve,
}

impl Gray {
    /// Returns the distribution over `items` ranks, for 0 < θ < 1.
    pub fn new(items: u64, theta: f64) -> Self {
        Self::with_zeta(items, theta, zeta(items, theta))
    }

    /// Returns the distribution with a precomputed zeta of all ranks.
    pub fn with_zeta(items: u64, theta: f64, zeta_of_all: f64) -> Self {
        let items = items as f64;
        let zeta_of_two = 1.0 + 0.5_f64.powf(theta);
        let eta = (1.0 - (2.0 / items).powf(1.0 - theta)) / (1.0 - zeta_of_two / zeta_of_all);
        let alpha = 1.0 / (1.0 - theta);
        let curve = Curve::new(Form::Power { scale: items, at: 1.0 - eta, step: eta, alpha });
        Self { items, zeta_of_all, zeta_of_two, alpha, eta, curve }
    }

    /// Returns the rank for 64 random bits.
    #[inline]
    pub fn rank(&self, bits: u64) -> u64 {
        let u = unit(bits);
        let uz = u * self.zeta_of_all;
        if uz < 1.0 {
            return 0;
        }
        if uz < self.zeta_of_two {
            return 1;
        }
        whole(self.curve.at(u, bits).min(self.items - 1.0))
    }

    /// Returns the probability of a rank below `rank`.
    pub fn share_below(&self, rank: u64) -> f64 {
        match rank {
            0 => 0.0,
            1 => 1.0 / self.zeta_of_all,
            rank if rank as f64 >= self.items => 1.0,
            rank => ((rank as f64 / self.items).powf(1.0 / self.alpha) - 1.0 + self.eta) / self.eta,
        }
    }
}

/// Returns the upper 53 of 64 random bits as a number in 0 ≤ u < 1.
#[inline]
pub(crate) fn unit(bits: u64) -> f64 {
    (bits >> 11).cast_signed() as f64 * (f64::EPSILON / 2.0)
}

/// Returns `value` rounded down. It must be non-negative and below 2⁶³.
#[inline]
pub(crate) fn whole(value: f64) -> u64 {
    // Via a signed integer, because processors have an instruction for that conversion.
    #[expect(clippy::cast_possible_truncation, reason = "that is what it does")]
    let integer = (value as i64).cast_unsigned();
    integer
}

/// Exponents closer than this to 1 are treated as 1, which changes the share of a key by less than 10⁻⁷ of its value.
const NEAR_ONE: f64 = 1e-9;

/// The exact distribution P(k) ∝ k^−s over the integers first … last for any s > 0, sampled by rejection-inversion.
///
/// Offsets are counted from `first` and weights are relative to the weight of `first`, so that no precision is lost if the range
/// starts far from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactZipf {
    start: u64,
    first: f64,
    most: f64,
    exponent: f64,
    integral_low: f64,
    integral_high: f64,
    /// Distance below an integer within which a point that rounds to it is always accepted.
    safe_distance: f64,
    /// The inverse of the integral plus `first`; `None` if a table would lose the fractional part.
    curve: Option<Curve>,
}

/// Largest first integer for which the table, which counts from 0, still resolves neighbouring keys.
const FARTHEST_TABULATED: f64 = 1e8;

impl ExactZipf {
    /// Returns the distribution over `first` to `last`, where `first` is at least 1.
    pub fn new(first: u64, last: u64, exponent: f64) -> Self {
        let most = last.saturating_sub(first) as f64;
        let start = first;
        let first = first as f64;
        let mut distribution = Self {
            start,
            first,
            most,
            exponent,
            integral_low: 0.0,
            integral_high: 0.0,
            safe_distance: 0.0,
            curve: None,
        };
        distribution.integral_low = distribution.integral(0.5) - 1.0;
        distribution.integral_high = distribution.integral(most + 0.5);
        // The safe distance shrinks towards the first integers, and the first is never rejected: the second has the smallest.
        distribution.safe_distance =
            1.0 - distribution.integral_inverse(distribution.integral(1.5) - distribution.weight(1.0));
        let (low, span, rest) = (
            distribution.integral_low / first,
            (distribution.integral_high - distribution.integral_low) / first,
            1.0 - exponent,
        );
        if first < FARTHEST_TABULATED {
            distribution.curve = Some(Curve::new(if rest.abs() < NEAR_ONE {
                Form::Exponential { scale: first, at: low, step: span }
            } else {
                Form::Power { scale: first, at: 1.0 + rest * low, step: rest * span, alpha: 1.0 / rest }
            }));
        }
        distribution
    }

    /// Returns the integer for 64 random bits, or `None` if the draw is rejected and must be repeated.
    #[inline]
    pub fn candidate(&self, bits: u64) -> Option<u64> {
        let u = unit(bits);
        let at = self.integral_low + u * (self.integral_high - self.integral_low);
        let offset_of_point = match &self.curve {
            Some(curve) => curve.at(u, bits) - self.first,
            None => self.integral_inverse(at),
        };
        let offset = offset_of_point.round().clamp(0.0, self.most);
        let is_accepted =
            offset - offset_of_point <= self.safe_distance || at >= self.integral(offset + 0.5) - self.weight(offset);
        is_accepted.then(|| self.start + whole(offset))
    }

    /// Returns the weight of the integer at `offset` from the first, relative to that of the first.
    fn weight(&self, offset: f64) -> f64 {
        (-self.exponent * (offset / self.first).ln_1p()).exp()
    }

    /// Returns the integral of the weights from the first integer to `offset`.
    fn integral(&self, offset: f64) -> f64 {
        let (log, rest) = ((offset / self.first).ln_1p(), 1.0 - self.exponent);
        self.first * if rest.abs() < NEAR_ONE { log } else { (rest * log).exp_m1() / rest }
    }

    fn integral_inverse(&self, area: f64) -> f64 {
        let (area, rest) = (area / self.first, 1.0 - self.exponent);
        let log = if rest.abs() < NEAR_ONE { area } else { (rest * area).max(-1.0).ln_1p() / rest };
        self.first * log.exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_the_ranks_of_the_power() {
        for (items, theta) in [(3, 0.99), (1_000, 0.99), (1_000, 0.5), (1_000_000, 0.1), (10_000_000_001, 0.99)] {
            let distribution = Gray::new(items, theta);
            for number in 0..200_000 {
                let bits = number * (u64::MAX / 200_000);
                let (u, rank) = (unit(bits), distribution.rank(bits));
                let exact = distribution.curve.form.value(u);
                let near = exact * 1e-11 + 1e-6;
                let fits = (-near..=1.0 + near).contains(&(exact - rank as f64));
                assert!(rank < 2 || fits, "{items} {theta} {u}: {rank} for {exact}");
            }
        }
    }
}
