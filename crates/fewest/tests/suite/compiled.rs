//! What is compiled how often.

use std::collections::BTreeSet;
use std::fs;

use crate::program::root;

/// On Unix, the names of functions are in the program.
#[test]
fn the_layer_loop_is_compiled_once_for_each_word() {
    // The name ends with a hash.
    const NAME: &[u8] = b"fewest_core6layers13expand_layers17h";
    let program = fs::read(env!("CARGO_BIN_EXE_fewest")).expect("a program");
    let starts = program.windows(NAME.len()).enumerate().filter(|(_, name)| *name == NAME);
    let hashes = starts.map(|(start, _)| &program[start + NAME.len()..][..16]);
    let copies = hashes.collect::<BTreeSet<_>>().len();
    let words = root().join("crates/core/src/search/compiled.rs");
    let words = fs::read_to_string(words).expect("UTF-8");
    let core = words.lines().find_map(|line| {
        line.strip_prefix("compiled! { ")?.strip_suffix(" }").filter(|list| !list.contains('#'))
    });
    // halloween searches `[u64; 7]`, which core leaves to it.
    let words = core.expect("a list").split(", ").count() + 1;
    assert!((1..=words).contains(&copies), "{copies} copies for {words} words");
}
