//! Medians, and how far the values around them spread.

use fewest_puzzle::random::Random;

/// The smallest relative difference of two times that counts as a difference. Smaller ones can come
/// from where the compiler places the code.
pub(crate) const MIN_DIFFERENCE: f64 = 0.03;

/// The number of resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// A median with an interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// The median of some values, and the least and the greatest of them.
    pub(crate) fn extremes(values: &[f64]) -> Self {
        let sorted = sorted(values);
        Self { median: median(values), low: sorted[0], high: sorted[sorted.len() - 1] }
    }

    /// The median of some values, and its 95 % interval by the percentile bootstrap (Efron 1979).
    /// One outlier among many values does not move the interval. The resamples are the same in each
    /// call.
    pub(crate) fn bootstrap(values: &[f64]) -> Self {
        let mut random = Random::from_seed(1);
        let mut resample = || {
            let values: Vec<f64> =
                values.iter().map(|_| values[random.below(values.len())]).collect();
            median(&values)
        };
        let medians: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
        let medians = sorted(&medians);
        let tail = RESAMPLES / 40;
        Self { median: median(values), low: medians[tail], high: medians[RESAMPLES - 1 - tail] }
    }
}

/// The median; the mean of the two middle values if their number is even.
pub(crate) fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A ratio with its spread; without it if all rounds have the same ratio.
pub(crate) fn ratio(ratio: Spread) -> String {
    if ratio.low == ratio.high {
        return short(ratio.median);
    }
    format!("{} ({}-{})", short(ratio.median), short(ratio.low), short(ratio.high))
}

/// A ratio with two decimals, or with two significant digits if it is less than 0.1.
fn short(ratio: f64) -> String {
    let zeros = if ratio > 0.0 { (-ratio.log10().floor()).max(0.0) as usize } else { 0 };
    format!("{ratio:.digits$}", digits = if zeros == 0 { 2 } else { zeros + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_the_least_and_the_greatest_value() {
        assert_eq!(Spread::extremes(&[3.0, 1.0, 2.0]), Spread { median: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(median(&[4.0, 1.0]), 2.5);
    }

    #[test]
    fn one_outlier_does_not_move_a_bootstrap_interval() {
        let mut ratios = [0.90, 0.91, 0.92, 0.90, 0.89, 0.91, 0.93, 0.90, 0.92, 0.91, 0.91];
        assert_eq!(Spread::bootstrap(&[0.5; 3]), Spread { median: 0.5, low: 0.5, high: 0.5 });
        let steady = Spread::bootstrap(&ratios);
        assert!(0.89 <= steady.low && steady.low < 0.91 && steady.high <= 0.93, "{steady:?}");
        ratios[4] = 5.0;
        let disturbed = Spread::bootstrap(&ratios);
        assert!(disturbed.high <= 0.93, "{disturbed:?}");
        assert_eq!(Spread::extremes(&ratios).high, 5.0);
        // Half of the values elsewhere do.
        let split = Spread::bootstrap(&[0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9]);
        assert!(split.low < 1.0 && split.high > 1.0, "{split:?}");
    }

    #[test]
    fn ratios_have_two_significant_digits() {
        assert_eq!([20.994, 1.0, 0.286, 0.0037].map(short), ["20.99", "1.00", "0.29", "0.0037"]);
    }
}
