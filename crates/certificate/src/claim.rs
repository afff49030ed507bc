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

    /// The sections that prove it.
    pub(crate) fn sections(&self) -> &'static [Tag] {
        match self {
            Self::Optimal { .. } => &[Tag::Claim, Tag::Plan, Tag::Shared, Tag::Rest, Tag::Depths],
            Self::Unsolvable => &[Tag::Claim, Tag::Shared, Tag::Rest],
            Self::Layers(_) => &[Tag::Claim, Tag::Shared, Tag::Rest, Tag::Depths],
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
    pub(crate) states: u64,
    pub(crate) record_bytes: usize,
    /// Whether a state stands for its mirror image, too.
    pub(crate) has_mirrors: bool,
}

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
        let mirrors = if self.has_mirrors { "yes" } else { "no" };
        write!(f, "\nstates\t{} {} {mirrors}\n", self.states, self.record_bytes)
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
        let fields: Option<Vec<_>> = text.split('\n').map(field).collect();
        let mut question = fields.ok_or_else(damaged)?;
        let mut last = |expected: &str| {
            let (name, value) = question.pop()?;
            (name == expected).then_some(value)
        };
        let (states, claim) = (last("states"), last("claim"));
        let (states, claim) = states.zip(claim).ok_or_else(damaged)?;
        let read = || {
            let mut states = states.split(' ');
            let (count, record_bytes) =
                (states.next()?.parse().ok()?, states.next()?.parse().ok()?);
            let has_mirrors = match (states.next()?, states.next()) {
                ("yes", None) => true,
                ("no", None) => false,
                _ => return None,
            };
            Some((count, record_bytes, has_mirrors, read_claim(&claim)?))
        };
        let (states, record_bytes, has_mirrors, claim) = read().ok_or_else(damaged)?;
        Ok(Self { question, claim, states, record_bytes, has_mirrors })
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
        ("layers", [_, ..]) => Some(Claim::Layers(numbers)),
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
    /// The states that prove the claim.
    pub states: &'a StateList,
    /// Whether a state stands for its mirror image, too.
    pub has_mirrors: bool,
}

impl Certificate<'_> {
    /// The file of the certificate.
    pub fn file(&self, boards: &impl Boards) -> Vec<u8> {
        let Self { claim, plan, states, has_mirrors } = *self;
        let has_depths = !matches!(claim, Claim::Unsolvable);
        let (count, of_states) = states.sections(has_depths);
        let question = boards.question();
        let head = Head {
            question: question.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            claim: claim.clone(),
            states: count as u64,
            record_bytes: boards.record_bytes(),
            has_mirrors,
        };
        let section = |text: &str| {
            let mut section = SectionWriter::new();
            section.push(text.as_bytes());
            section
        };
        let mut sections = vec![(Tag::Claim, section(&head.to_string()))];
        if claim.sections().contains(&Tag::Plan) {
            sections.push((Tag::Plan, section(plan)));
        }
        file::write(sections.into_iter().chain(of_states))
    }
}
