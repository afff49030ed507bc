//! Claims about tricks, and the verdicts that the measurements give.

use super::case::Row;
use super::spread::{self, MIN_DIFFERENCE, Spread};

/// A claim about two or more cases that solve the same instances.
pub(crate) struct Claim {
    pub(crate) id: &'static str,
    /// The statement.
    pub(crate) text: &'static str,
    /// Whether the variants are claimed to be faster; if not, they are claimed to be slower.
    pub(crate) faster: bool,
    /// Whether each variant is compared with the case before it, not with the textbook program.
    pub(crate) in_order: bool,
    /// The ratio that the write-up states for the last variant, if it states one.
    pub(crate) claimed_ratio: Option<f64>,
    /// The ids of the cases: first the textbook program, then one or more variants.
    pub(crate) case_ids: Vec<String>,
}

/// The measured result of a claim for one variant.
pub(crate) struct Finding {
    /// The id of the claim; for a variant that is not the last, followed by a dot and its name.
    pub(crate) id: String,
    pub(crate) text: &'static str,
    pub(crate) textbook: Row,
    pub(crate) variant: Row,
    /// The time of the variant divided by the time of the textbook program.
    pub(crate) ratio: Spread,
    pub(crate) verdict: String,
}

impl Claim {
    /// Returns one finding for each variant. `rows` contains all cases of the claim.
    pub(crate) fn findings(&self, rows: &[Row]) -> Vec<Finding> {
        let row = |id: &String| rows.iter().find(|row| row.id == *id).cloned();
        let measured: Vec<Row> = self.case_ids.iter().filter_map(row).collect();
        let Some((textbook, variants)) = measured.split_first() else { return Vec::new() };
        let finding = |(index, variant): (usize, &Row)| {
            let is_last = index + 1 == variants.len();
            let name = variant.id.rsplit('.').next().unwrap_or_default();
            Finding {
                id: if is_last { self.id.to_owned() } else { format!("{}.{name}", self.id) },
                text: self.text,
                textbook: textbook.clone(),
                variant: variant.clone(),
                ratio: variant.ratio_to(textbook),
                verdict: self.verdict(variant, textbook, &measured[index], is_last),
            }
        };
        variants.iter().enumerate().map(finding).collect()
    }

    /// Confirmed or refuted if the whole bootstrap interval of the ratio is on one side of 1 and
    /// the median differs by [`MIN_DIFFERENCE`], else neither; and how the effect compares with the
    /// claimed ratio. `previous` is the case before the variant.
    fn verdict(&self, variant: &Row, textbook: &Row, previous: &Row, is_last: bool) -> String {
        let ratio = variant.ratio_to(if self.in_order { previous } else { textbook });
        let faster = ratio.high < 1.0 && ratio.median < 1.0 - MIN_DIFFERENCE;
        let slower = ratio.low > 1.0 && ratio.median > 1.0 + MIN_DIFFERENCE;
        let mut verdict = match (faster, slower) {
            (false, false) => "no clear difference",
            (faster, _) if faster == self.faster => "confirmed",
            _ => "refuted",
        }
        .to_owned();
        if self.in_order && previous.id != textbook.id {
            let previous = previous.id.rsplit('.').next().unwrap_or_default();
            verdict += &format!(": ratio {} to {previous}", spread::ratio(ratio));
        }
        // The claimed ratio is that of the last variant to the textbook program.
        if let Some(claimed) = self.claimed_ratio.filter(|_| is_last) {
            let ratio = variant.ratio_to(textbook);
            let comparison = match claimed {
                _ if claimed < ratio.low => "smaller than",
                _ if claimed > ratio.high => "larger than",
                _ => "as large as",
            };
            verdict += &format!("; effect {comparison} the claimed ratio {claimed:.2}");
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::Work;
    use super::*;

    fn row<const ROUNDS: usize>(id: &str, seconds: [f64; ROUNDS]) -> Row {
        let (id, about, seconds) = (id.to_owned(), String::new(), seconds.to_vec());
        Row { id, about, seconds, ratio: None, work: Work::default(), instructions: None }
    }

    fn claim(faster: bool, claimed_ratio: Option<f64>, variants: &[&str]) -> Claim {
        let case_ids = ["p.s.textbook"].iter().chain(variants).map(|&id| id.to_owned()).collect();
        Claim { id: "p.claim", text: "", faster, in_order: false, claimed_ratio, case_ids }
    }

    #[test]
    fn a_verdict_needs_an_interval_on_one_side_of_one() {
        let rows = [
            row("p.s.textbook", [2.0, 2.0, 4.0]),
            row("p.s.quick", [1.0, 1.5, 3.9]),
            row("p.s.slow", [3.0, 3.0, 4.1]),
            row("p.s.same", [1.0, 3.0, 4.0]),
            row("p.s.placed", [1.99, 1.99, 3.99]),
        ];
        let verdicts = |claim: &Claim| {
            claim.findings(&rows).into_iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        let all = ["p.s.quick", "p.s.slow", "p.s.same", "p.s.placed"];
        assert_eq!(
            verdicts(&claim(true, None, &all)),
            ["confirmed", "refuted", "no clear difference", "no clear difference"]
        );
        assert_eq!(
            verdicts(&claim(false, None, &all)),
            ["refuted", "confirmed", "no clear difference", "no clear difference"]
        );
        assert_eq!(
            verdicts(&claim(true, Some(0.6), &all[..1])),
            ["confirmed; effect as large as the claimed ratio 0.60"]
        );
        assert_eq!(
            verdicts(&claim(true, Some(0.2), &all[..1])),
            ["confirmed; effect smaller than the claimed ratio 0.20"]
        );
        assert_eq!(
            verdicts(&claim(true, Some(0.99), &all[..1])),
            ["confirmed; effect larger than the claimed ratio 0.99"]
        );
    }

    #[test]
    fn one_slow_round_does_not_change_a_verdict() {
        let rows = [
            row("p.s.textbook", [2.0; 11]),
            row("p.s.quick", [1.0, 1.0, 1.0, 1.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ];
        assert_eq!(claim(true, None, &["p.s.quick"]).findings(&rows)[0].verdict, "confirmed");
    }

    #[test]
    fn in_order_each_variant_is_compared_with_the_case_before_it() {
        let rows = [
            row("p.s.textbook", [4.0; 3]),
            row("p.s.quick", [1.0; 3]),
            row("p.s.less", [2.0; 3]),
            row("p.s.best", [0.5; 3]),
        ];
        let claim =
            Claim { in_order: true, ..claim(true, None, &["p.s.quick", "p.s.less", "p.s.best"]) };
        let verdicts: Vec<_> =
            claim.findings(&rows).into_iter().map(|finding| finding.verdict).collect();
        assert_eq!(
            verdicts,
            ["confirmed", "refuted: ratio 2.00 to quick", "confirmed: ratio 0.25 to less"]
        );
    }

    #[test]
    fn the_last_variant_has_the_id_of_the_claim() {
        let rows = ["textbook", "one", "two"].map(|name| row(&format!("p.s.{name}"), [1.0; 3]));
        let findings = claim(true, None, &["p.s.one", "p.s.two"]).findings(&rows);
        assert_eq!(
            findings.iter().map(|finding| finding.id.as_str()).collect::<Vec<_>>(),
            ["p.claim.one", "p.claim"]
        );
    }
}
