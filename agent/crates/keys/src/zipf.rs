//! Zipf's law over ranks: as YCSB draws it (Gray's inverse), and exactly.
//!
//! The inverse is a power, which takes longer than all else together; so it is tabulated over its argument and refined by
//! the binomial series, to within 10⁻¹² of its value.
//!
//! Source: J. Gray et al., "Quickly generating billion-record synthetic databases", 1994; W. Hörmann and G. Derflinger,
//! "Rejection-inversion to generate variates from monotone discrete distributions", 1996.

/// Beyond so many terms zeta is an integral with corrections: neither a start nor a growing data set waits for it.
const SUMMED_TERMS: u64 = 2_000;
/// Where the corrected integral begins; what it leaves out is below 1e-16 of the sum.
const INTEGRAL_FROM: u64 = 1_000;

/// Σ i^−θ for i = 1 … n.
#[must_use]
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
    // Euler and Maclaurin: half of both ends, then differences of the first and third derivative.
    let ends = f64::midpoint(from.powf(-theta), to.powf(-theta));
    let first = theta * (from.powf(-theta - 1.0) - to.powf(-theta - 1.0)) / 12.0;
    let third = theta * (theta + 1.0) * (theta + 2.0) * (from.powf(-theta - 3.0) - to.powf(-theta - 3.0)) / 720.0;
    sum(INTEGRAL_FROM - 1) + integral + ends + first - third
}

/// Pieces of the table of powers.
const PIECES: usize = 512;
const PIECE_BITS: u32 = PIECES.trailing_zeros();
/// Largest distance from the middle of a piece, as a share of it times the exponent, that five terms are enough for.
const SERIES_REACH: f64 = 0.03;

/// Gray's approximate inverse: ranks 0 … items − 1; rank 2 is 17 % too popular at θ = 0.99, as in YCSB.
#[derive(Debug, Clone, PartialEq)]
pub struct Gray {
    items: f64,
    zeta_of_all: f64,
    zeta_of_two: f64,
    alpha: f64,
    eta: f64,
    pieces: Box<[Piece; PIECES]>,
    /// Factors of the binomial series of (1 + x)^α.
    series: [f64; 5],
}

/// One piece of 0 ≤ u < 1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    /// u in its middle.
    middle: f64,
    /// The unrounded rank there.
    rank: f64,
    /// Change of the base of the power over u, as a share of the base in the middle; NaN where the series does not reach.
    slope: f64,
}

impl Gray {
    /// For `items` ranks and 0 < θ < 1.
    #[must_use]
    pub fn new(items: u64, theta: f64) -> Self {
        Self::with_zeta(items, theta, zeta(items, theta))
    }

    /// The same with a zeta that is known already.
    #[must_use]
    pub fn with_zeta(items: u64, theta: f64, zeta_of_all: f64) -> Self {
        let items = items as f64;
        let zeta_of_two = 1.0 + 0.5_f64.powf(theta);
        let eta = (1.0 - (2.0 / items).powf(1.0 - theta)) / (1.0 - zeta_of_two / zeta_of_all);
        let alpha = 1.0 / (1.0 - theta);
        let piece = |number: usize| {
            let middle = (number as f64 + 0.5) / PIECES as f64;
            let base = eta * middle - eta + 1.0;
            let slope = eta / base;
            let is_within_reach = base > 0.0 && alpha.max(1.0) * slope.abs() * 0.5 / PIECES as f64 <= SERIES_REACH;
            Piece { middle, rank: items * base.powf(alpha), slope: if is_within_reach { slope } else { f64::NAN } }
        };
        let factor = |term: f64| (alpha - term) / (term + 1.0);
        let series = [0.0, 1.0, 2.0, 3.0, 4.0].map(factor);
        Self { items, zeta_of_all, zeta_of_two, alpha, eta, pieces: Box::new(std::array::from_fn(piece)), series }
    }

    /// The rank that 64 random bits stand for.
    #[inline]
    #[must_use]
    pub fn rank(&self, bits: u64) -> u64 {
        let u = unit(bits);
        let uz = u * self.zeta_of_all;
        if uz < 1.0 {
            return 0;
        }
        if uz < self.zeta_of_two {
            return 1;
        }
        let piece = (bits >> (u64::BITS - PIECE_BITS)) as usize % PIECES;
        let Piece { middle, rank, slope } = self.pieces[piece];
        let x = (u - middle) * slope;
        let rank = if slope.is_nan() {
            self.items * (self.eta * u - self.eta + 1.0).powf(self.alpha)
        } else {
            // Horner's scheme, from the last term to the first.
            rank * self.series.iter().rev().fold(1.0, |sum, factor| 1.0 + factor * x * sum)
        };
        whole(rank.min(self.items - 1.0))
    }

    /// The share of ranks below `rank`.
    #[must_use]
    pub fn share_below(&self, rank: u64) -> f64 {
        match rank {
            0 => 0.0,
            1 => 1.0 / self.zeta_of_all,
            rank if rank as f64 >= self.items => 1.0,
            rank => ((rank as f64 / self.items).powf(1.0 / self.alpha) - 1.0 + self.eta) / self.eta,
        }
    }

    /// η, for comparison with other implementations.
    #[must_use]
    pub fn eta(&self) -> f64 {
        self.eta
    }
}

/// 53 random bits as a number in 0 ≤ u < 1.
#[inline]
pub(crate) fn unit(bits: u64) -> f64 {
    (bits >> 11).cast_signed() as f64 * (f64::EPSILON / 2.0)
}

/// A number that is not negative and below 2⁶³, cut downwards.
#[inline]
pub(crate) fn whole(value: f64) -> u64 {
    // By way of a signed number, for which processors have an instruction.
    #[expect(clippy::cast_possible_truncation, reason = "that is what it does")]
    let whole = (value as i64).cast_unsigned();
    whole
}

/// The exact law P(k) ∝ k^−s on whole numbers first … last, for any s > 0, by rejection-inversion.
///
/// Everything is counted from `first` and weighed against it, so that nothing cancels out where keys begin far from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactZipf {
    start: u64,
    first: f64,
    most: f64,
    exponent: f64,
    integral_low: f64,
    integral_high: f64,
}

impl ExactZipf {
    /// On `first` ≥ 1 to `last`.
    #[must_use]
    pub fn new(first: u64, last: u64, exponent: f64) -> Self {
        let most = last.saturating_sub(first) as f64;
        let mut law = Self { start: first, first: first as f64, most, exponent, integral_low: 0.0, integral_high: 0.0 };
        law.integral_low = law.integral(0.5) - 1.0;
        law.integral_high = law.integral(most + 0.5);
        law
    }

    /// A candidate at `u`, a number in 0 ≤ u < 1; none where it is rejected and another is to be tried.
    #[inline]
    #[must_use]
    pub fn candidate(&self, u: f64) -> Option<u64> {
        let at = self.integral_low + u * (self.integral_high - self.integral_low);
        let offset = self.integral_inverse(at).round().clamp(0.0, self.most);
        (at >= self.integral(offset + 0.5) - self.weight(offset)).then(|| self.start + whole(offset))
    }

    /// Of the number `offset` behind the first, whose weight is 1.
    fn weight(&self, offset: f64) -> f64 {
        (-self.exponent * (offset / self.first).ln_1p()).exp()
    }

    /// ∫ of the weights from the first number on; one formula through s = 1.
    fn integral(&self, offset: f64) -> f64 {
        let (log, rest) = ((offset / self.first).ln_1p(), 1.0 - self.exponent);
        self.first * if (rest * log).abs() < 1e-9 { log } else { (rest * log).exp_m1() / rest }
    }

    fn integral_inverse(&self, area: f64) -> f64 {
        let (area, rest) = (area / self.first, 1.0 - self.exponent);
        let log = if (rest * area).abs() < 1e-9 { area } else { (rest * area).max(-1.0).ln_1p() / rest };
        self.first * log.exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_the_ranks_of_the_power() {
        for (items, theta) in [(3, 0.99), (1_000, 0.99), (1_000, 0.5), (1_000_000, 0.1), (10_000_000_001, 0.99)] {
            let law = Gray::new(items, theta);
            for number in 0..200_000 {
                let bits = number * (u64::MAX / 200_000);
                let (u, rank) = (unit(bits), law.rank(bits));
                let exact = law.items * (law.eta * u - law.eta + 1.0).powf(law.alpha);
                let near = exact * 1e-11 + 1e-6;
                let fits = (-near..=1.0 + near).contains(&(exact - rank as f64));
                assert!(rank < 2 || fits, "{items} {theta} {u}: {rank} for {exact}");
            }
        }
    }
}
