//! What is claimed, and why a certificate does not prove it.

use std::fmt;

use fewest_rules::text::Diagnostic;

use crate::boards::Boards;
use crate::file::{self, SectionWriter, Tag};
use crate::states::StateList;

/// What a certificate claims about an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A plan solves it, and no plan has fewer moves.
    Optimal {
        /// The number of moves.
        moves: u32,
    },
    /// No plan solves it.
    Unsolvable,
    /// These are the numbers of boards at each distance from the start.
    Layers(Vec<u64>),
}

impl Claim {
    fn name(&self) -> &'static str {
        match self {
            Self::Optimal { .. } => "optimal",
            Self::Unsolvable => "unsolvable",
            Self::Layers(_) => "layers",
        }
    }

    fn numbers(&self) -> Vec<u64> {
        match self {
            Self::Optimal { moves } => vec![u64::from(*moves)],
            Self::Unsolvable => Vec::new(),
            Self::Layers(layers) => layers.clone(),
        }
    }

    /// The sections that prove it by states, or by numbers.
    pub(crate) fn sections(&self, proof: ProofKind) -> &'static [Tag] {
        match (self, proof) {
            (Self::Optimal { .. }, ProofKind::States { .. }) => {
                &[Tag::Claim, Tag::Plan, Tag::Shared, Tag::Rest, Tag::Depths]
            }
            (Self::Unsolvable, ProofKind::States { .. }) => &[Tag::Claim, Tag::Shared, Tag::Rest],
            (Self::Layers(_), ProofKind::States { .. }) => {
                &[Tag::Claim, Tag::Shared, Tag::Rest, Tag::Depths]
            }
            (Self::Optimal { .. }, ProofKind::Numbers) => &[Tag::Claim, Tag::Plan, Tag::Numbers],
            (Self::Unsolvable | Self::Layers(_), ProofKind::Numbers) => &[Tag::Claim, Tag::Numbers],
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal { moves } => {
                write!(f, "a plan of {moves} moves solves it, and none is shorter")
            }
            Self::Unsolvable => write!(f, "no plan solves it"),
            Self::Layers(layers) => {
                let (boards, last) = (layers.iter().sum::<u64>(), layers.len().saturating_sub(1));
                write!(f, "{boards} boards can be reached, in at most {last} moves")
            }
        }
    }
}

/// How a claim is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofKind {
    States {
        record_bytes: usize,
        /// Whether a state stands for its mirror image, too.
        has_mirrors: bool,
    },
    Numbers,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file is not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is about another instance.
    #[error("it is about another {field}: {found}, not {expected}")]
    Differs {
        /// The part of the question that differs.
        field: String,
        /// What the certificate has.
        found: String,
        /// What the instance has.
        expected: String,
    },
    /// The plan is not one.
    #[error("the plan: {0}")]
    Plan(String),
    /// A record is that of no board, or not the one that its board has.
    #[error("record {0} is that of no board")]
    NoBoard(usize),
    /// The start is not in the set with depth 0, or something else is.
    #[error("{board} {what}")]
    State {
        /// The board.
        board: String,
        /// What is wrong with it.
        what: String,
    },
    /// The layers are others.
    #[error("distance {distance} has {found} boards, and {claimed} are claimed")]
    Layer {
        /// The distance.
        distance: usize,
        /// The number of boards in the file.
        found: u64,
        /// The number that is claimed.
        claimed: u64,
    },
    /// Its numbers prove nothing, or less than is claimed.
    #[error("its numbers: {0}")]
    Numbers(String),
    /// The certificate does not fit the memory.
    #[error("it does not fit the memory")]
    Memory,
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Plan(diagnostic.to_string())
    }
}

/// The first lines of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) question: Vec<(String, String)>,
    pub(crate) claim: Claim,
    pub(crate) proof: ProofKind,
    /// The number of states, or of numbers.
    pub(crate) count: u64,
}

/// The most lines of a head.
const MAX_FIELDS: usize = 16;
/// The most bytes of a head: an instance of a million cells, and its claim.
pub(crate) const MAX_HEAD_BYTES: u64 = 16 << 20;

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.question {
            // A value is one line.
            writeln!(f, "{name}\t{}", value.replace('\\', "\\\\").replace('\n', "\\n"))?;
        }
        write!(f, "claim\t{}", self.claim.name())?;
        self.claim.numbers().iter().try_for_each(|number| write!(f, " {number}"))?;
        match self.proof {
            ProofKind::States { record_bytes, has_mirrors } => {
                let mirrors = if has_mirrors { "yes" } else { "no" };
                writeln!(f, "\nstates\t{} {record_bytes} {mirrors}", self.count)
            }
            ProofKind::Numbers => writeln!(f, "\nnumbers\t{}", self.count),
        }
    }
}

impl Head {
    pub(crate) fn read(text: &str) -> Result<Self, Refusal> {
        let damaged = || Refusal::Damaged("its section `claim` is not readable".to_owned());
        let field = |line: &str| {
            let (name, value) = line.split_once('\t')?;
            Some((name.to_owned(), unescaped(value)?))
        };
        let text = text.strip_suffix('\n').ok_or_else(damaged)?;
        if text.split('\n').nth(MAX_FIELDS).is_some() {
            return Err(damaged());
        }
        let fields: Option<Vec<_>> = text.split('\n').map(field).collect();
        let mut question = fields.ok_or_else(damaged)?;
        let mut last = || question.pop().ok_or_else(damaged);
        let ((proof, values), (name, claim)) = (last()?, last()?);
        let read = || {
            let mut values = values.split(' ');
            let count = values.next()?.parse().ok()?;
            let proof = match proof.as_str() {
                "states" => ProofKind::States {
                    record_bytes: values.next()?.parse().ok()?,
                    has_mirrors: match values.next()? {
                        "yes" => true,
                        "no" => false,
                        _ => return None,
                    },
                },
                "numbers" => ProofKind::Numbers,
                _ => return None,
            };
            (name == "claim" && values.next().is_none()).then_some((
                proof,
                count,
                read_claim(&claim)?,
            ))
        };
        let (proof, count, claim) = read().ok_or_else(damaged)?;
        Ok(Self { question, claim, proof, count })
    }
}

fn unescaped(value: &str) -> Option<String> {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some(text)
}

fn read_claim(text: &str) -> Option<Claim> {
    let mut words = text.split(' ');
    let name = words.next()?;
    let numbers: Vec<u64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    match (name, numbers.as_slice()) {
        ("optimal", &[moves]) => Some(Claim::Optimal { moves: moves.try_into().ok()? }),
        ("unsolvable", []) => Some(Claim::Unsolvable),
        ("layers", &[.., last]) if last > 0 => Some(Claim::Layers(numbers)),
        _ => None,
    }
}

/// A certificate that is being made.
#[derive(Clone, Copy, Debug)]
pub struct Certificate<'a> {
    /// What it claims.
    pub claim: &'a Claim,
    /// The moves of the plan, one on each line; empty if the claim has none.
    pub plan: &'a str,
    /// What proves the claim.
    pub proof: Proof<'a>,
}

/// What proves a claim.
#[derive(Clone, Copy, Debug)]
pub enum Proof<'a> {
    /// States with their depths.
    States {
        /// The states.
        states: &'a StateList,
        /// Whether a state stands for its mirror image, too.
        has_mirrors: bool,
    },
    /// Numbers for [`Boards::bound`].
    Numbers(&'a [i64]),
}

impl Certificate<'_> {
    /// The file of the certificate.
    pub fn file(&self, boards: &impl Boards) -> Vec<u8> {
        let Self { claim, plan, proof } = *self;
        let (kind, count, of_proof) = match proof {
            Proof::States { states, has_mirrors } => {
                let (count, sections) = states.sections(!matches!(claim, Claim::Unsolvable));
                let record_bytes = boards.record_bytes();
                (ProofKind::States { record_bytes, has_mirrors }, count, sections)
            }
            Proof::Numbers(numbers) => {
                let mut section = SectionWriter::new();
                numbers.iter().for_each(|&number| section.push_number(number));
                (ProofKind::Numbers, numbers.len(), vec![(Tag::Numbers, section)])
            }
        };
        let question = boards.question();
        let head = Head {
            question: question.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            claim: claim.clone(),
            proof: kind,
            count: count as u64,
        };
        let mut sections = vec![(Tag::Claim, SectionWriter::of_text(&head.to_string()))];
        if claim.sections(kind).contains(&Tag::Plan) {
            sections.push((Tag::Plan, SectionWriter::of_text(plan)));
        }
        file::write(sections.into_iter().chain(of_proof))
    }
}
