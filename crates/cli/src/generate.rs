//! `generate`, for the puzzles whose instances follow from a seed: so many of them, or the hardest
//! that is found.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use fewest_core::budget::{Budget, Limits};
use fewest_core::hardest::Tried;
use fewest_core::random::Random;
use serde_json::json;

use crate::args::{parse_time, whole};
use crate::exit::{Exit, Failure};
use crate::json;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::puzzle::{Puzzle, moves};
use crate::run::Run;

#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// What they follow from: another seed makes others
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,

    /// So many, one after the other, not all of which may have a plan
    #[arg(long, default_value_t = 1, conflicts_with = "hard", value_parser = whole(1, u64::MAX))]
    count: u64,

    /// The one that takes most moves of so many that are tried: random ones, and changes of the
    /// hardest before
    #[arg(long, value_name = "TRIES", value_parser = whole(1, u64::MAX))]
    hard: Option<u64>,

    /// Stop after this time: with --hard, keep the hardest found so far. What is found then depends
    /// on the machine
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Print one JSON object an instance, each on a line, with its text in it
    #[arg(long)]
    json: bool,
}

/// What a puzzle brings: `make` an instance, and the hardest of so many tries, each by the budget
/// that it is given, until there is none.
pub(crate) struct Generator<M, H> {
    pub(crate) make: M,
    pub(crate) hard: H,
    /// What a try may take.
    pub(crate) limits: Limits,
    /// What several instances are called.
    pub(crate) many: &'static str,
}

impl GenerateArgs {
    /// Writes instances to standard output as `write` has them.
    pub(crate) fn carry_out<P, M, H>(
        &self,
        Generator { mut make, hard, limits, many }: Generator<M, H>,
        write: impl Fn(&P::Instance) -> String,
    ) -> Result<Exit, Failure>
    where
        P: Puzzle,
        M: FnMut(&mut Random) -> Result<P::Instance, Failure>,
        H: FnOnce(
            u64,
            &mut Random,
            &mut dyn FnMut() -> Option<Budget>,
        ) -> Result<Tried<P::Instance>, Failure>,
    {
        let mut random = Random::from_seed(self.seed);
        // What cannot be made at all is said at once.
        make(&mut random.clone())?;
        let mut out = standard_output();
        let (begin, run) =
            (Instant::now(), Run::start(if self.hard.is_some() { "attempt" } else { "instance" }));
        // Once the time is over, or Ctrl-C was pressed, the current instance is dropped and there
        // is no other.
        let end = || match self.time {
            _ if run.is_interrupted() => Some(Exit::Interrupted),
            Some(time) if begin.elapsed() >= time => Some(Exit::OutOfTime),
            _ => None,
        };
        let reason = |end| match end {
            Some(Exit::Interrupted) => "interrupted: ",
            Some(_) => "out of time: ",
            None => "",
        };
        let Some(tries) = self.hard else {
            run.expect(self.count);
            for written in 0..self.count {
                if let end @ Some(exit) = end() {
                    out.flush()?;
                    message(format_args!(
                        "{}wrote {written} of {} {many}",
                        reason(end),
                        self.count
                    ));
                    return Ok(exit);
                }
                self.write::<P>(write(&make(&mut random)?), None, &mut out)?;
                run.done(1);
            }
            out.flush()?;
            return Ok(Exit::Answered);
        };
        run.expect(tries);
        let mut budget = || {
            let time = self.time.map(|time| time.saturating_sub(begin.elapsed()));
            let limits = Limits { time, ..limits };
            run.done(1);
            end().is_none().then(|| run.budget(limits))
        };
        let tried = hard(tries, &mut random, &mut budget)?;
        let stopped = reason(end());
        let others = format!("{} have no plan, {} were given up", tried.unsolvable, tried.given_up);
        match tried.hardest {
            Some((instance, cost)) => {
                self.write::<P>(write(&instance), Some(cost), &mut out)?;
                out.flush()?;
                let moves = moves::<P>(&instance, cost);
                note(format_args!(
                    "{stopped}{moves}, the most of {} {many} with a plan; {others}",
                    tried.solved
                ));
                Ok(end().unwrap_or(Exit::Answered))
            }
            None => {
                message(format_args!(
                    "{stopped}no plan was found for any of the {many} that were tried: {others}"
                ));
                let proved = if tried.given_up == 0 { Exit::Unsolvable } else { Exit::OutOfStates };
                Ok(end().unwrap_or(proved))
            }
        }
    }
    /// Writes an instance, and of the hardest how many moves it takes.
    fn write<P: Puzzle>(
        &self,
        text: String,
        cost: Option<u32>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.json {
            json::write::<P>("generate", json!({ "text": text, "cost": cost }), out)
        } else {
            out.write_all(text.as_bytes())
        }
    }
}
