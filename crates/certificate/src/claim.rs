//! Claims, and the header section of a file, which contains the claim.

use std::fmt;
use std::str::FromStr;

use crate::boards::Bound;
use crate::file::Tag;
use crate::refusal::Refusal;
use crate::states::BACK;

/// What a certificate claims about an instance. [`Display`](fmt::Display) takes each move to cost
/// 1; where moves have costs, use [`by_cost`](Claim::by_cost).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The given plan is a shortest plan, or the cheapest one if moves have costs.
    Optimal {
        /// The number of moves, or what they cost.
        cost: u32,
    },
    /// There is no plan.
    Unsolvable,
    /// The number of boards at each distance from the start: by moves, or by what they cost.
    Layers(Vec<u64>),
}

impl Claim {
    /// Whether a board at depth `depth` may be missing in the proof, given a bound on the plans
    /// from it: no plan through it contradicts the claim.
    pub fn exempts(&self, bound: Bound, depth: u32) -> bool {
        match (self, bound) {
            (Self::Optimal { cost }, Bound::Cost(left)) => {
                left.saturating_add(u64::from(depth)) >= u64::from(*cost)
            }
            (Self::Optimal { .. } | Self::Unsolvable, Bound::Unsolvable) => true,
            (Self::Unsolvable | Self::Layers(_), _) => false,
        }
    }

    /// The claim in words where moves have costs.
    pub fn by_cost(&self) -> String {
        match self {
            Self::Optimal { cost } => format!("the cheapest plan costs {cost}"),
            Self::Unsolvable => self.to_string(),
            Self::Layers(layers) => {
                let (boards, last) = (layers.iter().sum::<u64>(), layers.len().saturating_sub(1));
                format!("{boards} boards are reachable, at a cost of at most {last}")
            }
        }
    }

    /// The depth limit: states of this depth or more are not needed.
    pub(crate) fn end(&self) -> u32 {
        match *self {
            Self::Optimal { cost } => cost,
            Self::Unsolvable | Self::Layers(_) => u32::MAX,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Optimal { .. } => "optimal",
            Self::Unsolvable => "unsolvable",
            Self::Layers(_) => "layers",
        }
    }

    fn numbers(&self) -> Vec<u64> {
        match self {
            Self::Optimal { cost } => vec![u64::from(*cost)],
            Self::Unsolvable => Vec::new(),
            Self::Layers(layers) => layers.clone(),
        }
    }

    /// The sections of a certificate of this claim. `has_back` adds those of the states from the
    /// goal.
    pub(crate) fn sections(&self, has_back: bool) -> Vec<Tag> {
        let mut sections = match self {
            Self::Optimal { .. } => {
                vec![Tag::Claim, Tag::Plan, Tag::Shared, Tag::Rest, Tag::Depths, Tag::Numbers]
            }
            Self::Unsolvable => vec![Tag::Claim, Tag::Shared, Tag::Rest, Tag::Numbers],
            Self::Layers(_) => vec![Tag::Claim, Tag::Shared, Tag::Rest, Tag::Depths],
        };
        sections.extend(BACK.iter().filter(|_| has_back));
        sections
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal { cost: moves } => {
                write!(f, "the shortest plan has {moves} moves")
            }
            Self::Unsolvable => write!(f, "there is no plan"),
            Self::Layers(layers) => {
                let (boards, last) = (layers.iter().sum::<u64>(), layers.len().saturating_sub(1));
                write!(f, "{boards} boards are reachable, in at most {last} moves")
            }
        }
    }
}

/// The header of a certificate: the text of its first section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) description: Vec<(String, String)>,
    pub(crate) claim: Claim,
    /// The members of the part of the instance that is proved; empty for the whole instance.
    pub(crate) part: Vec<u64>,
    /// The number of states.
    pub(crate) states: u64,
    pub(crate) record_bytes: usize,
    /// Whether each state also represents its mirror image.
    pub(crate) has_mirrors: bool,
    /// The length of the potential's data.
    pub(crate) numbers: u64,
    /// The number of states from the goal, and their depth limit.
    pub(crate) back: Option<(u64, u32)>,
}

/// The value of `part` for the whole instance.
const WHOLE: &str = "whole";

/// The maximum number of lines of a header.
const MAX_FIELDS: usize = 16;
/// The maximum size of a header: enough for an instance of a million cells and its claim.
pub(crate) const MAX_HEAD_BYTES: u64 = 16 << 20;

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.description {
            // Values must not contain line breaks.
            writeln!(f, "{name}\t{}", value.replace('\\', "\\\\").replace('\n', "\\n"))?;
        }
        write!(f, "claim\t{}", self.claim.name())?;
        self.claim.numbers().iter().try_for_each(|number| write!(f, " {number}"))?;
        let part = self.part.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        writeln!(f, "\npart\t{}", if part.is_empty() { WHOLE } else { &part })?;
        let mirrors = if self.has_mirrors { "yes" } else { "no" };
        writeln!(f, "states\t{} {} {mirrors}", self.states, self.record_bytes)?;
        writeln!(f, "numbers\t{}", self.numbers)?;
        match self.back {
            Some((states, end)) => writeln!(f, "back\t{states} {end}"),
            None => writeln!(f, "back\tnone"),
        }
    }
}

impl Head {
    pub(crate) fn read(text: &str) -> Result<Self, Refusal> {
        let damaged = || Refusal::Damaged("its section `claim` is malformed".to_owned());
        let field = |line: &str| {
            let (name, value) = line.split_once('\t')?;
            Some((name.to_owned(), unescaped(value)?))
        };
        let text = text.strip_suffix('\n').ok_or_else(damaged)?;
        if text.split('\n').nth(MAX_FIELDS).is_some() {
            return Err(damaged());
        }
        let fields: Option<Vec<_>> = text.split('\n').map(field).collect();
        let mut description = fields.ok_or_else(damaged)?;
        // The fields after the description have fixed names and are read from the end, because the
        // number of fields of the description depends on the puzzle.
        let mut last = |name: &str| {
            let (found, value) = description.pop().ok_or_else(damaged)?;
            if found == name { Ok(value) } else { Err(damaged()) }
        };
        let [back, numbers, states, part, claim] =
            [last("back")?, last("numbers")?, last("states")?, last("part")?, last("claim")?];
        let read = || {
            let words: Vec<&str> = states.split(' ').collect();
            let &[count, record_bytes, mirrors] = words.as_slice() else { return None };
            let part = if part == WHOLE { None } else { Some(part.split(' ')) };
            Some(Self {
                description,
                claim: read_claim(&claim)?,
                part: part.into_iter().flatten().map(number).collect::<Option<_>>()?,
                states: number(count)?,
                record_bytes: number(record_bytes)?,
                has_mirrors: match mirrors {
                    "yes" => true,
                    "no" => false,
                    _ => return None,
                },
                numbers: number(&numbers)?,
                back: match back.split_once(' ') {
                    Some((states, end)) => Some((number(states)?, number(end)?)),
                    None if back == "none" => None,
                    None => return None,
                },
            })
        };
        read().ok_or_else(damaged)
    }
}

/// Parses a number that consists of digits only (`parse` also accepts a sign).
fn number<N: FromStr>(text: &str) -> Option<N> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
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
    let numbers: Vec<u64> = words.map(number).collect::<Option<_>>()?;
    match (name, numbers.as_slice()) {
        ("optimal", &[cost]) => Some(Claim::Optimal { cost: cost.try_into().ok()? }),
        ("unsolvable", []) => Some(Claim::Unsolvable),
        ("layers", &[.., last]) if last > 0 => Some(Claim::Layers(numbers)),
        _ => None,
    }
}
