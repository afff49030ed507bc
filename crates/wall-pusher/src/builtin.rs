//! Mazes that the program knows by name.

use fewest_core::builtin::Builtin;

/// All of them, as drawings, which tell their size.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        names: &["sample"],
        about: "the official sample: 16 moves, in one way only",
        text: "\
+--+--+--+--+--+--+
                  |
+--+  +--+--+  +  +
|     |     |     |
+  +--+--+--+--+  +
|  |S |     |  |  |
+--+--+  +  +--+--+
   |     |     |
+--+--+--+--+--+--+
",
    },
    Builtin {
        names: &["long"],
        about: "16 moves, the most of twenty thousand random mazes of the classic size",
        text: "\
+--+--+--+--+--+--+
|     |     |     |
+--+  +--+  +--+  +
|  |  |           |
+  +  +--+--+  +--+
|     |  |S |  |  |
+  +--+  +  +--+  +
|  |     |        |
+--+  +--+--+--+--+
",
    },
    Builtin {
        names: &["hardest"],
        about: "24 moves, in one way only: the most of a million and a half that `generate --hard` tried in ten minutes",
        text: "\
+  +--+  +--+--+--+
|     |  |     |
+  +  +--+  +--+  +
|  |  |  |     |  |
+  +--+  +--+  +  +
|  |  |  |S    |  |
+  +  +  +--+--+  +
   |     |        |
+--+  +--+--+--+--+
",
    },
    Builtin {
        names: &["large"],
        about: "8 x 8 cells, 18 moves",
        text: "\
+--+--+--+--+--+--+--+--+
|S    |  |  |     |
+--+  +--+--+  +  +--+  +
|           |  |  |  |  |
+  +--+--+--+  +--+--+  +
|     |        |  |     |
+--+  +  +  +--+  +  +  +
|  |  |     |  |  |     |
+  +  +--+--+  +  +--+  +
|              |  |  |  |
+--+--+--+--+--+  +--+--+
|  |        |  |  |  |  |
+--+--+--+--+  +--+  +--+
|  |           |  |     |
+--+--+--+--+--+--+  +  +
|     |  |  |     |  |  |
+--+--+--+--+--+--+--+--+
",
    },
    Builtin {
        names: &["larger"],
        about: "8 x 8 cells, 38 moves, in one way only",
        text: "\
+--+--+--+--+--+--+--+--+
|     |  |  |  |  |  |
+  +  +  +--+--+  +--+--+
|  |S    |        |     |
+  +--+--+  +  +--+  +  +
|        |  |  |  |  |  |
+--+--+  +  +--+--+  +--+
|  |     |  |  |     |  |
+--+  +--+  +--+  +--+  +
|  |        |  |  |     |
+  +--+--+--+  +--+  +--+
|        |     |  |  |
+--+--+--+--+  +--+--+--+
|  |  |           |     |
+--+  +--+--+  +--+--+  +
      |  |  |        |  |
+  +--+  +--+--+--+--+--+
",
    },
    Builtin {
        names: &["shut"],
        about: "unsolvable: the only gap is closed by the wall that has to be pushed",
        text: "\
+--+--+
|S |
+--+--+
",
    },
];
