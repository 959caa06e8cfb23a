//! The inverse of the standard normal distribution function, to draw normal variates.
//!
//! Source: P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function", 2003: rational
//! approximations with a relative error below 1.15e-9.

const MIDDLE_BELOW: [f64; 6] = [
    -3.969_683_028_665_376e1,
    2.209_460_984_245_205e2,
    -2.759_285_104_469_687e2,
    1.383_577_518_672_69e2,
    -3.066_479_806_614_716e1,
    2.506_628_277_459_239,
];
const MIDDLE_OVER: [f64; 6] = [
    -5.447_609_879_822_406e1,
    1.615_858_368_580_409e2,
    -1.556_989_798_598_866e2,
    6.680_131_188_771_972e1,
    -1.328_068_155_288_572e1,
    1.0,
];
const TAIL_BELOW: [f64; 6] = [
    -7.784_894_002_430_293e-3,
    -3.223_964_580_411_365e-1,
    -2.400_758_277_161_838,
    -2.549_732_539_343_734,
    4.374_664_141_464_968,
    2.938_163_982_698_783,
];
const TAIL_OVER: [f64; 5] =
    [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416, 1.0];
/// Probability below which, and above 1 minus which, the tail approximation applies.
const TAIL: f64 = 0.024_25;

fn polynomial(factors: &[f64], x: f64) -> f64 {
    factors.iter().fold(0.0, |sum, factor| sum * x + factor)
}

/// Returns the `p`-quantile of the standard normal distribution; infinite at 0 and 1.
#[inline]
pub(crate) fn inverse(p: f64) -> f64 {
    let of_tail = |share: f64| {
        let q = (-2.0 * share.ln()).sqrt();
        if q.is_finite() { polynomial(&TAIL_BELOW, q) / polynomial(&TAIL_OVER, q) } else { f64::NEG_INFINITY }
    };
    if p < TAIL {
        return of_tail(p);
    }
    if p > 1.0 - TAIL {
        return -of_tail(1.0 - p);
    }
    let q = p - 0.5;
    q * polynomial(&MIDDLE_BELOW, q * q) / polynomial(&MIDDLE_OVER, q * q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_tables_have_their_values() {
        for (share, value) in [
            (0.5, 0.0),
            (0.841_344_746_068_543, 1.0),
            (0.977_249_868_051_821, 2.0),
            (0.001_349_898_031_630_09, -3.0),
            (0.999_968_328_758_167, 4.0),
            (0.975, 1.959_963_984_540_05),
            (0.1, -1.281_551_565_544_6),
        ] {
            let actual = inverse(share);
            assert!((actual - value).abs() < 2e-8, "{share}: {actual}");
        }
        assert_eq!((inverse(0.0), inverse(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
