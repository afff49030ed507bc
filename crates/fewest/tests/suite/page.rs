//! The page of `serve`, and the same page without a server, in a real browser with real input.

use std::io::Write;

use serde_json::Value;

use crate::browser::Page;
use crate::program::run;
use crate::serve::Serving;
use crate::site::{self, Site};

/// An instance of each puzzle with a short plan.
pub(crate) const INSTANCES: [(&str, &str); 4] = [
    ("halloween", "sample-1"),
    ("wall-pusher", "sample"),
    ("klotski", "qian-hu-hou-yong"),
    ("black-white", "sample"),
];

/// What the page asks.
pub(crate) enum Solver {
    /// The program.
    Server(Serving),
    /// A worker, on a page that any web server has.
    Worker(Site),
}

impl Solver {
    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Server(server) => server.url(),
            Self::Worker(site) => site.url(),
        }
    }
}

/// Tests the page with each solver that there is.
pub(crate) fn on_each_solver(test: impl Fn(Page, Solver)) {
    let server = || Some(Solver::Server(Serving::start("fewest", &[])));
    let worker = || Some(Solver::Worker(Site::start(site::folder()?)));
    let solvers: [&dyn Fn() -> Option<Solver>; 2] = [&server, &worker];
    for start in solvers {
        let Some(mut page) = Page::new() else { return };
        let Some(solver) = start() else { continue };
        page.resize(1280, 800);
        page.load(&solver.url());
        page.wait_for(READY);
        // Moves are shown at once.
        page.prefer(&[("prefers-reduced-motion", "reduce")]);
        test(page, solver);
    }
}

pub(crate) const READY: &str = "document.documentElement.dataset.ready === 'true'";

/// Does something that starts an instance, and waits until it is known.
pub(crate) fn begin(page: &mut Page, start: impl FnOnce(&mut Page)) {
    let begun = "document.documentElement.dataset.begun";
    let before = page.value(begun);
    start(page);
    page.wait_for(&format!("{begun} !== {before}"));
    is_known(page);
}

/// Chooses a value of a list.
pub(crate) fn select(page: &mut Page, id: &str, value: &str) {
    page.value(&format!(
        "(() => {{ const list = document.getElementById('{id}'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change')); }})()"
    ));
}

/// Chooses a puzzle, on the start page or in the list.
pub(crate) fn choose_puzzle(page: &mut Page, puzzle: &str) {
    begin(page, |page| match page.value("document.documentElement.dataset.view") == "start" {
        true => page.click(&format!("[data-puzzle={puzzle}]")),
        false => select(page, "puzzle", puzzle),
    });
}

/// Chooses a puzzle and one of its instances.
pub(crate) fn choose(page: &mut Page, puzzle: &str, instance: &str) {
    choose_puzzle(page, puzzle);
    begin(page, |page| {
        page.click("#instances");
        page.value(
            "document.querySelectorAll('dialog details').forEach((it) => { it.open = true; })",
        );
        page.click(&format!("dialog [data-name=\"{instance}\"]"));
    });
}

/// Reads a text in the dialog of texts.
pub(crate) fn import(page: &mut Page, text: &str) {
    page.click("#texts");
    page.wait_for("document.getElementById('import-text') !== null");
    page.click("#import-text");
    page.insert(text);
    page.click("#import-read");
}

/// Waits until the fewest moves are known.
pub(crate) fn is_known(page: &mut Page) {
    page.wait_for("document.querySelector('#known b') !== null");
}

pub(crate) fn text(page: &mut Page, selector: &str) -> String {
    let text = page.value(&format!("document.querySelector('{selector}').textContent"));
    text.as_str().expect("text").to_owned()
}

/// The fewest moves that the page shows.
fn fewest(page: &mut Page) -> String {
    is_known(page);
    text(page, "#known b")
}

/// Waits for a number of fewest moves.
pub(crate) fn wait_for_fewest(page: &mut Page, moves: usize) {
    let shown = if moves == 0 { "Solved".to_owned() } else { moves.to_string() };
    page.wait_for(&format!("document.querySelector('#known b')?.textContent === '{shown}'"));
}

/// The plan that the program finds.
pub(crate) fn plan(puzzle: &str, instance: &str) -> Vec<String> {
    let solved = run(&format!("{puzzle} solve {instance} --json"), b"").out;
    let solved: Value = serde_json::from_str(&solved).expect("JSON");
    let plan = solved["plan"].as_array().expect("a plan");
    plan.iter().map(|line| line.as_str().expect("a line").to_owned()).collect()
}

/// The middle of a part in the window, and the width of a cell there: `[x, y, width]`.
pub(crate) fn part(page: &mut Page, find: &str) -> [f64; 3] {
    let found = page.value(&format!(
        "(() => {{ const svg = document.querySelector('#picture svg'); \
         const parts = [...svg.querySelectorAll('[data-number]')]; \
         const part = parts.find((part) => {find}); \
         part.scrollIntoView({{ block: 'center' }}); \
         const {{ x, y, width, height }} = part.firstElementChild.getBoundingClientRect(); \
         return [x + width / 2, y + height / 2, 40 * svg.getScreenCTM().a]; }})()"
    ));
    [0, 1, 2].map(|index| found[index].as_f64().expect("a number"))
}

fn shift(letter: char) -> (f64, f64) {
    match letter {
        'N' => (0.0, -1.0),
        'E' => (1.0, 0.0),
        'S' => (0.0, 1.0),
        _ => (-1.0, 0.0),
    }
}

fn arrow(letter: char) -> &'static str {
    match letter {
        'N' => "ArrowUp",
        'E' => "ArrowRight",
        'S' => "ArrowDown",
        _ => "ArrowLeft",
    }
}

/// The points from the middle of a part along the letters of a path.
pub(crate) fn along([x, y, width]: [f64; 3], path: &str) -> Vec<(f64, f64)> {
    let mut points = vec![(x, y)];
    for letter in path.chars() {
        let (right, down) = shift(letter);
        let (x, y) = points[points.len() - 1];
        points.push((x + right * width, y + down * width));
    }
    points
}

/// Makes a move: klotski with the mouse, black-white with a finger, and the others by keys.
pub(crate) fn play(page: &mut Page, puzzle: &str, line: &str) {
    match puzzle {
        "klotski" => {
            let (name, path) = line.split_at(1);
            let middle = part(page, &format!("part.textContent === '{name}'"));
            page.drag_along(&along(middle, path));
        }
        "black-white" => {
            let digits: Vec<u32> =
                line.chars().map(|digit| digit.to_digit(10).expect("a digit")).collect();
            let at = format!(
                "((place) => Math.round((place.f - 8) / 40) === {} && Math.round((place.e - 8) / 40) === {})\
                 (part.transform.baseVal[0].matrix)",
                digits[0] - 1,
                digits[1] - 1
            );
            let path = if digits[0] == digits[2] { "E" } else { "S" };
            let middle = part(page, &at);
            page.swipe_along(&along(middle, path));
        }
        "wall-pusher" => page.press(arrow(line.chars().next().expect("a letter"))),
        _ => {
            for word in line.split(' ').filter(|word| *word != "-") {
                let (name, direction) = word.split_at(1);
                let [x, y, _] = part(page, &format!("part.textContent === '{name}'"));
                page.drag_along(&[(x, y), (x, y)]);
                page.press(arrow(direction.chars().next().expect("a letter")));
            }
            page.press("Enter");
        }
    }
}

#[test]
fn each_puzzle_is_played_to_the_end_by_mouse_finger_or_keys() {
    on_each_solver(each_puzzle_is_played_to_the_end_by_mouse_finger_or_keys_with);
}

fn each_puzzle_is_played_to_the_end_by_mouse_finger_or_keys_with(mut page: Page, _solver: Solver) {
    for (puzzle, instance) in INSTANCES {
        choose(&mut page, puzzle, instance);
        let plan = plan(puzzle, instance);
        assert_eq!(fewest(&mut page), plan.len().to_string(), "{puzzle}");
        if puzzle == "halloween" {
            page.click("#together");
        }
        for (made, line) in plan.iter().enumerate() {
            play(&mut page, puzzle, line);
            wait_for_fewest(&mut page, plan.len() - made - 1);
        }
        // Undo and redo, by buttons and by keys.
        page.click("#undo");
        wait_for_fewest(&mut page, 1);
        page.press("u");
        wait_for_fewest(&mut page, 2);
        page.press("r");
        page.click("#redo");
        wait_for_fewest(&mut page, 0);
        let made = page.value("document.querySelectorAll('#tree button').length");
        assert_eq!(made, plan.len(), "{puzzle}");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn hints_come_in_steps_and_a_plan_is_scrubbed() {
    on_each_solver(hints_come_in_steps_and_a_plan_is_scrubbed_with);
}

fn hints_come_in_steps_and_a_plan_is_scrubbed_with(mut page: Page, _solver: Solver) {
    for (puzzle, instance) in INSTANCES {
        choose(&mut page, puzzle, instance);
        let moves = plan(puzzle, instance).len();
        page.click("#hint");
        page.wait_for("document.querySelector('#picture .hinted') !== null");
        assert_eq!(page.value("document.querySelectorAll('#tree button').length"), 0, "{puzzle}");
        page.press("h");
        page.wait_for("document.getElementById('status').textContent.startsWith('Next:')");
        page.click("#hint");
        page.wait_for(&format!("document.querySelectorAll('#tree button').length === {moves}"));
        // Nothing is made yet.
        wait_for_fewest(&mut page, moves);
        page.click("#solve");
        page.wait_for(
            "document.getElementById('status').textContent.startsWith('A shortest plan of')",
        );
        // The curve of the moves left, and the scrub bar, to its end and to its beginning.
        page.wait_for("document.querySelector('#curve .left')?.getAttribute('d').includes('L')");
        page.drag("#curve", (0.5, 0.5), (0.999, 0.5));
        wait_for_fewest(&mut page, 0);
        page.drag("#curve", (0.5, 0.5), (0.0, 0.5));
        wait_for_fewest(&mut page, moves);
        page.drag("[data-role=scrub]", (0.5, 0.5), (0.999, 0.5));
        wait_for_fewest(&mut page, 0);
        page.drag("[data-role=scrub]", (0.999, 0.5), (0.0, 0.5));
        wait_for_fewest(&mut page, moves);
        page.click("[data-role=next]");
        wait_for_fewest(&mut page, moves - 1);
        assert_eq!(
            page.value("document.querySelector('#tree [aria-current]').textContent.split(' ')[0]"),
            "1"
        );
        page.click("[data-role=first]");
        page.click("[data-role=play]");
        page.wait_for(
            "document.querySelector('#tree [aria-current]')?.textContent.startsWith('3 ')",
        );
        page.click("[data-role=play]");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn another_move_is_a_branch_and_illegal_moves_are_refused_with_the_rule() {
    on_each_solver(another_move_is_a_branch_and_illegal_moves_are_refused_with_the_rule_with);
}

fn another_move_is_a_branch_and_illegal_moves_are_refused_with_the_rule_with(
    mut page: Page,
    _solver: Solver,
) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    let drag = |page: &mut Page, name: &str, path: &str| {
        let middle = part(page, &format!("part.textContent === '{name}'"));
        page.drag_along(&along(middle, path));
    };
    let (first, fewer) = (plan("klotski", "qian-hu-hou-yong")[0].clone(), 21);
    // Nothing is marked before somebody asks for it, and that is remembered.
    assert_eq!(page.value("document.querySelectorAll('.keeps, .other').length"), 0);
    page.click("#show-best");
    page.wait_for("document.querySelector('#picture .marks .keeps') !== null");
    play(&mut page, "klotski", &first);
    wait_for_fewest(&mut page, fewer);
    page.wait_for("document.querySelectorAll('#tree .best').length === 1");
    page.click("#undo");
    // A move that is not listed as one that keeps to a shortest plan.
    page.wait_for("document.querySelector('#legal-moves button:not(.keeps)') !== null");
    page.click("#legal-moves li:has(button:not(.keeps)) button:not(.keeps)");
    page.wait_for("document.querySelectorAll('#tree button').length === 2");
    assert_eq!(page.value("document.querySelectorAll('#tree .branch').length"), 1);
    // By how many moves it is worse.
    page.wait_for("/^[+][0-9]+$/.test(document.querySelectorAll('#tree button')[1].dataset.mark)");
    page.click("#tree button");
    wait_for_fewest(&mut page, fewer);
    // The large piece is in the corner.
    drag(&mut page, "C", "N");
    page.wait_for("document.getElementById('status').classList.contains('bad')");
    assert!(
        text(&mut page, "#status").contains("piece C cannot go north"),
        "{}",
        text(&mut page, "#status")
    );
    // Keys: a piece is chosen by Tab, and a path is made with Shift.
    choose(&mut page, "klotski", "heng-dao-li-ma");
    let is_chosen =
        |page: &mut Page| page.value("document.activeElement.textContent === 'h'") == true;
    for _ in 0..60 {
        if !is_chosen(&mut page) {
            page.press("Tab");
        }
    }
    assert!(is_chosen(&mut page));
    page.press_with("ArrowRight", true);
    page.press_with("ArrowRight", true);
    page.release_shift();
    page.wait_for("document.querySelector('#tree button')?.textContent === '1 h →→'");
    page.press("ArrowLeft");
    page.wait_for("document.querySelectorAll('#tree button').length === 2");
    // The border of the maze never moves.
    choose(&mut page, "wall-pusher", "sample");
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    page.wait_for("document.getElementById('status').classList.contains('bad')");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn boards_are_edited_read_and_shared() {
    on_each_solver(boards_are_edited_read_and_shared_with);
}

fn boards_are_edited_read_and_shared_with(mut page: Page, solver: Solver) {
    choose(&mut page, "black-white", "sample");
    page.click("#tab-edit");
    page.wait_for("document.querySelector('[data-brush=piece]') !== null");
    let before = fewest(&mut page);
    assert_eq!(before, "4");
    let [x, y, width] = part(&mut page, "part === parts[0]");
    // The first two pieces of the board are black, and those of the target white and black.
    page.drag_along(&[(x, y), (x, y)]);
    page.wait_for("document.getElementById('edit-text').value.startsWith('.XXX')");
    page.drag_along(&[(x + 5.0 * width, y), (x + 5.0 * width, y)]);
    page.wait_for("document.getElementById('edit-text').value.includes('\\n\\n..X.')");
    // A fault of a text is shown at its place.
    page.value("document.getElementById('edit-text').value = 'XX\\nX?\\n\\nXX\\nXX\\n'");
    page.click("#read-text");
    page.wait_for("document.querySelector('#edit .fault') !== null");
    let fault = text(&mut page, "#edit .fault");
    assert!(fault.contains("2, column 2") && fault.contains("X?\n ^"), "{fault}");
    // A text of several boards stays as it was typed.
    let two = "X.\\n.X\\n\\n.X\\nX.\\n\\nX.\\n..\\n\\n.X\\n..\\n";
    page.value(&format!("document.getElementById('edit-text').value = '{two}'"));
    page.click("#read-text");
    page.wait_for(
        "document.querySelector('#edit [role=alert]')?.textContent.includes('several boards')",
    );
    assert_eq!(
        page.value(&format!("document.getElementById('edit-text').value === '{two}'")),
        true
    );
    page.value("document.getElementById('edit-text').value = 'X.\\n.X\\n\\n.X\\nX.\\n'");
    page.click("#read-text");
    wait_for_fewest(&mut page, 2);
    // The same text, typed.
    page.click("#tab-play");
    import(&mut page, "X.\n.X\n\n.X\nX.\n");
    page.wait_for("!document.getElementById('dialog').open");
    wait_for_fewest(&mut page, 2);
    // Shared with a move, and opened again.
    page.click("#solve");
    page.wait_for("document.querySelectorAll('#tree button').length === 2");
    page.click("[data-role=next]");
    wait_for_fewest(&mut page, 1);
    page.click("#share");
    page.wait_for("document.getElementById('share-address') !== null");
    let shared = page.value("document.getElementById('share-address').value");
    // The address of `serve` is not for others.
    let shared = shared.as_str().expect("text");
    let address = match solver {
        Solver::Server(_) => solver.url() + shared,
        Solver::Worker(_) => shared.to_owned(),
    };
    assert!(address.len() < 300, "{address}");
    // Somebody else opens it.
    page.value("localStorage.clear()");
    page.load("about:blank");
    page.load(&address);
    page.wait_for(READY);
    wait_for_fewest(&mut page, 1);
    assert_eq!(page.value("document.querySelectorAll('#tree button').length"), 2);
    page.wait_for("document.getElementById('status').textContent === 'Can you do it in 2 moves?'");
    // Damaged links are refused, and the page still works.
    let (start, packed) = address.split_once('#').expect("a fragment");
    let middle = packed.len() / 2;
    let other = if &packed[middle..=middle] == "A" { "B" } else { "A" };
    let changed = format!("{}{other}{}", &packed[..middle], &packed[middle + 1..]);
    for damaged in [changed.as_str(), &packed[..middle], "1.", "2.abc", "%%%"] {
        page.load("about:blank");
        page.load(&format!("{start}#{damaged}"));
        page.wait_for(READY);
        assert!(text(&mut page, "#notice").starts_with("This link is damaged"), "{damaged}");
        choose_puzzle(&mut page, "black-white");
    }
    // Wall-pusher has walls on edges; klotski pieces of any cells; halloween ghosts.
    page.load(&solver.url());
    page.wait_for(READY);
    for (puzzle, instance, brush) in [
        ("wall-pusher", "long", "wall"),
        ("klotski", "heng-dao-li-ma", "wall"),
        ("halloween", "sample-1", "corridor"),
    ] {
        choose(&mut page, puzzle, instance);
        page.click("#tab-edit");
        page.click(&format!("[data-brush={brush}]"));
        let old = page.value("document.getElementById('edit-text').value");
        let (x, y) = page.point(
            "(() => { const { x, y, width, height } = document.querySelector('#picture svg').getBoundingClientRect(); \
             return [x + width / 2 + 3, y + height - 30]; })()",
        );
        page.drag_along(&[(x, y), (x, y)]);
        page.wait_for(&format!("document.getElementById('edit-text').value !== {old}"));
        page.click("#tab-play");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn the_page_is_chinese_dark_and_narrow_if_asked() {
    on_each_solver(the_page_is_chinese_dark_and_narrow_if_asked_with);
}

fn the_page_is_chinese_dark_and_narrow_if_asked_with(mut page: Page, solver: Solver) {
    page.speak("zh-CN");
    page.prefer(&[("prefers-color-scheme", "dark")]);
    page.resize(360, 640);
    page.load(&solver.url());
    page.wait_for(READY);
    choose(&mut page, "klotski", "heng-dao-li-ma");
    assert_eq!(text(&mut page, "#hint"), "提示");
    assert_eq!(text(&mut page, "#picture [data-number=\"1\"]"), "曹操");
    let known = text(&mut page, "#known");
    assert!(known.contains("已证明最少"), "{known}");
    let dark = page.value("getComputedStyle(document.body).backgroundColor");
    assert_eq!(dark, "rgb(13, 17, 23)");
    let fits = "document.documentElement.scrollWidth <= 360";
    assert_eq!(page.value(fits), true);
    // The board is seen without scrolling.
    assert_eq!(
        page.value("document.querySelector('#picture svg').getBoundingClientRect().bottom < 640"),
        true
    );
    for tab in ["edit", "compare", "play"] {
        page.click(&format!("#tab-{tab}"));
        assert_eq!(page.value(fits), true, "{tab}");
    }
    select(&mut page, "language", "en");
    assert_eq!(text(&mut page, "#hint"), "Hint");
    select(&mut page, "theme", "light");
    let light = page.value("getComputedStyle(document.body).backgroundColor");
    assert_eq!(light, "rgb(255, 255, 255)");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn engines_are_compared() {
    on_each_solver(engines_are_compared_with);
}

fn engines_are_compared_with(mut page: Page, _solver: Solver) {
    // An example on which the bound pays, at once, with its picture.
    for (puzzle, instance) in INSTANCES {
        choose(&mut page, puzzle, instance);
        page.click("#tab-compare");
        let charts = "document.querySelectorAll('#compared-boards .chart').length";
        page.wait_for(&format!("{charts} === 2"));
        assert_eq!(page.value("document.getElementById('picture').checkVisibility()"), false);
        let totals = text(&mut page, "#totals").replace(',', "");
        let numbers: Vec<u64> = totals.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(numbers.len() == 2 && numbers[0] > 5 * numbers[1], "{puzzle}: {totals}");
        // The boards that each engine expands come in: first the start, and at last the solved one.
        let boards = "(() => { const scrub = document.getElementById('expansions'); \
            const boards = [0, 1].map(() => new Set()); \
            const look = (at) => { scrub.value = at; scrub.dispatchEvent(new Event('input')); \
            document.querySelectorAll('.expanded').forEach(({ innerHTML }, engine) => boards[engine].add(innerHTML)); }; \
            for (let at = 1; at < scrub.max; at += Math.max(1, Math.floor(at / 8))) look(at); look(scrub.max); \
            const [one, other] = boards.map((set) => [...set]); \
            return [one[0] === other[0] && one[0].includes('data-part'), one.length, other.length]; })()";
        let boards = page.value(boards);
        let [is_start, one, other] = [0, 1, 2].map(|index| boards[index].clone());
        assert_eq!(is_start, true, "{puzzle}");
        let next = |at: &u64| Some(at + (at / 8).max(1));
        let shown = |most: u64| {
            let steps = std::iter::successors(Some(1), next);
            // No maze starts where the player has left it.
            match puzzle {
                "wall-pusher" => steps.take_while(|&at| at <= most).count(),
                _ => steps.take_while(|&at| at < most).count() + 1,
            }
        };
        assert_eq!([one, other], [numbers[0], numbers[1]].map(shown), "{puzzle}");
        page.click("#tab-play");
    }
    // Any position.
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    page.click("#tab-compare");
    select(&mut page, "compared", "here");
    let board = "document.querySelector('#compared-boards .expanded')?.textContent";
    page.wait_for(&format!("{board}?.includes('C')"));
    assert_eq!(page.value("document.querySelectorAll('#compared-boards .chart').length"), 2);
    let expanded = |page: &mut Page, number: usize| {
        let cell = format!(
            "document.querySelectorAll('#compared-boards table')[{number}].rows[0].cells[1].textContent"
        );
        let number = page.value(&cell).as_str().expect("text").replace(',', "");
        number.parse::<u64>().expect("a number")
    };
    let (all, informed) = (expanded(&mut page, 0), expanded(&mut page, 1));
    let totals = text(&mut page, "#totals").replace(',', "");
    assert_eq!(totals, format!("breadth-first: {all} states; A*: {informed} states"));
    assert!(informed < all, "{informed} of {all}");
    page.drag("#expansions", (0.999, 0.5), (0.0, 0.5));
    assert_eq!((expanded(&mut page, 0), expanded(&mut page, 1)), (0, 0));
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn moves_that_are_made_while_another_one_is_shown_belong_to_the_right_position() {
    on_each_solver(
        moves_that_are_made_while_another_one_is_shown_belong_to_the_right_position_with,
    );
}

fn moves_that_are_made_while_another_one_is_shown_belong_to_the_right_position_with(
    mut page: Page,
    _solver: Solver,
) {
    // With animations.
    page.prefer(&[]);
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    let count = "document.querySelectorAll('#tree button').length";
    page.click("#show-best");
    page.wait_for("document.querySelector('#legal-moves button.keeps') !== null");
    // A double click on a legal move makes it once.
    page.value(
        "(() => { const move = document.querySelector('#legal-moves button.keeps'); \
         move.click(); move.click(); })()",
    );
    wait_for_fewest(&mut page, 21);
    assert_eq!(page.value(count), 1);
    // Keys that follow fast are as many moves, and undo takes back one.
    choose(&mut page, "wall-pusher", "sample");
    let plan = plan("wall-pusher", "sample");
    for line in &plan[..5] {
        page.press(arrow(line.chars().next().expect("a letter")));
    }
    wait_for_fewest(&mut page, plan.len() - 5);
    assert_eq!(page.value(count), 5);
    for undone in 1..=4 {
        page.press("u");
        wait_for_fewest(&mut page, plan.len() - 5 + undone);
    }
    // While a plan is played, the page shows what is known of the position that it shows.
    page.click("#solve");
    page.wait_for(&format!("{count} === 16"));
    page.click("[data-role=play]");
    page.wait_for(
        "document.querySelector('#tree [aria-current]')?.textContent.startsWith('3 ') && \
         document.querySelector('#known b').textContent === '13'",
    );
    // Clicks that follow fast are as many steps.
    page.click("[data-role=first]");
    page.value("for (let clicks = 0; clicks < 3; clicks += 1) document.querySelector('[data-role=next]').click()");
    page.wait_for("document.querySelector('#tree [aria-current]')?.textContent.startsWith('3 ')");
    page.click("[data-role=play]");
    // A hint while it is played is one for the position at which it stops.
    page.press("h");
    page.wait_for("document.querySelector('#picture .hinted') !== null");
    assert_eq!(page.value(count), 16);
    // Whatever was made, the rules accept the line.
    page.click("[data-role=last]");
    wait_for_fewest(&mut page, 0);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn what_the_program_refuses_changes_nothing() {
    on_each_solver(what_the_program_refuses_changes_nothing_with);
}

fn what_the_program_refuses_changes_nothing_with(mut page: Page, solver: Solver) {
    choose(&mut page, "halloween", "sample-1");
    // A link to a text that is no board.
    let state = "{puzzle:'klotski',options:{},text:'?!',moves:[],at:0}";
    let packed = page.value(&format!("import('./share.js').then(({{ pack }}) => pack({state}))"));
    page.value(&format!("location.hash = {packed}"));
    page.wait_for(
        "document.getElementById('status').textContent.startsWith('This link is damaged')",
    );
    assert_eq!(text(&mut page, "#instances"), "sample-1");
    page.click("#legal-moves button");
    page.wait_for("document.querySelectorAll('#tree button').length === 1");
    is_known(&mut page);
    // A text with a fault leaves the board as it is, too.
    import(&mut page, "3 1 1\na x\n");
    page.wait_for("document.querySelector('dialog [role=alert]') !== null");
    let fault = text(&mut page, "dialog [role=alert]");
    assert!(fault.starts_with("Line 2, column 3: "), "{fault}");
    page.click("dialog .top button");
    assert_eq!(page.value("document.querySelectorAll('#tree button').length"), 1);
    // After a reload, the position is still there.
    let here = page.value("location.href");
    page.load("about:blank");
    page.load(here.as_str().expect("text"));
    page.wait_for(READY);
    assert_eq!(page.value("document.querySelectorAll('#tree button').length"), 1);
    if let Solver::Server(server) = solver {
        // Without the program, the page says so, and also if another one has its place.
        let url = server.url();
        let port = url.split([':', '/']).nth(4).expect("a port");
        drop(server);
        page.click("#undo");
        page.click("#solve");
        page.wait_for(
            "document.getElementById('status').textContent === 'The program does not answer.'",
        );
        let _other = Serving::start("fewest", &["--port", port]);
        page.click("#solve");
        page.wait_for(
            "document.getElementById('status').textContent.startsWith('The program was started again')",
        );
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn a_line_is_judged_at_its_end_and_kept() {
    on_each_solver(a_line_is_judged_at_its_end_and_kept_with);
}

fn a_line_is_judged_at_its_end_and_kept_with(mut page: Page, solver: Solver) {
    choose(&mut page, "wall-pusher", "sample");
    let plan = plan("wall-pusher", "sample");
    // There and back again, and then the shortest way.
    page.click("#show-best");
    page.wait_for("document.querySelector('#legal-moves button.keeps') !== null");
    page.click("#legal-moves button.keeps");
    wait_for_fewest(&mut page, plan.len() - 1);
    page.press("u");
    wait_for_fewest(&mut page, plan.len());
    // A dead end says so in words.
    page.wait_for(
        "[...document.querySelectorAll('#legal-moves button')].some((move) => move.textContent.endsWith('dead end'))",
    );
    for (made, line) in plan.iter().enumerate() {
        play(&mut page, "wall-pusher", line);
        wait_for_fewest(&mut page, plan.len() - made - 1);
    }
    page.wait_for(&format!(
        "document.getElementById('known').textContent === 'Solved in {} moves, the fewest'",
        plan.len()
    ));
    // Another instance keeps the line, `Back` leads to it, and the gallery says that it was solved.
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    page.click("#instances");
    page.wait_for("document.querySelectorAll('#recent button').length === 1");
    assert!(text(&mut page, "#recent button").contains("sample"));
    page.click("dialog details:has(#recent) summary");
    begin(&mut page, |page| page.click("#recent button"));
    assert_eq!(page.value("document.querySelectorAll('#tree button').length"), plan.len());
    wait_for_fewest(&mut page, 0);
    page.click("#instances");
    page.wait_for(&format!(
        "document.querySelector('dialog [data-name=sample] .solved')?.textContent === '✓ {}'",
        plan.len()
    ));
    page.click("dialog .top button");
    let address = page.value("location.hash");
    choose_puzzle(&mut page, "klotski");
    page.wait_for(&format!("location.hash !== {address}"));
    begin(&mut page, |page| drop(page.value("history.back()")));
    assert_eq!(page.value("document.getElementById('puzzle').value"), "wall-pusher");
    // A line with moves that did not help names them, with a jump to each.
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    let plan = self::plan("klotski", "qian-hu-hou-yong");
    page.wait_for(
        "document.querySelector('#legal-moves button:not(.keeps):not(.unexamined)') !== null",
    );
    page.click("#legal-moves li:has(button:not(.keeps)) button:not(.keeps)");
    page.wait_for("document.querySelectorAll('#tree button').length === 1");
    is_known(&mut page);
    page.click("#solve");
    page.wait_for("document.getElementById('status').textContent.startsWith('A shortest plan')");
    page.click("[data-role=last]");
    page.wait_for(&format!(
        "document.getElementById('known').textContent.endsWith('; the fewest is {}')",
        plan.len()
    ));
    page.wait_for(
        "document.getElementById('wasted').textContent.startsWith('These moves did not help:1 ')",
    );
    page.click("#wasted button");
    page.wait_for("document.querySelector('#tree [aria-current]')?.textContent.startsWith('1 ')");
    // Names are another look at the same board: all that is known stays.
    let known = text(&mut page, "#known b");
    page.value("document.getElementById('choice-names').click()");
    page.wait_for("document.querySelector('#choice-names').checked");
    page.wait_for(&format!("document.querySelector('#known b')?.textContent === '{known}'"));
    assert_eq!(page.value("document.querySelectorAll('#legal-moves .unexamined').length"), 0);
    // The last position and the switch are remembered, and what was kept can be removed.
    page.load("about:blank");
    page.load(&solver.url());
    page.wait_for(READY);
    begin(&mut page, |page| page.click("#go-on"));
    assert_eq!(text(&mut page, "#instances"), "qian-hu-hou-yong");
    assert_eq!(page.value("document.getElementById('show-best').checked"), true);
    choose(&mut page, "wall-pusher", "sample");
    page.click("#instances");
    page.wait_for("document.querySelector('dialog .solved') !== null");
    page.click("#own summary");
    page.click("#remove-kept");
    page.click("#remove-kept");
    page.click("#instances");
    page.wait_for("document.getElementById('dialog').open");
    assert_eq!(page.value("document.querySelectorAll('dialog .solved, #recent').length"), 0);
    page.click("dialog .top button");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Links and texts of others, with markup, with what turns text around, and with names that objects
/// of JavaScript have.
#[test]
fn hostile_links_and_texts_do_no_harm() {
    on_each_solver(hostile_links_and_texts_do_no_harm_with);
}

fn hostile_links_and_texts_do_no_harm_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    let markup = "<img src=x onerror=hacked=1><script>hacked=1</script>";
    let turned = "\u{202e}gnp.exe\u{2066}";
    let shown = |page: &mut Page| {
        let status = text(page, "#status");
        assert!(!status.contains('\u{202e}') && !status.contains('\u{2066}'), "{status:?}");
        assert_eq!(page.value("typeof hacked"), "undefined");
        assert_eq!(page.value("document.querySelectorAll('#status *').length"), 0);
        assert_eq!(page.value("({}).puzzle ?? ({}).hacked ?? null"), Value::Null);
        status
    };
    let harmless = r#""options":{},"text":"1","moves":[],"at":0"#;
    for (state, says) in [
        (format!(r#"{{"puzzle":"{markup}",{harmless}}}"#), "This link is of a puzzle"),
        (format!(r#"{{"puzzle":"__proto__",{harmless}}}"#), "This link is of a puzzle"),
        (format!(r#"{{"puzzle":"constructor",{harmless}}}"#), "This link is of a puzzle"),
        (format!(r#"{{"__proto__":{{"hacked":1}},{harmless}}}"#), "This link is damaged"),
        (
            r#"{"puzzle":"klotski","name":"__proto__","options":{},"moves":[],"at":0}"#.to_owned(),
            "This link is of a puzzle",
        ),
        (
            format!(
                r#"{{"puzzle":"klotski","options":{{"__proto__":{{"hacked":1}},"{markup}":1}},"text":"1","moves":[],"at":0}}"#
            ),
            "This link is damaged",
        ),
        (
            format!(
                r#"{{"puzzle":"klotski","options":{{}},"text":"{markup}\n{turned}","moves":[],"at":0}}"#
            ),
            "This link is damaged",
        ),
        (
            format!(
                r#"{{"puzzle":"klotski","options":{{}},"name":"heng-dao-li-ma","moves":["{turned}{markup}"],"at":1}}"#
            ),
            "This link is damaged",
        ),
        (
            r#"{"puzzle":"klotski","options":{},"name":"heng-dao-li-ma","moves":[],"at":1e9}"#
                .to_owned(),
            "",
        ),
    ] {
        let packed = page.value(&format!(
            "import('./share.js').then(({{ pack }}) => pack(JSON.parse({})))",
            serde_json::to_string(&state).expect("text")
        ));
        page.value("document.getElementById('status').textContent = 'before'");
        page.value(&format!("location.hash = {packed}"));
        page.wait_for("document.getElementById('status').textContent !== 'before'");
        let status = shown(&mut page);
        assert!(status.starts_with(says), "{state}: {status}");
    }
    // A text that is small only as long as it is packed.
    let packed =
        page.value("import('./share.js').then(({ pack }) => pack({ text: '1'.repeat(30e6) }))");
    page.value(&format!("location.hash = {packed}"));
    page.wait_for(
        "document.getElementById('status').textContent.startsWith('This link is damaged')",
    );
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    import(&mut page, &format!("1{turned}{markup}\n"));
    page.wait_for("document.querySelector('dialog [role=alert]') !== null");
    let fault = text(&mut page, "dialog [role=alert]");
    assert!(!fault.contains('\u{202e}') && fault.contains("\\u{202e}"), "{fault:?}");
    assert_eq!(page.value("document.querySelectorAll('dialog [role=alert] img').length"), 0);
    page.click("dialog .top button");
    shown(&mut page);
    is_known(&mut page);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// A board whose search takes hours.
const LONG: &str = "ONML\nKJIH\nGFED\nCBA.\ngoal:\nABCD\nEFGH\nIJKL\nMNO.\n";

#[test]
fn a_long_search_reports_and_ends_when_it_is_not_needed() {
    on_each_solver(a_long_search_reports_and_ends_with);
}

fn a_long_search_reports_and_ends_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    import(&mut page, LONG);
    page.wait_for("!document.getElementById('dialog').open");
    let is_reported =
        "/at least [0-9]+ .*; [0-9,]+ states/.test(document.getElementById('known').textContent)";
    page.wait_for(is_reported);
    // Whatever is asked without a search is answered at the same time. More searches than run at a time, each of
    // which takes longer than an answer may: all but the last one have to end.
    for made in 1..=5 {
        page.click("#legal-moves button");
        page.wait_for(&format!("document.querySelectorAll('#tree button').length === {made}"));
        page.wait_for(is_reported);
    }
    choose(&mut page, "klotski", "heng-dao-li-ma");
    assert_eq!(fewest(&mut page), "81");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// The page in one file, on a phone, alone in a folder and without a network.
#[test]
fn one_file_is_played_solved_and_shared_without_a_network() {
    let (Some(mut page), Some(folder)) = (Page::new(), site::folder()) else { return };
    let alone = tempfile::tempdir().expect("a folder");
    let file = alone.path().join("fewest.html");
    std::fs::copy(folder.join("fewest.html"), &file).expect("a file");
    let offline = serde_json::json!({
        "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1
    });
    page.call("Network.emulateNetworkConditions", offline);
    page.call("Emulation.setTouchEmulationEnabled", serde_json::json!({ "enabled": true }));
    page.resize(390, 844);
    page.open(&file);
    page.wait_for(READY);
    page.prefer(&[("prefers-reduced-motion", "reduce")]);
    assert_eq!(page.value("document.documentElement.scrollWidth <= 390"), true);
    // Played with a finger.
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    let plan = plan("klotski", "qian-hu-hou-yong");
    for (made, line) in plan[..2].iter().enumerate() {
        let (name, path) = line.split_at(1);
        let middle = part(&mut page, &format!("part.textContent === '{name}'"));
        page.swipe_along(&along(middle, path));
        wait_for_fewest(&mut page, plan.len() - made - 1);
    }
    page.tap("#hint");
    page.wait_for("document.querySelector('#picture .hinted') !== null");
    page.tap("#solve");
    page.wait_for(&format!("document.querySelectorAll('#tree button').length === {}", plan.len()));
    // Pictures of built-in instances, and a file.
    page.tap("#instances");
    page.wait_for("document.querySelector('dialog img')?.naturalWidth > 0");
    page.tap("dialog .top button");
    page.tap("#more");
    page.tap("#texts");
    page.wait_for("document.getElementById('import-text') !== null");
    page.value(
        "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { \
         blob.slice(0, 6).text().then((start) => { globalThis.saved = `${blob.type} ${start}`; }); \
         return make.call(URL, blob); }; \
         [...document.querySelectorAll('dialog button')].find((it) => it.textContent === 'Moves as GIF').click(); })()",
    );
    page.wait_for("globalThis.saved === 'image/gif GIF89a'");
    page.tap("dialog .top button");
    // Shared, and opened again.
    page.tap("#more");
    page.tap("#share");
    page.wait_for("document.getElementById('share-address') !== null");
    let shared = page.value("document.getElementById('share-address').value");
    let fragment =
        shared.as_str().and_then(|it| it.split_once('#')).expect("a fragment").1.to_owned();
    // No request: modules and pictures are in memory.
    let asked: Vec<_> = page
        .faults()
        .into_iter()
        .filter(|event| {
            let url = event["params"]["request"]["url"].as_str().unwrap_or("none");
            !url.starts_with("blob:") && !url.starts_with("data:")
        })
        .collect();
    assert_eq!(asked, Vec::<Value>::new());
    page.value("localStorage.clear()");
    page.load("about:blank");
    page.load(&format!("file://{}#{fragment}", file.display()));
    page.wait_for(READY);
    wait_for_fewest(&mut page, plan.len() - 2);
    assert_eq!(page.value("document.querySelectorAll('#tree button').length"), plan.len());
    page.wait_for(&format!(
        "document.getElementById('status').textContent === 'Can you do it in {} rectilinear moves?'",
        plan.len()
    ));
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// How long the page takes, as medians of ten: run with `FEWEST_TIMES` set.
#[test]
fn times() {
    if std::env::var_os("FEWEST_TIMES").is_none() {
        return;
    }
    let (Some(mut page), Some(folder)) = (Page::new(), site::folder()) else { return };
    let site = Site::start(folder.clone());
    for url in [site.url(), format!("file://{}", folder.join("fewest.html").display())] {
        let [mut first, mut solved] = [Vec::new(), Vec::new()];
        for _ in 0..10 {
            page.load("about:blank");
            page.load(&url);
            page.wait_for(READY);
            let number = |value: Value| value.as_f64().expect("milliseconds");
            page.wait_for("performance.getEntriesByName('picture').length > 0");
            first.push(number(page.value("performance.getEntriesByName('picture')[0].startTime")));
            // From the choice until the number is there; the first search of klotski on the page.
            let took = page.value(
                "new Promise((done) => { const begin = performance.now(); \
                 const look = () => document.querySelector('#known b')?.textContent === '81' \
                 ? done(performance.now() - begin) : requestAnimationFrame(look); \
                 document.querySelector('[data-puzzle=klotski]').click(); look(); })",
            );
            solved.push(number(took));
        }
        let median = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            (times[4] + times[5]) / 2.0
        };
        let (first, solved) = (median(&mut first), median(&mut solved));
        let mut out = std::io::stderr();
        writeln!(out, "{url}: first picture {first:.0} ms, heng dao li ma {solved:.0} ms")
            .expect("a line");
    }
}

/// Pictures of the page, for the book and for whoever changes how it looks: run with
/// `FEWEST_SCREENSHOTS` set to a folder.
#[test]
fn screenshots() {
    let Some(folder) = std::env::var_os("FEWEST_SCREENSHOTS") else { return };
    let folder = std::path::Path::new(&folder);
    let Some(mut page) = Page::new() else { return };
    let server = Serving::start("fewest", &[]);
    page.load(&server.url());
    page.wait_for(READY);
    page.resize(1280, 800);
    choose_puzzle(&mut page, "klotski");
    page.click("#show-best");
    let save = |page: &mut Page, name: &str| {
        page.value("scrollTo(0, 0)");
        let picture = page.call("Page.captureScreenshot", serde_json::json!({ "format": "png" }));
        let data = picture["data"].as_str().expect("a picture");
        std::fs::write(folder.join(name), decoded(data)).expect("a file");
    };
    for theme in ["light", "dark"] {
        page.prefer(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]);
        for (puzzle, instance) in [
            ("halloween", "sample-3"),
            ("wall-pusher", "hardest"),
            ("klotski", "heng-dao-li-ma"),
            ("black-white", "chequered"),
        ] {
            choose(&mut page, puzzle, instance);
            page.click("#solve");
            page.wait_for("document.getElementById('status').textContent.includes('plan')");
            for _ in 0..7 {
                page.click("[data-role=next]");
            }
            // All moves from here are known.
            page.wait_for(
                "((moves) => moves.length > 0 && moves.every((move) => !move.classList.contains('unexamined')))\
                 ([...document.querySelectorAll('#legal-moves button')])",
            );
            save(&mut page, &format!("{puzzle}-{theme}.png"));
        }
    }
    page.prefer(&[("prefers-color-scheme", "light")]);
    choose(&mut page, "wall-pusher", "hardest");
    page.click("#tab-compare");
    page.wait_for("document.querySelectorAll('#compared-boards .chart').length === 2");
    page.resize(1280, 1000);
    save(&mut page, "compare.png");
    choose(&mut page, "klotski", "heng-dao-li-ma");
    page.resize(1280, 800);
    page.click("#tab-edit");
    save(&mut page, "edit.png");
}

/// The bytes of a text in base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|&letter| letter != b'=').map(value).collect();
    letters
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0u32, |bits, &six| bits << 6 | u32::from(six));
            let bits = bits << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}
