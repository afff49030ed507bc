//! `generate` for puzzles with random instances: a number of them, or the hardest one found.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use fewest_core::budget::{Budget, Limits};
use fewest_puzzle::hardest::Tried;
use fewest_puzzle::random::Random;
use serde_json::json;

use crate::args::{parse_time, whole_number};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::puzzle::{Puzzle, moves, plural};
use crate::run::Run;

#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_number(0, u64::MAX))]
    seed: u64,

    /// Number of instances to generate; some may be unsolvable
    #[arg(
        long,
        default_value_t = 1,
        conflicts_with = "hard",
        value_parser = whole_number(1, u64::MAX),
    )]
    count: u64,

    /// Try this number of instances, random ones and changes of the hardest found so far, and print
    /// the one with the most moves. Searches have a limit on states that depends on the size only;
    /// instances beyond it are given up
    #[arg(long, value_name = "TRIES", value_parser = whole_number(1, u64::MAX))]
    hard: Option<u64>,

    /// Stop after this time, such as `10s`; with --hard, keep the hardest found so far. The result
    /// then depends on the speed of the machine
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Print one JSON object per instance, one object per line, with the text of the instance
    #[arg(long)]
    json: bool,
}

/// The generator of a puzzle.
pub(crate) struct Generator<M, H> {
    /// Creates a random instance.
    pub(crate) make: M,
    /// Finds the hardest instance of a number of attempts. Each attempt gets its own budget; the
    /// search ends when there is none.
    pub(crate) hardest: H,
    /// The limits of one attempt.
    pub(crate) limits: Limits,
    /// The singular noun for the instances.
    pub(crate) noun: &'static str,
}

impl GenerateArgs {
    /// Writes instances to standard output, each with the text that `write` returns.
    pub(crate) fn run<P, M, H>(
        &self,
        Generator { mut make, hardest, limits, noun }: Generator<M, H>,
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
        // Options that allow no instance at all are reported first.
        make(&mut random.clone())?;
        let mut out = standard_output();
        let (start, run) =
            (Instant::now(), Run::start(if self.hard.is_some() { "attempt" } else { "instance" }));
        // Once the time is over or Ctrl-C was pressed, the current instance is dropped and no other
        // one starts.
        let end = || match self.time {
            _ if run.is_interrupted() => Some(Exit::Interrupted),
            Some(time) if start.elapsed() >= time => Some(Exit::OutOfTime),
            _ => None,
        };
        let reason = |end| match end {
            Some(Exit::Interrupted) => "interrupted: ",
            Some(_) => "out of time: ",
            None => "",
        };
        let Some(tries) = self.hard else {
            run.set_total(self.count);
            for written in 0..self.count {
                if let end @ Some(exit) = end() {
                    out.flush()?;
                    message(format_args!(
                        "{}wrote {written} of {} {}",
                        reason(end),
                        self.count,
                        plural(noun, self.count)
                    ));
                    return Ok(exit);
                }
                self.write::<P>(write(&make(&mut random)?), None, &mut out)?;
                run.inc(1);
            }
            out.flush()?;
            return Ok(Exit::Answered);
        };
        run.set_total(tries);
        let mut budget = || {
            let time = self.time.map(|time| time.saturating_sub(start.elapsed()));
            let limits = Limits { time, ..limits };
            run.inc(1);
            end().is_none().then(|| run.budget(limits))
        };
        let tried = hardest(tries, &mut random, &mut budget)?;
        let stopped = reason(end());
        let others = format!("{} without a plan, {} given up", tried.unsolvable, tried.given_up);
        match tried.hardest {
            Some((instance, cost)) => {
                self.write::<P>(write(&instance), Some(cost), &mut out)?;
                out.flush()?;
                let moves = moves::<P>(&instance, cost);
                note(format_args!(
                    "{stopped}{moves}, the most of {} {} with a plan; {others}",
                    tried.solved,
                    plural(noun, tried.solved)
                ));
                Ok(end().unwrap_or(Exit::Answered))
            }
            None => {
                message(format_args!("{stopped}found no {noun} with a plan: {others}"));
                let proved = if tried.given_up == 0 { Exit::Unsolvable } else { Exit::OutOfStates };
                Ok(end().unwrap_or(proved))
            }
        }
    }

    /// Writes an instance; `cost` is known only for the hardest one.
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
