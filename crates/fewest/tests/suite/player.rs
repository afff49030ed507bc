//! Pages with a player, in a real browser with real input.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::browser::Page;
use crate::program::run;

/// An instance of each puzzle, and its number of moves.
const INSTANCES: [(&str, &str, u64); 4] = [
    ("halloween", "sample-1", 7),
    ("wall-pusher", "sample", 16),
    ("klotski", "heng-dao-li-ma", 81),
    ("black-white", "sample", 4),
];

/// Writes the page of a solved instance.
fn page_of(puzzle: &str, instance: &str, folder: &Path) -> PathBuf {
    let file = folder.join(format!("{puzzle}.html"));
    let ran = run(&format!("{puzzle} solve {instance} --show -o {}", file.display()), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    file
}

/// Where the parts are before the first move and after the last, by `show --json`: rows and
/// columns.
fn places(puzzle: &str, instance: &str, folder: &Path) -> [Vec<Value>; 2] {
    let plan = run(&format!("{puzzle} solve {instance}"), b"").out;
    let file = folder.join(format!("{puzzle}.plan"));
    std::fs::write(&file, plan).expect("written");
    let shown = run(&format!("{puzzle} show {instance} --plan {} --json", file.display()), b"");
    let shown: Value = serde_json::from_str(&shown.out).expect("JSON");
    let parts = shown["parts"].as_array().expect("parts");
    let start: Vec<Value> = parts.iter().map(|part| part["at"].clone()).collect();
    let mut end = start.clone();
    for step in shown["steps"].as_array().expect("steps") {
        for motion in step["motions"].as_array().expect("motions") {
            let path = motion["path"].as_array().expect("a path");
            end[motion["part"].as_u64().expect("a part") as usize] = path[path.len() - 1].clone();
        }
    }
    [start, end]
}

/// The rows and columns of the parts on the page, in hundredths of a cell from the corner of the
/// picture.
fn shown(page: &mut Page) -> Vec<(i64, i64)> {
    let places = page.value(
        "[...document.querySelectorAll('[data-part]')].map((part) => \
         part.transform.baseVal[0].matrix).map(({ e, f }) => [f / 40, e / 40])",
    );
    let place = |place: &Value| {
        let number =
            |index: usize| (place[index].as_f64().expect("a number") * 100.0).round() as i64;
        (number(0), number(1))
    };
    places.as_array().expect("parts").iter().map(place).collect()
}

#[test]
fn a_page_replays_the_plan_of_each_puzzle() {
    let Some(mut page) = Page::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (puzzle, instance, moves) in INSTANCES {
        page.open(&page_of(puzzle, instance, folder.path()));
        let [start, end] = places(puzzle, instance, folder.path());
        // The corner of the first cell is the margin of the picture, which may begin elsewhere.
        let first = shown(&mut page)[0];
        let expected = |places: &[Value]| -> Vec<(i64, i64)> {
            let number = |place: &Value, index: usize| place[index].as_i64().expect("a number");
            let place = |place: &Value| {
                let from = |index| 100 * (number(place, index) - number(&start[0], index));
                (first.0 + from(0), first.1 + from(1))
            };
            places.iter().map(place).collect()
        };
        assert_eq!(shown(&mut page), expected(&start), "{puzzle}");
        page.press("End");
        assert_eq!(shown(&mut page), expected(&end), "{puzzle}");
        let output = page.value("document.querySelector('output').textContent");
        assert!(output.as_str().expect("text").starts_with(&format!("{moves} of {moves}: ")));
        page.press("Home");
        assert_eq!(shown(&mut page), expected(&start), "{puzzle}");
        // Played by the keyboard. Without motion, the text and the board change together.
        page.prefer(&[("prefers-reduced-motion", "reduce")]);
        page.value("document.querySelector('[data-role=speed]').value = '4'");
        if moves < 20 {
            page.press(" ");
            page.wait_for("document.querySelector('[data-role=next]').ariaDisabled === 'true'");
            assert_eq!(shown(&mut page), expected(&end), "{puzzle}");
        }
        assert_eq!(page.faults(), Vec::<Value>::new(), "{puzzle}");
        page.prefer(&[]);
    }
}

#[test]
fn a_page_is_used_by_mouse_touch_and_keyboard() {
    let Some(mut page) = Page::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = page_of("klotski", "heng-dao-li-ma", folder.path());
    let bytes = std::fs::metadata(&file).expect("a file").len();
    assert!(bytes < 100_000, "{bytes}");
    page.open(&file);
    let at =
        |page: &mut Page| page.value("Number(document.querySelector('[data-role=scrub]').value)");
    page.click("[data-role=last]");
    assert_eq!(at(&mut page), 81);
    page.click("[data-role=back]");
    assert_eq!(at(&mut page), 80);
    page.click(".moves li:nth-child(40) button");
    assert_eq!(at(&mut page), 40);
    let current = "document.querySelector('.moves [aria-current]').textContent";
    assert_eq!(
        page.value(current),
        page.value("document.querySelectorAll('.moves button')[39].textContent")
    );
    page.drag("[data-role=scrub]", (0.5, 0.5), (0.01, 0.5));
    assert_eq!(at(&mut page), 0);
    page.drag("[data-role=scrub]", (0.02, 0.5), (0.99, 0.5));
    assert_eq!(at(&mut page), 81);
    page.press("Home");
    page.tap("[data-role=next]");
    page.wait_for("document.querySelector('[data-role=scrub]').value === '1'");
    // A second press ends a motion and starts the next one; Back takes a motion back, and a pause a
    // half-made move.
    // So slow that no motion ends by itself.
    let speed = "document.querySelector('[data-role=speed]')";
    page.value(&format!("{speed}.add(new Option('0.01')), {speed}.value = '0.01'"));
    let pressed = |page: &mut Page, names: &[&str]| {
        let names = json!(names);
        page.value(&format!(
            "{names}.forEach((name) => document.querySelector(`[data-role=${{name}}]`).click()), \
             Number(document.querySelector('[data-role=scrub]').value)"
        ))
    };
    assert_eq!(pressed(&mut page, &["next", "next", "back"]), 2);
    let two = shown(&mut page);
    assert_eq!(pressed(&mut page, &["next", "back"]), 2);
    assert_eq!(shown(&mut page), two);
    let board = "document.querySelector('.picture').innerHTML";
    page.value(&format!("window.two = {board}"));
    assert_eq!(pressed(&mut page, &["play"]), 2);
    page.wait_for(&format!("{board} !== window.two"));
    assert_eq!(pressed(&mut page, &["play"]), 2);
    assert_eq!(shown(&mut page), two);
    page.press("ArrowLeft");
    assert_eq!(at(&mut page), 1);
    page.value(&format!("{speed}.value = '1'"));
    // A plan that is played can be stopped between two moves.
    page.click("[data-role=play]");
    page.wait_for("document.querySelector('[data-role=scrub]').value === '3'");
    page.click("[data-role=play]");
    let stopped = at(&mut page);
    page.value("new Promise((done) => setTimeout(done, 1500))");
    assert_eq!(at(&mut page), stopped);
    assert_eq!(page.faults(), Vec::<Value>::new());
}

#[test]
fn a_page_suits_phones_dark_rooms_and_readers_of_chinese() {
    let Some(mut page) = Page::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = page_of("halloween", "sample-3", folder.path());
    page.resize(360, 640);
    page.prefer(&[("prefers-color-scheme", "dark")]);
    page.speak("zh-CN");
    page.open(&file);
    let element = "document.documentElement";
    assert_eq!(page.value(&format!("{element}.scrollWidth > {element}.clientWidth")), false);
    let label = "document.querySelector('[data-role=play]').getAttribute('aria-label')";
    assert_eq!(page.value(label), "播放");
    assert_eq!(page.value("document.querySelector('.controls').lang"), "zh");
    let colour = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(page.value(colour), "rgb(13, 17, 23)");
    page.prefer(&[("prefers-color-scheme", "light")]);
    assert_eq!(page.value(colour), "rgb(255, 255, 255)");
    // Everything that can be pressed has a name.
    let nameless = "[...document.querySelectorAll('button, input, select')].filter((element) => \
                    !element.getAttribute('aria-label') && !element.textContent.trim()).length";
    assert_eq!(page.value(nameless), json!(0));
    assert_eq!(page.faults(), Vec::<Value>::new());
}

/// Walls change their colour when they are pushed.
#[test]
fn colours_are_those_of_the_move_in_both_directions() {
    let Some(mut page) = Page::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    page.open(&page_of("wall-pusher", "sample", folder.path()));
    let pushed = |page: &mut Page| {
        page.value("document.querySelectorAll('[data-part=line].hue0-line').length")
    };
    let counts: Vec<Value> = (1..=16)
        .map(|number| {
            page.click(&format!(".moves li:nth-child({number}) button"));
            pushed(&mut page)
        })
        .collect();
    assert!(counts[0] == 1 && counts[15].as_u64() > Some(3), "{counts:?}");
    for number in (1..=16).rev() {
        assert_eq!(pushed(&mut page), counts[number - 1], "after move {number}");
        page.press("ArrowLeft");
    }
    assert_eq!(pushed(&mut page), 0);
}

#[test]
fn a_page_without_scripts_has_the_board_and_the_moves() {
    let Some(mut page) = Page::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.open(&page_of("halloween", "sample-1", folder.path()));
    let shown = "[...document.querySelectorAll('button, select, input')].filter((element) => \
                 element.checkVisibility()).length";
    assert_eq!(page.value(shown), json!(0));
    assert_eq!(page.value("document.querySelectorAll('.moves li').length"), 7);
}

#[test]
fn a_page_without_a_plan_is_a_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board.html");
    let ran = run(&format!("klotski show heng-dao-li-ma -o {}", file.display()), b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let page = std::fs::read_to_string(&file).expect("a file");
    assert!(page.contains("<svg") && !page.contains("<script"), "{page}");
}
