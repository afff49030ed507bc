//! How random instances are generated: a number of them, or the hardest one found.

use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::clock::Instant;
use fewest_core::outcome::Verdict;
use serde::Deserialize;

use crate::error::SolveError;
use crate::generate::{Emit, GenerateEnd, Generated};
use crate::hardest::Tried;
use crate::options::Whole;
use crate::puzzle::Puzzle;
use crate::random::Random;
use crate::words::{counted, plural};
use crate::work::{WorkContext, WorkError};

/// The options of puzzles with random instances.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct RandomOptions {
    /// Random seed
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Whole::new(1)))]
    pub seed: Whole<0>,

    /// Number of instances to generate; some may be unsolvable
    #[cfg_attr(
        feature = "clap",
        arg(long, default_value_t = Whole::new(1), conflicts_with = "hard")
    )]
    pub count: Whole<1>,

    /// Generate only instances that have a plan
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["unsolvable", "hard"]))]
    pub solvable: bool,

    /// Generate only instances that are proved to have no plan
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "hard"))]
    pub unsolvable: bool,

    /// Try this number of instances, random ones and changes of the hardest found so far, and print
    /// the one with the most moves. Searches have a limit on states that depends on the size only;
    /// instances beyond it are given up
    #[cfg_attr(feature = "clap", arg(long, value_name = "TRIES"))]
    pub hard: Option<Whole<1>>,

    /// Stop after this time, such as `10s`; with --hard, keep the hardest found so far. The result
    /// then depends on the speed of the machine
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TIME", value_parser = crate::options::parse_time)
    )]
    #[serde(deserialize_with = "crate::options::deserialize_time")]
    pub time: Option<Duration>,
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self {
            seed: Whole::new(1),
            count: Whole::new(1),
            solvable: false,
            unsolvable: false,
            hard: None,
            time: None,
        }
    }
}

/// The limits of one attempt at a hard instance, and how to make one.
pub struct RandomInstances<M, H> {
    /// Creates a random instance.
    pub make: M,
    /// Finds the hardest instance of a number of attempts. Each attempt gets its own budget; the
    /// search ends when there is none.
    pub hardest: H,
    /// The limits of one attempt.
    pub limits: Limits,
}

/// After this number of instances in a row that are not wanted, no further one is tried.
const MAX_PASSED_OVER: u64 = 100_000;

/// The fewest moves of an instance that is wanted, if they had to be found; `None` if it is not
/// wanted, or if a limit stopped the search.
fn is_wanted<P: Puzzle>(
    options: &RandomOptions,
    instance: &P::Instance,
    budget: &Budget,
) -> Result<Option<Option<u32>>, SolveError> {
    if !options.solvable && !options.unsolvable {
        return Ok(Some(None));
    }
    let outcome = P::solve_cost(instance, None, budget)?.outcome;
    Ok(match outcome.verdict {
        Verdict::Solved { cost, .. } => options.solvable.then_some(Some(cost)),
        Verdict::Unsolvable => options.unsolvable.then_some(None),
        Verdict::Stopped { .. } => None,
    })
}

/// Generates random instances, or searches for a hard one.
///
/// # Errors
/// If the options allow no instance; an error of `emit` or of the generator.
pub fn random<P, M, H>(
    options: &RandomOptions,
    RandomInstances { mut make, hardest, limits }: RandomInstances<M, H>,
    work: &dyn WorkContext,
    emit: Emit<'_, P::Instance>,
) -> Result<Generated, WorkError>
where
    P: Puzzle,
    M: FnMut(&mut Random) -> Result<P::Instance, SolveError>,
    H: FnOnce(
        u64,
        &mut Random,
        &mut dyn FnMut() -> Option<Budget>,
    ) -> Result<Tried<P::Instance>, SolveError>,
{
    let noun = P::INFO.verbs.generate.map_or("instance", |verb| verb.noun);
    let mut random = Random::from_seed(options.seed.get());
    // Options that allow no instance at all are reported first.
    make(&mut random.clone())?;
    let start = Instant::now();
    // Once the time is over or the program was interrupted, the current instance is dropped and no
    // other one starts.
    let stopped = || match options.time {
        _ if work.is_interrupted() => Some(Limit::Cancelled),
        Some(time) if start.elapsed() >= time => Some(Limit::Time),
        _ => None,
    };
    let time_left = || options.time.map(|time| time.saturating_sub(start.elapsed()));
    let reason = |limit: Option<Limit>| match limit {
        Some(limit) => format!("{limit}: "),
        None => String::new(),
    };
    let Some(tries) = options.hard.map(Whole::get) else {
        let count = options.count.get();
        work.start("instance", Some(count));
        let (mut written, mut passed_over) = (0, 0);
        while written < count {
            let end = match stopped() {
                Some(limit) => GenerateEnd::Stopped(limit),
                None if passed_over == MAX_PASSED_OVER => GenerateEnd::NoneFound,
                None => {
                    let instance = make(&mut random)?;
                    let budget = work.budget(Limits { time: time_left(), ..limits });
                    match is_wanted::<P>(options, &instance, &budget)? {
                        Some(cost) => {
                            emit(&instance, cost)?;
                            (written, passed_over) = (written + 1, 0);
                            work.add_done(1);
                        }
                        None => passed_over += 1,
                    }
                    continue;
                }
            };
            let reason = match end {
                GenerateEnd::Stopped(limit) => reason(Some(limit)),
                _ => format!("{passed_over} {noun}s in a row were not wanted: "),
            };
            let noun = plural(noun, count);
            let message = format!("{reason}wrote {written} of {count} {noun}");
            return Ok(Generated::new(end).message(message));
        }
        return Ok(Generated::new(GenerateEnd::Complete));
    };
    work.start("attempt", Some(tries));
    let mut budget = || {
        work.add_done(1);
        stopped().is_none().then(|| work.budget(Limits { time: time_left(), ..limits }))
    };
    let tried = hardest(tries, &mut random, &mut budget)?;
    let stopped = stopped();
    let reason = reason(stopped);
    let others = format!("{} without a plan, {} given up", tried.unsolvable, tried.given_up);
    let ended = |end| Generated::new(stopped.map_or(end, GenerateEnd::Stopped));
    Ok(match tried.hardest {
        Some((instance, cost)) => {
            emit(&instance, Some(cost))?;
            let moves = counted(P::unit(&instance), cost);
            let (solved, noun) = (tried.solved, plural(noun, tried.solved));
            ended(GenerateEnd::Complete)
                .note(format!("{reason}{moves}, the most of {solved} {noun} with a plan; {others}"))
        }
        None => ended(if tried.given_up == 0 {
            GenerateEnd::NoneExists
        } else {
            GenerateEnd::NoneFound
        })
        .message(format!("{reason}found no {noun} with a plan: {others}")),
    })
}
