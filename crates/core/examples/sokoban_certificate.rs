//! Certificates of the plans of the example `sokoban` by steps: the rules on plain boards, and what
//! proves that no plan is cheaper. Writes each level and its certificate:
//! `cargo run --release -p fewest-core --example sokoban_certificate -- FILE moves FOLDER`
//!
//! `fewest-certificate` has the checker, `tools/check_certificate.py` another one.
#![allow(unreachable_pub, missing_docs, dead_code, reason = "a test includes it as a module")]

#[path = "sokoban/main.rs"]
pub mod sokoban;

use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use fewest_certificate::{
    Boards, Bound, Certificate, Claim, Poll, Potential, Proof, Refusal, StateList,
};
use fewest_core::search::Search;
use fewest_core::{Plan, cost};
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Costs, Rules};

use sokoban::level::squares;
use sokoban::{Level, Matching, Metric, PushCosts, Sokoban, Squares, Step, Steps, read};

/// A level, and what a step and a push cost.
///
/// A record is the square of the player, and a bit for each square from the highest one of the next
/// byte on, set if there is a box. The numbers of a certificate are the pushes from each square to
/// the nearest goal, or -1 from where a box reaches none.
pub struct Walk<'a> {
    level: &'a Level,
    costs: [u32; 2],
}

/// The boxes and the square of the player.
pub type Board = (Squares, u32);

#[derive(Debug, thiserror::Error)]
#[error("the player cannot take this step")]
pub struct Blocked;

#[derive(Debug, thiserror::Error)]
#[error("a box is on no goal")]
pub struct BoxLeft;

impl Rules for Walk<'_> {
    type Board = Board;
    type Move = Step;
    type Illegal = Blocked;
    type Unsolved = BoxLeft;

    const COSTS: Costs<Self> = Costs::ByMove {
        cost: |walk, _, by| walk.costs[usize::from(by.is_push)],
        range: |walk| {
            let [step, push] = walk.costs;
            step.min(push)..=step.max(push)
        },
    };

    fn start_board(&self) -> Board {
        (self.level.boxes, self.level.player)
    }

    fn play(&self, (boxes, player): &mut Board, by: &Step) -> Result<(), Blocked> {
        let step = self.level.steps[usize::from(by.direction)];
        let to = player.wrapping_add_signed(step);
        let is_in = |set: Squares, square: u32| set >> square & 1 == 1;
        if !is_in(self.level.floor, to) || is_in(*boxes, to) != by.is_push {
            return Err(Blocked);
        }
        if by.is_push {
            // The square is no wall, so there is one beyond it.
            let beyond = to.wrapping_add_signed(step);
            if !is_in(self.level.floor & !*boxes, beyond) {
                return Err(Blocked);
            }
            *boxes ^= 1 << to | 1 << beyond;
        }
        *player = to;
        Ok(())
    }

    fn check_solved(&self, (boxes, _): &Board) -> Result<(), BoxLeft> {
        if *boxes == self.level.goals { Ok(()) } else { Err(BoxLeft) }
    }

    fn moves(&self, board: &Board) -> Vec<Step> {
        let steps =
            (0..4).flat_map(|direction| [false, true].map(|is_push| Step { direction, is_push }));
        steps.filter(|by| self.play(&mut board.clone(), by).is_ok()).collect()
    }
}

impl Boards for Walk<'_> {
    type Rules = Self;

    fn rules(&self) -> &Self {
        self
    }

    fn description(&self) -> Vec<(&'static str, String)> {
        let costs = self.costs.map(|cost| cost.to_string()).join(" ");
        vec![("puzzle", "sokoban".into()), ("costs", costs), ("level", self.level.text())]
    }

    fn record_bytes(&self) -> usize {
        1 + self.level.squares().div_ceil(8) as usize
    }

    fn write_record(&self, &(boxes, player): &Board, record: &mut Vec<u8>) -> bool {
        record.push(player as u8);
        let bytes = boxes.reverse_bits().to_be_bytes();
        record.extend(&bytes[..self.record_bytes() - 1]);
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let (&player, rest) = record.split_first()?;
        let mut bytes = [0; 16];
        bytes.get_mut(..rest.len())?.copy_from_slice(rest);
        let boxes = u128::from_be_bytes(bytes).reverse_bits();
        let is_board = boxes & !self.level.floor == 0
            && boxes.count_ones() == self.level.goals.count_ones()
            && u32::from(player) < self.level.squares()
            && self.level.floor & !boxes & 1 << player != 0;
        is_board.then_some((boxes, player.into()))
    }

    /// The sum for all boxes, times what a push costs. It is consistent if a push that nothing else
    /// blocks brings a box at most one push nearer.
    fn potential<'a>(
        &'a self,
        pushes: &'a [i64],
        _: &Poll<'_>,
    ) -> Result<Potential<'a, Self>, Refusal> {
        if pushes.is_empty() {
            return Ok(Box::new(|_| Bound::Cost(0)));
        }
        let refused = |what: &str| Err(Refusal::Numbers(what.to_owned()));
        if pushes.len() != self.level.squares() as usize || pushes.iter().any(|&left| left < -1) {
            return refused("expected a number of pushes for each square, or -1");
        }
        if squares(self.level.goals).any(|goal| pushes[goal as usize] != 0) {
            return refused("a goal is not 0 pushes away");
        }
        for step in self.level.steps {
            for to in squares(self.level.floor) {
                let from = to.wrapping_add_signed(-step);
                let behind = from.wrapping_add_signed(-step);
                if self.level.floor & 1 << from == 0 || self.level.floor & 1 << behind == 0 {
                    continue;
                }
                let [before, after] = [from, to].map(|square| pushes[square as usize]);
                if after >= 0 && (before < 0 || before > after.saturating_add(1)) {
                    return refused("a push brings a box nearer by more than a push");
                }
            }
        }
        Ok(Box::new(|&(boxes, _)| {
            let mut left = squares(boxes).map(|square| u64::try_from(pushes[square as usize]).ok());
            let sum = left.try_fold(0_u64, |sum, left| Some(sum.saturating_add(left?)));
            let cost = |sum: u64| Bound::Cost(sum.saturating_mul(self.costs[1].into()));
            sum.map_or(Bound::Unsolvable, cost)
        }))
    }

    fn read_move(&self, line: Line<'_>) -> Result<Step, Diagnostic> {
        let steps =
            (0..4).flat_map(|direction| [false, true].map(|is_push| Step { direction, is_push }));
        let step = steps.into_iter().find(|step| line.text == step.letter().to_string());
        step.ok_or_else(|| line.wrong(0, line.text, "one of `lurdLURD`"))
    }

    fn show(&self, &(boxes, player): &Board) -> String {
        let boxes: Vec<_> =
            squares(boxes).map(|square| self.level.row_and_column(square)).collect();
        format!("boxes at {boxes:?}, the player at {:?}", self.level.row_and_column(player))
    }
}

impl<'a> Walk<'a> {
    pub fn new(steps: &Steps<'a>) -> Self {
        let cost = |is_push| steps.cost(0, Step { direction: 0, is_push });
        Self { level: &steps.sokoban.level, costs: [cost(false), cost(true)] }
    }

    /// The certificate that a plan is the cheapest one, or that there is none: the states that are
    /// nearer than its cost, and from which the boxes could still be near enough.
    pub fn certify(
        &self,
        steps: &Steps<'_>,
        matching: &Matching<'_>,
        plan: Option<&Plan<u64, Step>>,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let claim = plan.map_or(Claim::Unsolvable, |plan| Claim::Optimal { cost: plan.cost() });
        let end = plan.map_or(u32::MAX, Plan::cost);
        let pushes: Vec<i64> = (0..self.level.squares())
            .map(|square| matching.pushes_to_nearest(square).map_or(-1, i64::from))
            .collect();
        let potential = self.potential(&pushes, &Poll::new(&|| false))?;
        let mut states = StateList::new(self.record_bytes(), 1 << 30);
        let (mut record, mut pushed) = (Vec::new(), Ok(()));
        let explored = Search::new(steps).explore(|distance, state| {
            let board = steps.unpack(state);
            if distance >= end || pushed.is_err() {
                return ControlFlow::Break(());
            }
            if !claim.exempts(potential(&board), distance) {
                record.clear();
                self.write_record(&board, &mut record);
                pushed = states.push(&record, distance);
            }
            ControlFlow::Continue(())
        });
        pushed?;
        if let Some(limit) = explored.limit() {
            return Err(limit.into());
        }
        let moves = plan.map_or(&[][..], Plan::moves);
        let text: String = moves.iter().map(|step| format!("{}\n", step.letter())).collect();
        let proof = Proof { numbers: &pushes, ..Proof::by_states(&states) };
        Ok(Certificate { claim: &claim, plan: &text, proof }.file(self))
    }
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: sokoban_certificate FILE moves|pushes-then-moves FOLDER";
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [path, metric, folder] = arguments.as_slice() else { return Err(usage.into()) };
    let metric = match metric.as_str() {
        "moves" => Metric::Moves,
        "pushes-then-moves" => Metric::PushesThenMoves,
        _ => return Err(usage.into()),
    };
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    for (number, level) in (1..).zip(read(&text)?) {
        let sokoban = Sokoban::new(level).ok_or("more than 57 live squares")?;
        let matching = Matching::new(&sokoban);
        let steps = Steps { sokoban: &sokoban, metric };
        let bound = PushCosts::new(&steps, &matching);
        let plan = Search::new(&steps).heuristic(&bound).predecessors().plan()?;
        let walk = Walk::new(&steps);
        let certificate = walk.certify(&steps, &matching, plan.as_ref())?;
        let claim = fewest_certificate::check(&walk, &certificate, 1 << 30, &|| false)?;
        match claim {
            Claim::Optimal { cost } if metric == Metric::PushesThenMoves => {
                let (pushes, moves) = cost::parts(cost);
                println!(
                    "{number}: {pushes} pushes, and {moves} moves; the certificate has {cost}"
                );
            }
            claim => println!("{number}: {}", claim.by_cost()),
        }
        let files = [("xsb", sokoban.level.text().into_bytes()), ("cert", certificate)];
        for (extension, contents) in files {
            let path = Path::new(folder).join(format!("{number}.{extension}"));
            fs::write(&path, contents).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}
