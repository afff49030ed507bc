//! Built-in pairs of boards.

use fewest_rules::builtin::Builtin;

/// All built-in pairs of boards, as drawings.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        names: &["sample", "样例"],
        about: "the official sample: 4 moves, 24 shortest plans",
        moves: Some(4),
        text: "\
XXXX
....
XXX.
..X.

X.X.
.X.X
X.X.
.X.X
",
    },
    Builtin {
        names: &["inverted", "上下对换"],
        about: "4 x 4 cells, top and bottom half exchanged: 16 moves",
        moves: Some(16),
        text: "\
XXXX
XXXX
....
....

....
....
XXXX
XXXX
",
    },
    Builtin {
        names: &["chequered", "棋盘格"],
        about: "5 x 5 cells, from a block to a chequerboard: 21 moves",
        moves: Some(21),
        text: "\
XX...
XX...
XX...
XX...
XX...

X.X.X
.X.X.
X.X.X
.X.X.
.....
",
    },
    Builtin {
        names: &["corners", "角到角"],
        about: "6 x 6 cells, nine pieces from corner to corner: 54 moves",
        moves: Some(54),
        text: "\
XXX...
XXX...
XXX...
......
......
......

......
......
......
...XXX
...XXX
...XXX
",
    },
    Builtin {
        names: &["one-less", "少一枚"],
        about: "unsolvable: the target has one black piece fewer than the start",
        moves: None,
        text: "\
XX..
X...

XX..
....
",
    },
];
