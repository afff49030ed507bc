//! The textbook programs of each puzzle, what is said of the tricks in which they differ, and the
//! ladder from the first of them to ours.

use std::rc::Rc;

use anyhow::ensure;
use fewest_bench_variants::Found;
use fewest_bench_variants::boards::{self, Task};
use fewest_bench_variants::ghosts::{House, breadth_first, informed};
use fewest_bench_variants::klotski::{places, programs as klotski, read};
use fewest_bench_variants::walls::{self, Maze};

use super::claims::Claim;
use super::measure::{Case, Comparison, Work};
use super::puzzles::{self, Solve, answers, instances};
use super::testdata;

/// Instances for programs to solve, and the fewest moves of each.
struct Workload<T> {
    /// What the ids of its cases begin with.
    id: &'static str,
    instances: Rc<Vec<T>>,
    moves: Rc<Vec<Option<u32>>>,
}

impl<T: 'static> Workload<T> {
    fn new(id: &'static str, instances: Vec<T>, moves: Vec<Option<u32>>) -> anyhow::Result<Self> {
        ensure!(
            instances.len() == moves.len(),
            "{id}: {} instances, {} answers",
            instances.len(),
            moves.len()
        );
        Ok(Self { id, instances: Rc::new(instances), moves: Rc::new(moves) })
    }

    fn case(
        &self,
        name: &str,
        about: &str,
        program: impl Fn(&[T]) -> Vec<Found> + 'static,
    ) -> Case {
        let (instances, moves) = (Rc::clone(&self.instances), Rc::clone(&self.moves));
        Case::new(
            format!("{}.{name}", self.id),
            about,
            move || program(&instances),
            move |found| {
                let answers: Vec<_> = found.iter().map(|found| found.moves).collect();
                ensure!(answers == *moves, "{answers:?}, expected {moves:?}");
                Ok(Work::of_textbook(found))
            },
        )
        .foreign()
    }

    /// The same instances by our solver.
    fn ours(&self, instances: Vec<Solve>) -> Case {
        puzzles::case(format!("{}.ours", self.id), "ours", &Rc::new(instances), &self.moves, None)
    }

    fn ids(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("{}.{name}", self.id)).collect()
    }

    /// A claim that each variant is faster than the textbook, the first of the names.
    fn faster(&self, id: &'static str, text: &'static str, names: &[&str]) -> Claim {
        Claim { id, text, faster: true, in_order: false, said: None, cases: self.ids(names) }
    }

    /// A claim that each variant is faster than the one before it.
    fn in_order(&self, id: &'static str, text: &'static str, names: &[&str]) -> Claim {
        Claim { in_order: true, ..self.faster(id, text, names) }
    }
}

fn ghosts() -> anyhow::Result<[Comparison; 3]> {
    let text = testdata("halloween/sample.in")?;
    let sample =
        Workload::new("ghosts.sample", House::read(&text, 3), answers("halloween/sample.out")?)?;
    let title = "Ghosts: the sample by textbook programs and ours".to_owned();
    let cases = vec![
        sample.case("struct", "a struct in a std set", breadth_first::structs),
        sample.case("packed", "six hex digits in a std set", breadth_first::packed),
        sample.case("fx", "in a set with FxHash", breadth_first::fx),
        sample.case("own-table", "in an open-addressing table", breadth_first::own_table),
        sample.case("hex", "in a table of 2^24 bytes", breadth_first::cleared),
        sample.case("numbered", "cells by number, n^3 bytes", breadth_first::numbered),
        sample.case("lists", "neighbour lists", breadth_first::lists),
        sample.case("exact", "no dummies", breadth_first::exact),
        sample.case("bidirectional", "from both ends", informed::bidirectional),
        sample.case("astar", "A*, largest single distance", informed::astar),
        sample.ours(instances("halloween", &text)?),
    ];
    let claims = vec![
        Claim {
            said: Some(3719.0 / 4672.0),
            ..sample.faster(
                "ghosts.struct-vs-packed",
                "a number is faster than a struct",
                &["struct", "packed"],
            )
        },
        sample.in_order(
            "ghosts.std-fx-table-dense",
            "the simpler the set, the faster: std, FxHash, own table, dense",
            &["packed", "fx", "own-table", "hex"],
        ),
        sample.faster(
            "ghosts.hex-vs-numbered",
            "numbered cells and n^3 bytes beat hex digits and 2^24 bytes",
            &["hex", "numbered"],
        ),
        sample.faster(
            "ghosts.lists-vs-probing",
            "neighbour lists beat testing walls",
            &["numbered", "lists"],
        ),
        sample.in_order(
            "ghosts.bfs-bidirectional-astar",
            "both ends beat one, and a bound beats both",
            &["exact", "bidirectional", "astar"],
        ),
    ];
    let ladder = sample.ids(&[
        "struct",
        "packed",
        "fx",
        "own-table",
        "hex",
        "numbered",
        "lists",
        "exact",
        "bidirectional",
        "astar",
        "ours",
    ]);
    let sample = Comparison { title, cases, claims, ladder, ..Comparison::default() };

    let text = testdata("halloween/community_10x5.in")?;
    let many = Workload::new(
        "ghosts.many",
        House::read(&text, 3),
        answers("halloween/community_10x5.out")?,
    )?;
    let title = "Ghosts: many small data sets".to_owned();
    let cases = vec![
        many.case("cleared", "2^24 bytes, cleared for each", breadth_first::cleared),
        many.case("stamped", "2^24 bytes, stamped", breadth_first::stamped),
        many.case("sized", "n^3 bytes, a new table each", breadth_first::numbered),
    ];
    let names = ["cleared", "stamped", "sized"];
    let text = "a table stamped or sized for each data set beats one that is cleared";
    let claims = vec![many.faster("ghosts.clearing", text, &names)];
    let many = Comparison { title, cases, claims, ..Comparison::default() };

    let text = testdata("halloween/gen_valid10.in")?;
    let fewer: Vec<House> =
        [1, 2].into_iter().flat_map(|ghosts| House::read(&text, ghosts)).collect();
    let fewer = Workload::new("ghosts.fewer", fewer, answers("halloween/gen_valid10_fewer.out")?)?;
    let title = "Ghosts: ten houses with one ghost, and with two".to_owned();
    let cases = vec![
        fewer.case("dummies", "filled up to three", breadth_first::lists),
        fewer.case("exact", "for just as many", breadth_first::exact),
    ];
    let text = "a search for just n ghosts beats one with isolated dummies";
    let claims = vec![fewer.faster("ghosts.dummies", text, &["dummies", "exact"])];
    Ok([sample, many, Comparison { title, cases, claims, ..Comparison::default() }])
}

fn walls() -> anyhow::Result<Comparison> {
    // Depth-first search never ends where there is no way out.
    let (mut mazes, mut ours, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for name in ["sample", "mazes"] {
        let text = testdata(&format!("wall-pusher/{name}.in"))?;
        let all = Maze::read(&text).into_iter().zip(instances("wall-pusher", &text)?);
        for ((maze, solve), fewest) in all.zip(answers(&format!("wall-pusher/{name}.out"))?) {
            if fewest.is_some() {
                mazes.push(maze);
                ours.push(solve);
                moves.push(fewest);
            }
        }
    }
    let solvable = Workload::new("walls.solvable", mazes, moves)?;
    let cases = vec![
        solvable.case("copying", "deepening, a copy a move", walls::copying),
        solvable.case("undoing", "moves undone by XOR", walls::undoing),
        solvable.case("bounded", "with the bound", walls::bounded),
        solvable.case("edges", "a bit an edge, with the bound", walls::edges),
        solvable.case("bfs", "breadth-first, edges in a std set", walls::breadth_first_std),
        solvable.case("bfs-fx", "breadth-first, with FxHash", walls::breadth_first_fx),
        solvable.ours(ours),
    ];
    let claims = vec![
        Claim {
            said: Some(0.439 / 0.726),
            ..solvable.faster("walls.bound", "the distance bound pays", &["undoing", "bounded"])
        },
        solvable.faster(
            "walls.undo-vs-copy",
            "undoing by XOR beats copying",
            &["copying", "undoing"],
        ),
        solvable.faster(
            "walls.cells-vs-edges",
            "a bit an edge beats two a wall",
            &["bounded", "edges"],
        ),
        solvable.faster(
            "walls.idastar-vs-bfs",
            "breadth-first in a set beats IDA*",
            &["edges", "bfs", "bfs-fx"],
        ),
    ];
    let ladder = solvable.ids(&["copying", "undoing", "bounded", "edges", "bfs", "bfs-fx", "ours"]);
    let title = "Walls: mazes with a way out by textbook programs and ours".to_owned();
    Ok(Comparison { title, cases, claims, ladder, ..Comparison::default() })
}

/// 横刀立马, and its fewest moves.
const CLASSIC: (&str, u32) = ("aCCb/aCCb/cdde/cfge/h..i", 81);
/// 前呼后拥: few enough boards to tell all its blocks apart.
const SMALL: (&str, u32) = ("abCC/ccCC/ddee/ffgg/..hi", 22);

fn klotski() -> anyhow::Result<[Comparison; 2]> {
    let words = |program: fn(&u64) -> Found| {
        move |boards: &[&str]| boards.iter().map(|board| program(&read(board))).collect()
    };
    let classic = Workload::new("klotski.classic", vec![CLASSIC.0], vec![Some(CLASSIC.1)])?;
    let text = |boards: &[&str]| {
        boards.iter().map(|board| klotski::in_std_set::<String>(&read(board))).collect()
    };
    let array = |boards: &[&str]| {
        boards.iter().map(|board| klotski::in_std_set::<[u8; 20]>(&read(board))).collect()
    };
    let cases = vec![
        classic.case("string", "a string in a std set", text),
        classic.case("array", "20 bytes in a std set", array),
        classic.case("word", "60 bits in a std set", words(klotski::in_std_set::<u64>)),
        classic.case("blanks", "blanks move, not blocks", words(klotski::by_blanks)),
        classic.case("fx", "in a set with FxHash", words(klotski::fx)),
        classic.case("chained", "folded, prime buckets, chains", words(klotski::chained)),
        classic.case("own-table", "open addressing", words(klotski::own_table)),
        classic.case("layers", "a vector a layer, no queue", words(klotski::layers)),
        classic.case("two-look-ups", "mirror image looked up, too", words(klotski::two_look_ups)),
        classic.case("canonical", "the lesser of both is kept", words(klotski::canonical)),
        classic.ours(instances("klotski", CLASSIC.0)?),
    ];
    let claims = vec![
        Claim {
            said: Some(10.0 / 30.0),
            ..classic.in_order(
                "klotski.string-array-word",
                "a word is faster than an array, and that than a string",
                &["string", "array", "word"],
            )
        },
        Claim {
            said: Some(4.0 / 10.0),
            ..classic.in_order(
                "klotski.std-fx-own",
                "a table of one's own is faster",
                &["blanks", "fx", "own-table"],
            )
        },
        classic.faster(
            "klotski.chained-prime-folding",
            "open addressing beats folding, prime buckets and chains",
            &["chained", "own-table"],
        ),
        classic.faster(
            "klotski.blanks-vs-pieces",
            "moving blanks is faster than moving blocks (said: by 5 ms)",
            &["word", "blanks"],
        ),
        classic.faster(
            "klotski.mirror",
            "leaving out mirror images pays: two look-ups, canonical form",
            &["layers", "two-look-ups", "canonical"],
        ),
        classic.faster(
            "klotski.queue",
            "a vector a layer beats the library's queue",
            &["own-table", "layers"],
        ),
    ];
    let ladder = classic.ids(&[
        "string",
        "array",
        "word",
        "blanks",
        "fx",
        "own-table",
        "layers",
        "canonical",
        "ours",
    ]);
    let title = "Klotski: heng dao li ma by textbook programs and ours".to_owned();
    let classic = Comparison { title, cases, claims, ladder, ..Comparison::default() };

    let small = Workload::new("klotski.small", vec![SMALL.0], vec![Some(SMALL.1)])?;
    let cases = vec![
        small.case("told-apart", "each block its own", words(places::told_apart)),
        small.case("merged", "equal blocks in order", words(places::merged)),
        small.case("breadth-first", "words in a set with FxHash", words(klotski::fx)),
        small.case("depth-first", "deepening, with a table", words(klotski::depth_first)),
    ];
    let claims = vec![
        small.faster(
            "klotski.merge-equal",
            "equal blocks merged beat blocks told apart",
            &["told-apart", "merged"],
        ),
        Claim {
            faster: false,
            ..small.faster(
                "klotski.dfs",
                "depth-first search is unsuitable",
                &["breadth-first", "depth-first"],
            )
        },
    ];
    let title = "Klotski: a small layout".to_owned();
    Ok([classic, Comparison { title, cases, claims, ..Comparison::default() }])
}

/// Start, target and the fewest moves: the official sample, the two longest of our own, and one
/// without a way.
const TASKS: [(&str, &str, Option<u32>); 4] = [
    ("1111000011100010", "1010010110100101", Some(4)),
    ("1111111100000000", "0000000011111111", Some(16)),
    ("1010010110100101", "0101101001011010", Some(8)),
    ("1000000000000001", "0000000000000000", None),
];

fn boards() -> anyhow::Result<Comparison> {
    let board = |digits: &str| std::array::from_fn(|cell| digits.as_bytes()[cell] == b'1');
    let tasks = TASKS
        .iter()
        .map(|(start, target, _)| Task { start: board(start), target: board(target) })
        .collect();
    let text: String =
        TASKS.iter().map(|(start, target, _)| format!("{start} {target}\n")).collect();
    let four =
        Workload::new("boards.four", tasks, TASKS.iter().map(|&(_, _, moves)| moves).collect())?;
    let cases = vec![
        four.case("paths", "moves as text in the queue", boards::paths_in_queue),
        four.case("recovered", "a map from board to board before", boards::recovered),
        four.case("arrays", "the number of moves alone", boards::arrays),
        four.case("plus-minus", "16 bits, powers of two", boards::plus_minus),
        four.case("xor", "16 bits, flipped", boards::xor),
        four.case("fx", "in a set with FxHash", boards::fx),
        four.case("dense", "a byte a board", boards::dense),
        four.ours(instances("black-white", &text)?),
    ];
    let claims = vec![
        four.faster(
            "boards.paths-in-queue",
            "moves recovered afterwards beat moves in the queue",
            &["paths", "recovered"],
        ),
        four.faster("boards.array-vs-bits", "16 bits beat an array", &["arrays", "plus-minus"]),
        four.faster(
            "boards.plus-minus-vs-xor",
            "flipping beats adding and taking away",
            &["plus-minus", "xor"],
        ),
    ];
    let ladder =
        four.ids(&["paths", "recovered", "arrays", "plus-minus", "xor", "fx", "dense", "ours"]);
    let title = "Boards: four tasks by textbook programs and ours".to_owned();
    Ok(Comparison { title, cases, claims, ladder, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(ghosts()?.into_iter().chain([walls()?]).chain(klotski()?).chain([boards()?]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_ladders_name_cases_that_there_are() {
        for comparison in comparisons().unwrap() {
            let named =
                comparison.claims.iter().flat_map(|claim| &claim.cases).chain(&comparison.ladder);
            for id in named {
                assert!(comparison.cases.iter().any(|case| case.id == *id), "{id}");
            }
        }
    }
}
