//! Water jugs, a complete puzzle: measure an amount with jugs that have no marks.

use fewest_core::{search::Search, space::moves_along};
use fewest_puzzle::prelude::*;
use std::{fmt, ops::ControlFlow};

/// The sizes of seven jugs at most. Jug 0 is the lake, and has the amount to measure instead.
pub struct Jugs([u8; 8]);

/// A move pours from a jug into another until one is empty or the other is full.
type Pour = (usize, usize);

/// Why a move or a board is refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(&'static str);

impl Rules for Jugs {
    type Board = [u8; 8];
    type Move = Pour;
    type Illegal = Refused;
    type Unsolved = Refused;
    fn start_board(&self) -> [u8; 8] {
        [0; 8]
    }
    fn play(&self, water: &mut [u8; 8], &(from, to): &Pour) -> Result<(), Refused> {
        if from > 7 || to > 7 || from == to {
            return Err(Refused("there are no such jugs"));
        }
        let here = if from > 0 { water[from] } else { u8::MAX };
        let room = if to > 0 { self.0[to] - water[to] } else { u8::MAX };
        let poured = here.min(room);
        water[from] -= if from > 0 { poured } else { 0 };
        water[to] += if to > 0 { poured } else { 0 };
        if poured > 0 { Ok(()) } else { Err(Refused("nothing is poured")) }
    }
    fn check_solved(&self, water: &[u8; 8]) -> Result<(), Refused> {
        water.contains(&self.0[0]).then_some(()).ok_or(Refused("no jug has the amount"))
    }
    fn moves(&self, water: &[u8; 8]) -> Vec<Pour> {
        let all = (0..64).map(|pair| (pair / 8, pair % 8));
        all.filter(|pour| self.play(&mut water.clone(), pour).is_ok()).collect()
    }
}

/// A state has a byte for the water in each jug. It does not use the rules, which check its plans.
impl StateSpace for Jugs {
    type State = u64;
    type Move = Pour;
    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }
    fn is_goal(&self, state: u64) -> bool {
        state.to_le_bytes().contains(&self.0[0])
    }
    fn successors<B>(
        &self,
        state: u64,
        _: Option<Pour>,
        mut emit: impl FnMut(Pour, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let water = state.to_le_bytes().map(u64::from);
        for (from, to) in (0..64).map(|pair| (pair / 8, pair % 8)) {
            let here = if from == 0 { 255 } else { water[from] };
            let room = if to == 0 { 255 } else { u64::from(self.0[to]) - water[to] };
            let poured = here.min(room);
            if from != to && poured > 0 {
                let of_jug = |jug| if jug == 0 { 0 } else { poured << (8 * jug) };
                emit((from, to), state - of_jug(from) + of_jug(to))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl fmt::Display for Jugs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0[0])?;
        self.0[1..].iter().filter(|&&size| size > 0).try_for_each(|size| write!(f, " {size}"))
    }
}

const BUILTINS: &[Builtin] =
    &[Builtin { names: &["classic"], about: "4 litres of 5 and 3", text: "4 5 3", moves: Some(6) }];

/// The puzzle.
pub struct WaterJugs;

impl Puzzle for WaterJugs {
    const INFO: Info = Info {
        about: "Water jugs: measure an amount with jugs that have no marks",
        format: "A data set is a line with the amount and the sizes of the jugs: `4 5 3`.",
        engines: &[Engine::Bfs],
        verbs: Verbs { explore: Some(ExploreVerb::DEFAULT), ..Verbs::NONE },
        ..Info::named("water-jugs", BUILTINS)
    };
    type Options = NoOptions;
    type PictureOptions = NoOptions;
    type Instance = Jugs;
    fn read<'a>(text: &'a [u8], _: &'a NoOptions) -> impl Iterator<Item = Parsed<Jugs>> + 'a {
        let form = "an amount and the sizes of up to seven jugs, from 1 to 255, such as `4 5 3`";
        data_sets(text, form, move |line, _| {
            let mut jugs = Jugs([0; 8]);
            for (index, (at, word)) in line.words().enumerate() {
                let size = number(word).filter(|&size: &u8| size > 0 && index < 8);
                jugs.0[index] = size.ok_or_else(|| line.wrong(at, quote(word), form))?;
            }
            Ok(Some(jugs))
        })
    }
    fn solve(jugs: &Jugs, _: Option<Engine>, budget: &Budget) -> Solved<Self> {
        let chain = Search::new(jugs).budget(budget).run();
        let plan = chain.map(|states| moves_along(jugs, &states).unwrap_or_default());
        Ok(Answer { outcome: plan.try_map(|plan| verify(jugs, plan))?, engine: "bfs" })
    }
    fn read_move(_: &Jugs, line: Line<'_>) -> Parsed<Pour> {
        let pour = line.text.trim().split_once(" to ");
        let pour = pour.and_then(|(from, to)| Some((number(from)?, number(to)?)));
        pour.ok_or_else(|| line.wrong(0, quote(line.text), "the numbers of two jugs: `0 to 1`"))
    }
    fn write_move(_: &Jugs, (from, to): &Pour, line: &mut dyn fmt::Write) -> fmt::Result {
        write!(line, "{from} to {to}")
    }
    fn animation<'a>(
        _: &'a Jugs,
        plan: &'a Replayed<Jugs>,
        _: &NoOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        let disc = |jug| Part::new(Shape::Disc, Cell::at(0, jug), Ink::Hue(jug));
        let parts = (0..8).map(|jug| disc(jug).labelled(jug.to_string())).collect();
        let step = |&(part, to): &Pour| {
            let path = [part, to, part].map(|jug| Cell::at(0, jug)).to_vec();
            let motions = vec![Motion { part, path, turns: None }];
            Step::new(format!("{part} to {to}"), motions)
        };
        Animation::new(Scene { parts, ..Scene::new(8, 1) }, move || plan.iter().map(step), limits)
    }
    fn explorer(jugs: &Jugs) -> Option<&dyn Explore> {
        Some(jugs)
    }
}

impl Explore for Jugs {
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        Ok(explore_from_start(self, 0, show, budget, on_layer)?)
    }
    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError> {
        let pour = |from, to| {
            let pours = moves_along(self, &[from, to]).unwrap_or_default();
            pours.iter().map(|(from, to)| format!("{from} to {to}")).collect()
        };
        let texts = StateTexts { board: &show, instance: &|_| None, move_text: &pour };
        BoardGraph::visit(self, true, &texts, budget, visit)
    }
}

fn show(state: u64) -> String {
    format!("{:?}", state.to_le_bytes())
}
