//! `census`: the components of all classic layouts.

use std::io::Write;

use clap::Args;
use fewest_core::budget::Budget;
use fewest_klotski::census::{Pieces, all_dominoes, components};
use fewest_klotski::explore::explore;
use fewest_klotski::{Instance, Metric, Task};
use fewest_rules::text::number;
use serde_json::json;

use super::Klotski;

use crate::args::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json;
use crate::message::note;
use crate::output::standard_output;
use crate::puzzle::plural;
use crate::run::Run;

/// The number of layouts. A test of `fewest-klotski` counts them.
const LAYOUTS: u64 = 29_334_498;

#[derive(Args)]
pub(crate) struct Census {
    /// List only layouts with these pieces besides the 2x2: the numbers of vertical dominoes,
    /// horizontal dominoes and singles, such as `4,1,4`
    #[arg(long, value_name = "PIECES", value_parser = pieces)]
    pieces: Option<Pieces>,

    /// For each solvable component, also print the most rectilinear moves that a layout needs, the
    /// number of layouts that need them, and one of these. This visits every layout; `--memory` and
    /// `--states` limit each search
    #[arg(long)]
    hardest: bool,

    /// Print one JSON object per component, one object per line, instead of CSV
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

fn pieces(text: &str) -> Result<Pieces, String> {
    let numbers: Vec<Option<usize>> = text.split(',').map(number).collect();
    let [Some(standing), Some(lying), Some(singles)] = numbers[..] else {
        return Err("expected three numbers such as `4,1,4`".to_owned());
    };
    let pieces = Pieces { standing, lying, singles };
    let fits =
        standing.max(lying).max(singles) <= 16 && pieces.blanks().is_some_and(|blanks| blanks >= 2);
    fits.then_some(pieces)
        .ok_or_else(|| "expected pieces that leave at least two blanks on 20 cells".to_owned())
}

impl Census {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let run = Run::start("layout");
        if self.pieces.is_none() {
            run.set_total(LAYOUTS);
        }
        let budget = run.budget(self.limits.limits());
        let mut out = standard_output();
        let hardest =
            if self.hardest { ",hardest_moves,hardest_layouts,hardest_layout" } else { "" };
        if !self.json {
            writeln!(out, "standing,lying,singles,blanks,layouts,solvable,layout{hardest}")?;
        }
        let (mut count, mut layouts, mut largest, mut solvable) = (0u64, 0, 0, 0u64);
        let wanted = |(standing, lying): &(usize, usize)| {
            self.pieces.is_none_or(|pieces| (pieces.standing, pieces.lying) == (*standing, *lying))
        };
        for (standing, lying) in all_dominoes().filter(wanted) {
            budget.meter().poll().map_err(Failure::Stopped)?;
            for component in components(standing, lying) {
                let pieces = component.pieces;
                if self.pieces.is_some_and(|wanted| wanted != pieces) {
                    continue;
                }
                count += 1;
                layouts += component.layouts;
                run.inc(component.layouts);
                largest = largest.max(component.layouts);
                solvable += u64::from(component.solvable);
                let layout = Instance::new(component.layout, Vec::new(), Vec::new())
                    .map_err(|error| Failure::Internal(error.found))?;
                let Pieces { standing, lying, singles } = pieces;
                let blanks = pieces.blanks().unwrap_or_default();
                let code = layout.code().unwrap_or_default();
                let hardest = match self.hardest && component.solvable {
                    true => Some(farthest(&layout, &budget)?),
                    false => None,
                };
                if self.json {
                    let hardest = hardest.map(
                        |(moves, layouts, layout)| json!({ "moves": moves, "layouts": layouts, "layout": layout }),
                    );
                    let fields = json!({
                        "standing": standing, "lying": lying, "singles": singles, "blanks": blanks,
                        "layouts": component.layouts, "solvable": component.solvable, "layout": code, "hardest": hardest,
                    });
                    json::write::<Klotski>("census", fields, &mut out)?;
                    continue;
                }
                write!(
                    out,
                    "{standing},{lying},{singles},{blanks},{},{},{code}",
                    component.layouts, component.solvable
                )?;
                if self.hardest {
                    match hardest {
                        Some((moves, boards, code)) => write!(out, ",{moves},{boards},{code}")?,
                        None => write!(out, ",,,")?,
                    }
                }
                writeln!(out)?;
            }
        }
        out.flush()?;
        note(format_args!(
            "{layouts} {} in {count} {}, the largest with {largest}; {solvable} solvable",
            plural("layout", layouts),
            plural("component", count)
        ));
        Ok(Exit::Answered)
    }
}

/// The number of rectilinear moves of the hardest layouts of a component, the number of these
/// layouts, and the code of one of them.
fn farthest(layout: &Instance, budget: &Budget) -> Result<(u32, u64, String), Failure> {
    let component = explore(&Task::new(layout.clone(), Metric::Rectilinear), budget)
        .map_err(Failure::Stopped)?;
    let none = || Failure::Internal("a component marked as solvable has no goal".to_owned());
    let hardest = component.hardest.map_err(Failure::Stopped)?.ok_or_else(none)?;
    let code = layout.with_board(hardest.board).ok().and_then(|layout| layout.code());
    Ok((hardest.moves, hardest.boards, code.unwrap_or_default()))
}
