//! What is said about a trick, held against what was measured.

use super::measure::{PLACEMENT, Row, Spread};
use super::report;

/// Something that is said of two cases or more that do the same.
pub(crate) struct Claim {
    pub(crate) id: &'static str,
    /// What is said.
    pub(crate) text: &'static str,
    /// Whether the variants are said to be faster.
    pub(crate) faster: bool,
    /// Whether each of them is said to be faster than the one before it, not only than the
    /// textbook's.
    pub(crate) in_order: bool,
    /// The ratio that is said, where a figure is.
    pub(crate) said: Option<f64>,
    /// The ids of the cases: the textbook's first, then one or more variants.
    pub(crate) cases: Vec<String>,
}

/// A claim about one variant, measured.
pub(crate) struct Finding {
    /// The claim's; of a variant on the way to the last, with its name behind it.
    pub(crate) id: String,
    pub(crate) text: &'static str,
    pub(crate) textbook: Row,
    pub(crate) variant: Row,
    /// The variant's time over the textbook's.
    pub(crate) ratio: Spread,
    pub(crate) verdict: String,
}

impl Claim {
    /// A finding for each variant; `rows` has all its cases.
    pub(crate) fn findings(&self, rows: &[Row]) -> Vec<Finding> {
        let row = |id: &String| rows.iter().find(|row| row.id == *id).cloned();
        let measured: Vec<Row> = self.cases.iter().filter_map(row).collect();
        let Some((textbook, variants)) = measured.split_first() else { return Vec::new() };
        let finding = |(index, variant): (usize, &Row)| {
            let last = index + 1 == variants.len();
            let name = variant.id.rsplit('.').next().unwrap_or_default();
            Finding {
                id: if last { self.id.to_owned() } else { format!("{}.{name}", self.id) },
                text: self.text,
                textbook: textbook.clone(),
                variant: variant.clone(),
                ratio: variant.over(textbook),
                verdict: self.verdict(variant, textbook, &measured[index], last),
            }
        };
        variants.iter().enumerate().map(finding).collect()
    }

    /// Confirmed or refuted by every round, or neither; and what a figure that is said is worth.
    /// `before` is the case before the variant.
    fn verdict(&self, variant: &Row, textbook: &Row, before: &Row, last: bool) -> String {
        let ratio = variant.over(if self.in_order { before } else { textbook });
        let faster = ratio.greatest < 1.0 && ratio.median < 1.0 - PLACEMENT;
        let slower = ratio.least > 1.0 && ratio.median > 1.0 + PLACEMENT;
        let mut words = match (faster, slower) {
            (false, false) => "no clear difference",
            (faster, _) if faster == self.faster => "confirmed",
            _ => "refuted",
        }
        .to_owned();
        if self.in_order && before.id != textbook.id {
            let before = before.id.rsplit('.').next().unwrap_or_default();
            words += &format!(": {} over {before}", report::ratio(ratio));
        }
        // A figure is said of the last variant over the textbook.
        if let Some(said) = self.said.filter(|_| last) {
            let ratio = variant.over(textbook);
            let much = match said {
                _ if said < ratio.least => "less than",
                _ if said > ratio.greatest => "more than",
                _ => "as much as",
            };
            words += &format!("; worth {much} the {said:.2} that is said");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Work;
    use super::*;

    fn row(id: &str, seconds: [f64; 3]) -> Row {
        let (id, about, seconds) = (id.to_owned(), String::new(), seconds.to_vec());
        Row { id, about, seconds, ratio: None, work: Work::default(), instructions: None }
    }

    fn claim(faster: bool, said: Option<f64>, variants: &[&str]) -> Claim {
        let cases = ["p.s.textbook"].iter().chain(variants).map(|&id| id.to_owned()).collect();
        Claim { id: "p.claim", text: "", faster, in_order: false, said, cases }
    }

    #[test]
    fn a_verdict_needs_every_round() {
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
            ["confirmed; worth as much as the 0.60 that is said"]
        );
        assert_eq!(
            verdicts(&claim(true, Some(0.2), &all[..1])),
            ["confirmed; worth less than the 0.20 that is said"]
        );
        assert_eq!(
            verdicts(&claim(true, Some(0.99), &all[..1])),
            ["confirmed; worth more than the 0.99 that is said"]
        );
    }

    #[test]
    fn in_order_each_is_held_against_the_one_before() {
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
            ["confirmed", "refuted: 2.00 over quick", "confirmed: 0.25 over less"]
        );
    }

    #[test]
    fn the_last_variant_has_the_claims_id() {
        let rows = ["textbook", "one", "two"].map(|name| row(&format!("p.s.{name}"), [1.0; 3]));
        let findings = claim(true, None, &["p.s.one", "p.s.two"]).findings(&rows);
        assert_eq!(
            findings.iter().map(|finding| finding.id.as_str()).collect::<Vec<_>>(),
            ["p.claim.one", "p.claim"]
        );
    }
}
