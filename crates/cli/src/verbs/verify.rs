//! `verify`: replays plans by the rules.

use std::io::Write;
use std::path::PathBuf;
use std::slice;

use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_puzzle::error::PlanError;
use fewest_puzzle::results;
use fewest_puzzle::verify::{self, Block, VerifyReport};

use crate::PuzzleRef;
use crate::args::{instance, instance_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::output::standard_output;

#[derive(Args)]
#[group(skip)]
struct VerifyArgs {
    /// Plan to replay: a file, or `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    plan: PathBuf,

    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let command = Command::new("verify")
        .about("Replay a plan by the rules, and report the first illegal move")
        .long_about(
            "Replay a plan by the rules, and report the first illegal move\n\n\
             The plan is text as `solve` prints it: a line that starts with the number of moves, then \
             one move per line. Lines that start with `#` are comments. A blank line ends a plan. \
             The plans of several data sets follow one another, in the order of the data sets. The moves \
             alone, one per line, and the JSON of `solve` are plans, too.\n\n\
             A plan that cannot be parsed is bad input. A plan is refused if it breaks a rule, does \
             not solve the puzzle, or does not have the number of moves that its first line states. \
             A first line `unsolvable` or `stopped` has no plan and is refused, too. `verify` does \
             not check that a plan is optimal.",
        )
        .arg(instance_arg(puzzle));
    Some(puzzle.arguments(with::<VerifyArgs>(command)))
}

/// Writes for each data set whether its plan is accepted, or why it is refused.
pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: VerifyArgs = parsed(matches)?;
    let (instance, reader) = (instance(matches).to_owned(), reader(puzzle, matches)?);
    let plans = Source::plan(&args.plan, slice::from_ref(&instance), &*reader)?;
    let source = Source::instance(puzzle, &instance)?;
    let mut plans = Plans::read(&plans)?;
    let mut out = standard_output();
    let mut exit = Exit::Answered;
    for data_set in source.data_sets(&*reader) {
        let data_set = data_set?;
        let (name, instance) = (data_set.name(), &data_set.instance);
        let verdict = plans.next(&name, |block| block.verify(instance))?;
        if verdict.is_err() {
            exit = Exit::Refused;
        }
        if args.json {
            let verdict = verdict.as_deref().map_err(String::as_str);
            results::write(
                puzzle.info().name,
                &VerifyReport::new(&name, &**instance, verdict),
                &mut out,
            )?;
            continue;
        }
        match verdict {
            Ok(plan) => {
                writeln!(out, "{name}: accepted, {}", instance.moves(plan.len() as u32))?;
            }
            Err(refusal) => writeln!(out, "{name}: refused, {refusal}")?,
        }
    }
    plans.expect_end(&[source])?;
    out.flush()?;
    Ok(exit)
}

/// The plans of a text, in the order of the data sets.
pub(super) struct Plans<'a> {
    source: &'a Source,
    blocks: std::vec::IntoIter<Block<'a>>,
}

impl<'a> Plans<'a> {
    pub(super) fn read(source: &'a Source) -> Result<Self, Failure> {
        let blocks = verify::read(&source.text);
        let blocks = blocks.map_err(|diagnostic| source.error_at(diagnostic))?;
        Ok(Self { source, blocks: blocks.into_iter() })
    }

    /// What `replay` makes of the next plan, or the reason why it refuses it.
    pub(super) fn next<P>(
        &mut self,
        name: &str,
        replay: impl FnOnce(&Block<'a>) -> Result<P, PlanError>,
    ) -> Result<Result<P, String>, Failure> {
        let missing =
            || Failure::usage(format!("{} ends before the plan of {name}", self.source.name));
        let block = self.blocks.next().ok_or_else(missing)?;
        match replay(&block) {
            Ok(plan) => Ok(Ok(plan)),
            Err(PlanError::Refused(refusal)) => Ok(Err(refusal)),
            Err(PlanError::Text(diagnostic)) => Err(self.source.error_at(diagnostic)),
        }
    }

    /// Returns an error if a plan is left after the last data set of `instances`.
    pub(super) fn expect_end(mut self, instances: &[Source]) -> Result<(), Failure> {
        self.blocks.next().map_or(Ok(()), |Block { header, .. }| {
            let expected = match instances {
                [instance] => format!("no more plans than {} has data sets", instance.name),
                _ => "no more plans than there are data sets".to_owned(),
            };
            Err(self.source.error_at(header.wrong(header.start(), "another plan", expected)))
        })
    }
}
