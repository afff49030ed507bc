//! What is refused, and in which words.

use fewest_core::Budget;
use fewest_permutations::Permutations;

fn refusal(puzzle: Permutations) -> String {
    puzzle.build().unwrap_err().to_string()
}

#[test]
fn what_is_no_puzzle_is_refused_with_its_place() {
    let three = || Permutations::new(3);
    let cases = [
        (Permutations::new(0), "0 places: expected 1 to 64"),
        (Permutations::lrx(65), "65 places: expected 1 to 64"),
        (Permutations::pancake(1 << 40), "1099511627776 places: expected 1 to 64"),
        (Permutations::burnt_pancake(usize::MAX), "18446744073709551615 places: expected 1 to 64"),
        (
            Permutations::top_spin(5, usize::MAX),
            "generator `F`: there is no place 18446744073709551614; the last one is 4",
        ),
        (three(), "no generator: expected at least one"),
        (three().generator("U", [[0, 3]]), "generator `U`: there is no place 3; the last one is 2"),
        (three().generator("U", [[0, 1], [1, 2]]), "generator `U`: place 1 is in its cycles twice"),
        (
            three().generator_from_images("U", [1, 0]),
            "generator `U`: its list has 2 images: expected one for each of 3 places",
        ),
        (
            three().generator_from_images("U", [2, 0, 2]),
            "generator `U`: it has no inverse: places 0 and 2 both go to place 2",
        ),
        (
            three().generator("U", [[0, 1]]).generator("U", [[1, 2]]),
            "generator `U`: another one has the same name",
        ),
        (
            three().generator("U", [[0, 1, 2]]).generator("U'", [[0, 1]]).with_inverses(),
            "generator `U'`: another one has the same name",
        ),
        (
            three().generator("U", [[0, 1]]).colours([1, 1]),
            "2 colours: expected one for each of 3 places",
        ),
        // A power for each of 2 * 3 * 5 * 7 * 11 residues.
        (
            Permutations::new(28)
                .generator_from_images(
                    "U",
                    Vec::from_iter(
                        [(0, 2), (2, 3), (5, 5), (10, 7), (17, 11)].into_iter().flat_map(
                            |(at, length)| (0..length).map(move |p| at + (p + 1) % length),
                        ),
                    ),
                )
                .with_powers(),
            "1025 moves, with powers and inverses: expected at most 1024",
        ),
    ];
    for (puzzle, expected) in cases {
        assert_eq!(refusal(puzzle), expected);
    }
}

#[test]
fn an_arrangement_of_other_labels_is_refused() {
    let budget = Budget::unlimited();
    let row = Permutations::lrx(4).build().unwrap();
    let refusal = |arrangement: &[u8]| row.solve(arrangement, &budget).unwrap_err().to_string();
    assert_eq!(refusal(&[0, 1, 2]), "3 labels: expected one for each of 4 places");
    assert_eq!(refusal(&[0, 1, 2, 2]), "label 2 occurs 2 times: expected 1");
    assert_eq!(refusal(&[0, 1, 2, 9]), "label 3 occurs 0 times: expected 1");
}

#[test]
fn powers_and_inverses_have_the_names_of_the_literature() {
    let turn = || Permutations::new(4).generator("U", [[0, 1, 2, 3]]);
    let names = |puzzle: Permutations| {
        puzzle.build().unwrap().names().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(turn()), ["U"]);
    assert_eq!(names(turn().with_inverses()), ["U", "U'"]);
    assert_eq!(names(turn().with_powers()), ["U", "U2", "U'"]);
    // Neither what undoes itself nor what is a generator is added.
    assert_eq!(names(Permutations::lrx(4).with_inverses()), ["L", "R", "X"]);
    assert_eq!(names(Permutations::lrx(4).with_powers()), ["L", "L2", "R", "X"]);
    assert_eq!(names(Permutations::pancake(4)), ["2", "3", "4"]);
}
