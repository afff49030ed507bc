//! Built-in mazes.

use fewest_rules::builtin::Builtin;

/// All built-in mazes, as drawings.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        names: &["sample", "样例"],
        about: "the official sample: 16 moves, one shortest plan",
        moves: Some(16),
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
        names: &["long", "长路"],
        about: "16 moves, the maximum of 20,000 random mazes of 4 x 6 cells",
        moves: Some(16),
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
        names: &["hardest", "最难"],
        about: "24 moves, one shortest plan: the maximum of 1.5 million mazes that \
                `generate --hard` tried in 10 minutes",
        moves: Some(24),
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
        names: &["large", "大迷宫"],
        about: "8 x 8 cells, 18 moves",
        moves: Some(18),
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
        names: &["larger", "更大的迷宫"],
        about: "8 x 8 cells, 38 moves, one shortest plan",
        moves: Some(38),
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
        names: &["shut", "封死"],
        about: "unsolvable: the wall that has to be pushed closes the only gap",
        moves: None,
        text: "\
+--+--+
|S |
+--+--+
",
    },
];
