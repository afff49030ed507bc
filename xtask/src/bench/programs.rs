//! The textbook programs of each puzzle, the claims about the tricks in which they differ, and the
//! ladders from the first program to ours.

use std::rc::Rc;

use anyhow::ensure;
use fewest_bench_variants::SearchResult;
use fewest_bench_variants::boards::{self, Task};
use fewest_bench_variants::ghosts::{GhostMap, breadth_first, informed};
use fewest_bench_variants::klotski::{places, programs as klotski, read};
use fewest_bench_variants::walls::{self, Maze};

use super::case::{Case, Work};
use super::claims::Claim;
use super::measure::Comparison;
use super::puzzles::{self, Solve, answers, instances};
use super::testdata;

/// Instances with their fewest moves, which the programs of a comparison solve.
struct Workload<T> {
    /// The common prefix of the ids of its cases.
    id: &'static str,
    instances: Rc<Vec<T>>,
    moves: Rc<Vec<Option<u32>>>,
}

impl<T: 'static> Workload<T> {
    fn new(id: &'static str, instances: Vec<T>, moves: Vec<Option<u32>>) -> anyhow::Result<Self> {
        ensure!(
            instances.len() == moves.len(),
            "{id}: found {} instances and {} answers",
            instances.len(),
            moves.len()
        );
        Ok(Self { id, instances: Rc::new(instances), moves: Rc::new(moves) })
    }

    fn case(
        &self,
        name: &str,
        about: &str,
        program: impl Fn(&[T]) -> Vec<SearchResult> + 'static,
    ) -> Case {
        let (instances, moves) = (Rc::clone(&self.instances), Rc::clone(&self.moves));
        Case::new(
            format!("{}.{name}", self.id),
            about,
            move || program(&instances),
            move |found| {
                let answers: Vec<_> = found.iter().map(|found| found.moves).collect();
                ensure!(answers == *moves, "found {answers:?}, expected {moves:?}");
                Ok(Work::of_textbook(found))
            },
        )
        .baseline()
    }

    /// The same instances, solved by our solver.
    fn ours(&self, instances: Vec<Solve>) -> Case {
        puzzles::case(format!("{}.ours", self.id), "ours", &Rc::new(instances), &self.moves, None)
    }

    fn ids(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("{}.{name}", self.id)).collect()
    }

    /// A claim that each variant is faster than the textbook program, the first of `names`.
    fn claim_faster(&self, id: &'static str, text: &'static str, names: &[&str]) -> Claim {
        let case_ids = self.ids(names);
        Claim { id, text, faster: true, in_order: false, claimed_ratio: None, case_ids }
    }

    /// A claim that each of `names` is faster than the one before it.
    fn claim_in_order(&self, id: &'static str, text: &'static str, names: &[&str]) -> Claim {
        Claim { in_order: true, ..self.claim_faster(id, text, names) }
    }
}

fn ghosts() -> anyhow::Result<[Comparison; 3]> {
    let text = testdata("halloween/sample.in")?;
    let sample =
        Workload::new("ghosts.sample", GhostMap::read(&text, 3), answers("halloween/sample.out")?)?;
    let title = "Ghosts: the sample, textbook programs and ours".to_owned();
    let cases = vec![
        sample.case("struct", "struct states, std set", breadth_first::structs),
        sample.case("packed", "six hex digits, std set", breadth_first::packed),
        sample.case("fx", "FxHash set", breadth_first::fx),
        sample.case("own-table", "open-addressing table", breadth_first::own_table),
        sample.case("hex", "table of 2^24 bytes", breadth_first::cleared),
        sample.case("numbered", "numbered cells, table of n^3 bytes", breadth_first::numbered),
        sample.case("lists", "neighbour lists", breadth_first::lists),
        sample.case("exact", "no dummy ghosts", breadth_first::exact),
        sample.case("bidirectional", "bidirectional search", informed::bidirectional),
        sample.case("astar", "A*, largest distance of one ghost", informed::astar),
        sample.ours(instances("halloween", &text)?),
    ];
    let claims = vec![
        Claim {
            claimed_ratio: Some(3719.0 / 4672.0),
            ..sample.claim_faster(
                "ghosts.struct-vs-packed",
                "a packed number is faster than a struct",
                &["struct", "packed"],
            )
        },
        sample.claim_in_order(
            "ghosts.std-fx-table-dense",
            "each simpler set is faster: std, FxHash, custom table, dense table",
            &["packed", "fx", "own-table", "hex"],
        ),
        sample.claim_faster(
            "ghosts.hex-vs-numbered",
            "numbered cells with n^3 bytes are faster than hex digits with 2^24 bytes",
            &["hex", "numbered"],
        ),
        sample.claim_faster(
            "ghosts.lists-vs-probing",
            "neighbour lists are faster than testing for walls",
            &["numbered", "lists"],
        ),
        sample.claim_in_order(
            "ghosts.bfs-bidirectional-astar",
            "bidirectional search is faster than BFS, and A* is faster than both",
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
        GhostMap::read(&text, 3),
        answers("halloween/community_10x5.out")?,
    )?;
    let title = "Ghosts: many small data sets".to_owned();
    let cases = vec![
        many.case("cleared", "2^24 bytes, cleared for each data set", breadth_first::cleared),
        many.case("stamped", "2^24 bytes, stamped", breadth_first::stamped),
        many.case("sized", "n^3 bytes, new for each data set", breadth_first::numbered),
    ];
    let names = ["cleared", "stamped", "sized"];
    let text = "a table stamped or sized for each data set is faster than a cleared one";
    let claims = vec![many.claim_faster("ghosts.clearing", text, &names)];
    let many = Comparison { title, cases, claims, ..Comparison::default() };

    let text = testdata("halloween/gen_valid10.in")?;
    let fewer: Vec<GhostMap> =
        [1, 2].into_iter().flat_map(|ghosts| GhostMap::read(&text, ghosts)).collect();
    let fewer = Workload::new("ghosts.fewer", fewer, answers("halloween/gen_valid10_fewer.out")?)?;
    let title = "Ghosts: ten maps with one ghost and with two ghosts".to_owned();
    let cases = vec![
        fewer.case("dummies", "filled up to three ghosts with dummies", breadth_first::lists),
        fewer.case("exact", "exact number of ghosts", breadth_first::exact),
    ];
    let text = "a search for exactly n ghosts is faster than one with isolated dummy ghosts";
    let claims = vec![fewer.claim_faster("ghosts.dummies", text, &["dummies", "exact"])];
    Ok([sample, many, Comparison { title, cases, claims, ..Comparison::default() }])
}

fn walls() -> anyhow::Result<Comparison> {
    // Depth-first search does not terminate on unsolvable mazes.
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
        solvable.case("copying", "iterative deepening, one copy per move", walls::copying),
        solvable.case("undoing", "moves undone by XOR", walls::undoing),
        solvable.case("bounded", "with the distance bound", walls::bounded),
        solvable.case("edges", "one bit per edge, with the distance bound", walls::edges),
        solvable.case("bfs", "BFS, edges in a std set", walls::breadth_first_std),
        solvable.case("bfs-fx", "BFS, FxHash set", walls::breadth_first_fx),
        solvable.ours(ours),
    ];
    let claims = vec![
        Claim {
            claimed_ratio: Some(0.439 / 0.726),
            ..solvable.claim_faster(
                "walls.bound",
                "a search with the distance bound is faster",
                &["undoing", "bounded"],
            )
        },
        solvable.claim_faster(
            "walls.undo-vs-copy",
            "undoing moves by XOR is faster than copying the maze",
            &["copying", "undoing"],
        ),
        solvable.claim_faster(
            "walls.cells-vs-edges",
            "one bit per edge is faster than two bits per wall",
            &["bounded", "edges"],
        ),
        solvable.claim_faster(
            "walls.idastar-vs-bfs",
            "BFS with a visited set is faster than IDA*",
            &["edges", "bfs", "bfs-fx"],
        ),
    ];
    let ladder = solvable.ids(&["copying", "undoing", "bounded", "edges", "bfs", "bfs-fx", "ours"]);
    let title = "Walls: solvable mazes, textbook programs and ours".to_owned();
    Ok(Comparison { title, cases, claims, ladder, ..Comparison::default() })
}

/// 横刀立马 and its fewest moves.
const CLASSIC: (&str, u32) = ("aCCb/aCCb/cdde/cfge/h..i", 81);
/// 前呼后拥 and its fewest moves. It has few enough boards to distinguish all pieces.
const SMALL: (&str, u32) = ("abCC/ccCC/ddee/ffgg/..hi", 22);

fn klotski() -> anyhow::Result<[Comparison; 2]> {
    let with_words = |program: fn(&u64) -> SearchResult| {
        move |boards: &[&str]| boards.iter().map(|board| program(&read(board))).collect()
    };
    let classic = Workload::new("klotski.classic", vec![CLASSIC.0], vec![Some(CLASSIC.1)])?;
    let with_strings = |boards: &[&str]| {
        boards.iter().map(|board| klotski::in_std_set::<String>(&read(board))).collect()
    };
    let with_arrays = |boards: &[&str]| {
        boards.iter().map(|board| klotski::in_std_set::<[u8; 20]>(&read(board))).collect()
    };
    let cases = vec![
        classic.case("string", "string in a std set", with_strings),
        classic.case("array", "20 bytes in a std set", with_arrays),
        classic.case("word", "60 bits in a std set", with_words(klotski::in_std_set::<u64>)),
        classic.case("blanks", "moves of blanks, not of pieces", with_words(klotski::by_blanks)),
        classic.case("fx", "FxHash set", with_words(klotski::fx)),
        classic.case(
            "chained",
            "folded hash, prime number of chains",
            with_words(klotski::chained),
        ),
        classic.case("own-table", "open addressing", with_words(klotski::own_table)),
        classic.case("layers", "one vector per layer, no queue", with_words(klotski::layers)),
        classic.case(
            "two-look-ups",
            "mirror image also looked up",
            with_words(klotski::two_look_ups),
        ),
        classic.case("canonical", "canonical form", with_words(klotski::canonical)),
        classic.ours(instances("klotski", CLASSIC.0)?),
    ];
    let claims = vec![
        Claim {
            claimed_ratio: Some(10.0 / 30.0),
            ..classic.claim_in_order(
                "klotski.string-array-word",
                "an array is faster than a string, and a word is faster than an array",
                &["string", "array", "word"],
            )
        },
        Claim {
            claimed_ratio: Some(4.0 / 10.0),
            ..classic.claim_in_order(
                "klotski.std-fx-own",
                "an FxHash set is faster than a std set, and a custom table is faster than both",
                &["blanks", "fx", "own-table"],
            )
        },
        classic.claim_faster(
            "klotski.chained-prime-folding",
            "open addressing is faster than a folded hash with a prime number of chains",
            &["chained", "own-table"],
        ),
        classic.claim_faster(
            "klotski.blanks-vs-pieces",
            "moving blanks is faster than moving pieces (claimed: by 5 ms)",
            &["word", "blanks"],
        ),
        classic.claim_faster(
            "klotski.mirror",
            "symmetry reduction is faster: two lookups, canonical form",
            &["layers", "two-look-ups", "canonical"],
        ),
        classic.claim_faster(
            "klotski.queue",
            "one vector per layer is faster than the library's queue",
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
    let title = "Klotski: heng dao li ma, textbook programs and ours".to_owned();
    let classic = Comparison { title, cases, claims, ladder, ..Comparison::default() };

    let small = Workload::new("klotski.small", vec![SMALL.0], vec![Some(SMALL.1)])?;
    let cases = vec![
        small.case("told-apart", "all pieces distinguished", with_words(places::distinct)),
        small.case("merged", "equal pieces merged", with_words(places::merged)),
        small.case("breadth-first", "BFS, words in an FxHash set", with_words(klotski::fx)),
        small.case(
            "depth-first",
            "iterative deepening with a table",
            with_words(klotski::depth_first),
        ),
    ];
    let claims = vec![
        small.claim_faster(
            "klotski.merge-equal",
            "merging equal pieces is faster than distinguishing them",
            &["told-apart", "merged"],
        ),
        Claim {
            faster: false,
            ..small.claim_faster(
                "klotski.dfs",
                "depth-first search is slower than breadth-first search",
                &["breadth-first", "depth-first"],
            )
        },
    ];
    let title = "Klotski: a small layout".to_owned();
    Ok([classic, Comparison { title, cases, claims, ..Comparison::default() }])
}

/// Start, target and fewest moves: the official sample, the two longest tasks of this project, and
/// an unsolvable one.
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
        four.case("recovered", "map from board to previous board", boards::recovered),
        four.case("arrays", "only the number of moves", boards::arrays),
        four.case("plus-minus", "16 bits, powers of two added", boards::plus_minus),
        four.case("xor", "16 bits, flipped by XOR", boards::xor),
        four.case("fx", "FxHash set", boards::fx),
        four.case("dense", "one byte per board", boards::dense),
        four.ours(instances("black-white", &text)?),
    ];
    let claims = vec![
        four.claim_faster(
            "boards.paths-in-queue",
            "recovering moves afterwards is faster than storing them in the queue",
            &["paths", "recovered"],
        ),
        four.claim_faster(
            "boards.array-vs-bits",
            "16 bits are faster than an array",
            &["arrays", "plus-minus"],
        ),
        four.claim_faster(
            "boards.plus-minus-vs-xor",
            "flipping bits is faster than adding and subtracting",
            &["plus-minus", "xor"],
        ),
    ];
    let ladder =
        four.ids(&["paths", "recovered", "arrays", "plus-minus", "xor", "fx", "dense", "ours"]);
    let title = "Boards: four tasks, textbook programs and ours".to_owned();
    Ok(Comparison { title, cases, claims, ladder, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(ghosts()?.into_iter().chain([walls()?]).chain(klotski()?).chain([boards()?]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_ladders_name_existing_cases() {
        let boards = crate::bench::boards::comparisons().unwrap();
        for comparison in comparisons().unwrap().into_iter().chain(boards) {
            let named = comparison
                .claims
                .iter()
                .flat_map(|claim| &claim.case_ids)
                .chain(&comparison.ladder);
            for id in named {
                assert!(comparison.cases.iter().any(|case| case.id == *id), "{id}");
            }
        }
    }
}
