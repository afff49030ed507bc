//! The page as a game: what one sees first, what is kept, and how it ends, in a real browser.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::page::{
    INSTANCES, READY, Solver, along, begin, choose, choose_puzzle, import, is_known,
    on_each_solver, part, plan, play, select, text, wait_for_fewest,
};

/// The number of elements.
fn count(page: &mut Page, selector: &str) -> u64 {
    let counted = page.value(&format!("document.querySelectorAll('{selector}').length"));
    counted.as_u64().expect("a number")
}

fn wait_for_count(page: &mut Page, selector: &str, number: usize) {
    page.wait_for(&format!("document.querySelectorAll('{selector}').length === {number}"));
}

fn wait_for_status(page: &mut Page, start: &str) {
    page.wait_for(&format!("document.getElementById('status').textContent.startsWith('{start}')"));
}

fn wait_for_known(page: &mut Page, start: &str) {
    page.wait_for(&format!("document.getElementById('known').textContent.startsWith('{start}')"));
}

/// Adds a shortest plan to the moves.
fn solve(page: &mut Page) {
    page.click("#solve");
    wait_for_status(page, "A shortest plan");
}

fn undo_to_start(page: &mut Page) {
    page.press("u");
    page.wait_for("document.querySelector('#tree [aria-current]') === null");
}

/// Makes the first legal move, takes it back, and makes the second one.
fn make_two_branches(page: &mut Page) {
    for number in [0, 1] {
        page.wait_for("document.querySelectorAll('#legal-moves button').length > 1");
        page.value(&format!("document.querySelectorAll('#legal-moves button')[{number}].click()"));
        wait_for_count(page, "#tree button", number + 1);
        is_known(page);
        if number == 0 {
            undo_to_start(page);
        }
    }
}

/// To the start page, and back to where one was.
fn leave_and_go_on(page: &mut Page) {
    page.value("document.getElementById('home').click()");
    page.wait_for("document.documentElement.dataset.view === 'start'");
    wait_for_count(page, "#go-on", 1);
    begin(page, |page| page.click("#go-on"));
}

#[test]
fn the_start_page_shows_each_puzzle_and_where_one_stopped() {
    on_each_solver(the_start_page_shows_each_puzzle_and_where_one_stopped_with);
}

fn the_start_page_shows_each_puzzle_and_where_one_stopped_with(mut page: Page, solver: Solver) {
    let are_drawn = "((images) => images.length > 3 && images.every((image) => image.naturalWidth > 0 \
                     || image.querySelector('svg')?.getBoundingClientRect().width > 0))\
                     ([...document.querySelectorAll('#start .card > :first-child')])";
    page.wait_for(are_drawn);
    assert_eq!(count(&mut page, "#start .card"), 4);
    assert_eq!(count(&mut page, "#go-on"), 0);
    choose_puzzle(&mut page, "halloween");
    assert_eq!(text(&mut page, "#instances"), "crossing");
    wait_for_fewest(&mut page, 6);
    assert_eq!(count(&mut page, "#picture [data-number]"), 3);
    page.click("#legal-moves button");
    wait_for_count(&mut page, "#tree button", 1);
    is_known(&mut page);
    // Back to the start page, which leads to the same position.
    page.click("#home");
    wait_for_count(&mut page, "#start .card", 5);
    page.wait_for(are_drawn);
    begin(&mut page, |page| page.click("#go-on"));
    wait_for_count(&mut page, "#tree button", 1);
    page.wait_for("location.hash.length > 20");
    page.value("history.back()");
    page.wait_for("document.documentElement.dataset.view === 'start'");
    choose_puzzle(&mut page, "klotski");
    assert_eq!(text(&mut page, "#instances"), "heng-dao-li-ma");
    wait_for_fewest(&mut page, 81);
    // A new visit begins with the start page, and it speaks Chinese.
    page.load("about:blank");
    page.load(&solver.url());
    page.wait_for(READY);
    select(&mut page, "language", "zh");
    page.wait_for("document.querySelector('#go-on')?.textContent.includes('继续')");
    assert!(text(&mut page, "[data-puzzle=klotski] b").starts_with("华容道"));
    // Where moves were made, and not what was only looked at.
    begin(&mut page, |page| page.click("#go-on"));
    assert_eq!(text(&mut page, "#instances"), "路口");
    wait_for_count(&mut page, "#tree button", 1);
    // A plan is kept before it is played, and a move before the board has followed.
    page.click("#solve");
    wait_for_count(&mut page, "#tree button", 7);
    leave_and_go_on(&mut page);
    wait_for_count(&mut page, "#tree button", 7);
    choose(&mut page, "wall-pusher", "sample");
    page.value(
        "document.querySelector('#legal-moves button').click(); \
         document.getElementById('home').click()",
    );
    leave_and_go_on(&mut page);
    wait_for_count(&mut page, "#tree button", 1);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn another_metric_converts_the_line() {
    on_each_solver(another_metric_converts_the_line_with);
}

fn another_metric_converts_the_line_with(mut page: Page, _solver: Solver) {
    let plan = plan("klotski", "qian-hu-hou-yong");
    let (moves, cells) = (plan.len(), plan.iter().map(|line| line.len() - 1).sum::<usize>());
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    solve(&mut page);
    for _ in 0..5 {
        page.click("[data-role=next]");
    }
    let of_five: usize = plan[..5].iter().map(|line| line.len() - 1).sum();
    begin(&mut page, |page| select(page, "choice-metric", "unit"));
    assert_eq!(count(&mut page, "#tree button"), cells as u64);
    let current = |page: &mut Page| text(page, "#tree [aria-current]");
    assert!(current(&mut page).starts_with(&format!("{of_five} ")));
    page.click("[data-role=last]");
    wait_for_fewest(&mut page, 0);
    // And back: the same moves.
    begin(&mut page, |page| select(page, "choice-metric", "rectilinear"));
    assert_eq!(count(&mut page, "#tree button"), moves as u64);
    wait_for_fewest(&mut page, 0);
    wait_for_known(&mut page, &format!("Solved in {moves} rectilinear moves, the fewest"));
    // A move around a corner is two straight moves.
    let corners = |line: &String| {
        let letters: Vec<char> = line.chars().skip(1).collect();
        letters.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    begin(&mut page, |page| select(page, "choice-metric", "straight"));
    let straight = moves + plan.iter().map(corners).sum::<usize>();
    assert_eq!(count(&mut page, "#tree button"), straight as u64);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn names_keep_branches_and_what_is_known() {
    on_each_solver(names_keep_branches_and_what_is_known_with);
}

fn names_keep_branches_and_what_is_known_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    make_two_branches(&mut page);
    undo_to_start(&mut page);
    let before = text(&mut page, "#tree");
    page.click("#choice-names");
    page.wait_for("document.getElementById('picture').textContent.includes('曹操')");
    assert_eq!(count(&mut page, "#tree .branch"), 1);
    let after = text(&mut page, "#tree");
    let has_names = |text: &str| text.contains('兵') || text.contains('关') || text.contains('张');
    assert!(!has_names(&before) && has_names(&after), "{before} {after}");
    wait_for_fewest(&mut page, 22);
    page.click("#tree button");
    is_known(&mut page);
    page.click("#choice-names");
    page.wait_for("!document.getElementById('picture').textContent.includes('曹操')");
    assert_eq!(text(&mut page, "#tree"), before);
    assert_eq!(count(&mut page, "#tree [aria-current]"), 1);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn a_collection_is_a_list_with_pictures() {
    on_each_solver(a_collection_is_a_list_with_pictures_with);
}

fn a_collection_is_a_list_with_pictures_with(mut page: Page, solver: Solver) {
    choose(&mut page, "klotski", "heng-dao-li-ma");
    // The second one is solved by one move; the fourth is no board.
    import(
        &mut page,
        "aCCb/aCCb/cdde/cfge/h..i\n\nA../...\ngoal: A at 1,2\n\nabCC/ccCC/ddee/ffgg/..hi\n\n???\n",
    );
    wait_for_count(&mut page, "#collection .card", 3);
    page.wait_for(
        "[...document.querySelectorAll('#collection img')].every((image) => image.naturalWidth > 0)",
    );
    assert!(text(&mut page, "dialog [role=alert]").starts_with("Line "));
    begin(&mut page, |page| page.click("#collection .card:nth-child(2)"));
    assert_eq!(text(&mut page, "#instances"), "2 / 3");
    page.value(
        "[...document.querySelectorAll('#legal-moves button')].find((it) => it.textContent.startsWith('A →')).click()",
    );
    wait_for_known(&mut page, "Solved in 1 ");
    // The list is still there, also after a reload, and says what was solved.
    page.value("location.hash = ''");
    page.load("about:blank");
    page.load(&solver.url());
    page.wait_for(READY);
    choose_puzzle(&mut page, "klotski");
    page.click("#instances");
    page.click("dialog > details:has(.card) summary");
    let first = "dialog > details:has(.card)";
    assert_eq!(count(&mut page, &format!("{first} .card")), 3);
    assert_eq!(text(&mut page, &format!("{first} .card:nth-child(2) .solved")), "✓ 1");
    begin(&mut page, |page| page.click(&format!("{first} .card:nth-child(3)")));
    wait_for_fewest(&mut page, 22);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn texts_are_listed_once_and_moves_are_read_back() {
    on_each_solver(texts_are_listed_once_and_moves_are_read_back_with);
}

fn texts_are_listed_once_and_moves_are_read_back_with(mut page: Page, _solver: Solver) {
    for (puzzle, instance) in [
        ("klotski", "heng-dao-li-ma"),
        ("halloween", "sample-1"),
        ("wall-pusher", "sample"),
        ("black-white", "sample"),
    ] {
        choose(&mut page, puzzle, instance);
        let plan = plan(puzzle, instance);
        solve(&mut page);
        page.click("#texts");
        page.wait_for("document.querySelector('dialog pre') !== null");
        let texts = page.value(
            "[...document.querySelectorAll('dialog pre')].map((it) => it.textContent.trimEnd())",
        );
        let texts: Vec<&str> =
            texts.as_array().expect("texts").iter().flat_map(Value::as_str).collect();
        assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len(), "{texts:?}");
        // What is saved as *Moves as text*.
        page.value(
            "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { \
             blob.text().then((text) => { globalThis.saved = text; }); return make.call(URL, blob); }; \
             [...document.querySelectorAll('dialog button')].find((it) => it.textContent === 'Moves as text').click(); \
             URL.createObjectURL = make; })()",
        );
        page.wait_for("globalThis.saved?.length > 0");
        let saved = page.value("globalThis.saved");
        page.value("delete globalThis.saved");
        page.click("dialog .top button");
        page.click("[data-role=first]");
        choose(&mut page, puzzle, instance);
        assert_eq!(count(&mut page, "#tree button"), 0);
        begin(&mut page, |page| import(page, saved.as_str().expect("text")));
        page.wait_for("!document.getElementById('dialog').open");
        assert_eq!(count(&mut page, "#tree button"), plan.len() as u64);
        page.click("[data-role=last]");
        wait_for_fewest(&mut page, 0);
        // Without their number, too; and a wrong move is refused.
        begin(&mut page, |page| import(page, &format!("{}\n", plan.join("\n"))));
        page.wait_for("!document.getElementById('dialog').open");
        import(&mut page, "1 move\nno move\n");
        page.wait_for("document.querySelector('dialog [role=alert]') !== null");
        page.click("dialog .top button");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn the_editor_has_the_size_of_the_board() {
    on_each_solver(the_editor_has_the_size_of_the_board_with);
}

fn the_editor_has_the_size_of_the_board_with(mut page: Page, _solver: Solver) {
    for (puzzle, instance, size) in
        [("wall-pusher", "sample", "4x6"), ("klotski", "heng-dao-li-ma", "5x4")]
    {
        choose(&mut page, puzzle, instance);
        page.click("#tab-edit");
        page.wait_for("document.getElementById('edit-size') !== null");
        assert_eq!(page.value("document.getElementById('edit-size').value"), size);
        assert_eq!(count(&mut page, "label[for=edit-size]"), 1);
        let before = page.value("document.getElementById('edit-text').value");
        page.click("#edit-blank");
        page.wait_for(&format!("document.getElementById('edit-text').value !== {before}"));
        assert_eq!(page.value("document.getElementById('edit-size').value"), size);
        page.click("#tab-play");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn the_piece_leaves_through_the_gap() {
    on_each_solver(the_piece_leaves_through_the_gap_with);
}

fn the_piece_leaves_through_the_gap_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    solve(&mut page);
    let bottom = |page: &mut Page, find: &str| {
        let bottom = format!("{find}.getBoundingClientRect().bottom");
        page.value(&bottom).as_f64().expect("a number")
    };
    let piece = "[...document.querySelectorAll('#picture [data-number]')].find((part) => part.textContent === 'C')";
    page.click("[data-role=last]");
    page.wait_for(&format!("getComputedStyle({piece}).opacity === '0'"));
    // Through the lower side.
    let frame = bottom(&mut page, "document.querySelector('#picture svg')");
    assert!(bottom(&mut page, piece) > frame + 10.0);
    page.press("u");
    wait_for_fewest(&mut page, 1);
    assert_eq!(page.value(&format!("getComputedStyle({piece}).opacity")), "1");
    assert!(bottom(&mut page, piece) < frame);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn the_gallery_has_groups_orders_and_what_is_not_solved_yet() {
    on_each_solver(the_gallery_has_groups_orders_and_what_is_not_solved_yet_with);
}

fn the_gallery_has_groups_orders_and_what_is_not_solved_yet_with(mut page: Page, _solver: Solver) {
    // What the program has solved does not count; what was played does.
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    solve(&mut page);
    page.click("[data-role=last]");
    wait_for_known(&mut page, "Solved in 22");
    page.click("#instances");
    page.wait_for("document.querySelector('dialog .card') !== null");
    assert_eq!(count(&mut page, "dialog .solved"), 0);
    page.click("dialog .top button");
    page.click("[data-role=first]");
    let plan = plan("klotski", "qian-hu-hou-yong");
    for (made, line) in plan.iter().enumerate() {
        play(&mut page, "klotski", line);
        wait_for_fewest(&mut page, plan.len() - made - 1);
    }
    wait_for_known(&mut page, "Solved in 22");
    page.click("#instances");
    wait_for_count(&mut page, "#found details", 7);
    assert_eq!(text(&mut page, "#found summary"), "Classics (39)");
    assert_eq!(count(&mut page, "#found details .card"), 363);
    page.wait_for("document.querySelector('dialog .card img').naturalWidth > 0");
    // Only pictures that are seen are drawn.
    assert!(count(&mut page, "dialog .card img[src]") < 100);
    select(&mut page, "order", "fewest");
    page.value("document.getElementById('order').dispatchEvent(new Event('input'))");
    wait_for_count(&mut page, "#found details", 0);
    let moves = "[...document.querySelectorAll('#found .card')].map((card) => parseInt([...card.querySelectorAll('.small')]\
                 .map((it) => it.textContent).find((it) => it.endsWith('moves'))))";
    let sorted = page.value(moves);
    let sorted: Vec<u64> =
        sorted.as_array().expect("numbers").iter().map_while(Value::as_u64).collect();
    assert!(sorted.len() > 350 && sorted.is_sorted(), "{sorted:?}");
    // A number is a number of moves, and not a digit of one.
    page.click("dialog input[type=search]");
    page.insert("22");
    wait_for_count(&mut page, "#found .card", sorted.iter().filter(|&&moves| moves == 22).count());
    page.click("#unsolved");
    page.wait_for("document.querySelector('#found [data-name=qian-hu-hou-yong]') === null");
    page.click("dialog .top button");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn chinese_has_no_english_below_the_board() {
    on_each_solver(chinese_has_no_english_below_the_board_with);
}

fn chinese_has_no_english_below_the_board_with(mut page: Page, _solver: Solver) {
    select(&mut page, "language", "zh");
    let refused = |page: &mut Page| {
        page.wait_for("document.getElementById('status').classList.contains('bad')");
        let status = text(page, "#status");
        let is_english = |letter: char| letter.is_ascii_lowercase();
        assert!(!status.replace(['a', 'b'], "").contains(is_english), "{status}");
        status
    };
    choose(&mut page, "klotski", "heng-dao-li-ma");
    let middle = part(&mut page, "part.textContent === '曹操'");
    page.drag_along(&along(middle, "N"));
    assert_eq!(refused(&mut page), "“曹操”不能向上走");
    choose(&mut page, "wall-pusher", "sample");
    for _ in 0..3 {
        page.press("ArrowLeft");
    }
    refused(&mut page);
    choose(&mut page, "halloween", "sample-1");
    let middle = part(&mut page, "part.textContent === 'a'");
    page.drag_along(&along(middle, "S"));
    refused(&mut page);
    choose(&mut page, "black-white", "sample");
    let middle = part(&mut page, "part === parts[0]");
    page.drag_along(&along(middle, "E"));
    refused(&mut page);
    // All that has words has Chinese ones, apart from names, numbers and formats.
    let english = page.value(
        "[...document.querySelectorAll('[data-word], [data-label], option, #about, #known, h2, summary, label')]\
         .map((it) => it.dataset.label ? it.getAttribute('aria-label') : it.textContent)\
         .filter((it) => /[a-z]{3,}/.test(it) && !/English|astar|bfs|ida|Tab/.test(it))",
    );
    assert_eq!(english, serde_json::json!([]));
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn texts_are_refused_in_chinese() {
    on_each_solver(texts_are_refused_in_chinese_with);
}

fn texts_are_refused_in_chinese_with(mut page: Page, _solver: Solver) {
    select(&mut page, "language", "zh");
    // What the program says of a text or a plan, with its hint, and then in Chinese.
    let said = |page: &mut Page, request: &str, body: &Value| {
        page.value(&format!(
            "(async () => {{ const {{ ask }} = await import('./api.js'); \
             const {{ said }} = (await import('./words.js')).wordsOf('zh'); \
             const fault = await ask('{request}', {body}).then((answer) => answer.fault, (fault) => fault); \
             return [fault.message, fault.hint].filter(Boolean).map((text) => [text, said(text)]); }})()"
        ))
    };
    let are_chinese = |said: &Value, of: &str| {
        let said = said.as_array().expect("a list");
        assert!(!said.is_empty(), "{of}");
        for pair in said {
            // Apart from what is quoted, and names.
            let quoted = pair[1].as_str().expect("a text").split('`').step_by(2);
            let words: String = quoted.collect();
            let words = words.replace("pibt2", "").replace("scenario", "").replace("YAML", "");
            assert!(
                !words.contains(|letter: char| letter.is_ascii_lowercase() && letter != 'x'),
                "{of}: {pair}"
            );
        }
    };
    for (english, chinese) in [
        ("move 2: piece `a` cannot go north", "第 2 步：“a”不能向上走"),
        (
            "2:3: found `z`, expected the direction of a move: N, E, S or W",
            "第 2 行第 3 列：遇到：`z`；应为：移动的方向：N、E、S 或 W",
        ),
        (
            "ghost `b` at row 1, column 2 cannot go west: there is no corridor",
            "第 1 行第 2 列的鬼 b 不能向左走：那里没有通道",
        ),
        (
            "the wall east of row 3, column 4 belongs to the border and never moves",
            "第 3 行第 4 列右边的墙是边界，不能移动",
        ),
        (
            "found a board of 3 rows and 1 column, expected 5 rows of 4 characters",
            "遇到：3 行 1 列的棋盘；应为：5 行，每行 4 个字符",
        ),
        (
            "found the mask 9 with no wall on the north, expected a wall there, because the mask above it has a wall on the south",
            "遇到：数 9，上边没有墙；应为：那里有墙，因为上方一格的下边有墙",
        ),
        // What is quoted is no sentence, and none of the words of the page.
        (
            "found a second `map`, expected each key once; `---` is between two scenarios",
            "遇到：第二个 `map`；应为：每个键一次；两个场景之间是 `---`",
        ),
        (
            "found `a, expected b`, expected rows of a board, a code, or a name",
            "遇到：`a, expected b`；应为：棋盘的各行、编码或名称",
        ),
        (
            "expected rows x columns, each from 1 to 8, such as `4x6`",
            "应为行数 x 列数，各从 1 到 8，例如 `4x6`",
        ),
        ("stopped, out of memory", "搜索已停止：内存不足"),
        ("constructor", "constructor"),
    ] {
        let said = page.value(&format!(
            "import('./words.js').then((it) => it.wordsOf('zh').said({}))",
            json!(english)
        ));
        assert_eq!(said, chinese);
    }
    // Links may have long texts: they are neither shown nor translated as a whole.
    let options = format!(r#"{{"{}":1}}"#, "a and ".repeat(100_000));
    let state = format!("{{puzzle:'wall-pusher',options:{options},name:'sample',moves:[],at:0}}");
    let packed = page.value(&format!("import('./share.js').then(({{ pack }}) => pack({state}))"));
    page.value(&format!("location.hash = {packed}"));
    page.wait_for("document.getElementById('notice').textContent.startsWith('此链接已损坏')");
    assert!(text(&mut page, "#notice").len() < 700);
    for (puzzle, instance) in INSTANCES {
        let folder = format!("{}/../../testdata/{puzzle}/bad", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).expect("texts with errors") {
            let file = file.expect("a file").path();
            let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a text")).into_owned();
            let request = json!({ "at": { "puzzle": puzzle, "text": text } });
            are_chinese(&said(&mut page, "import", &request), &file.display().to_string());
        }
        let first = page.value(&format!(
            "(async () => (await (await import('./api.js')).catalog()).puzzles\
             .find(({{ name }}) => name === '{puzzle}').builtins[0].text)()"
        ));
        let at = json!({ "puzzle": puzzle, "text": first });
        for plan in ["nonsense", "a?", "", "z1", "0:(1,1),(1,1)", "1\nN\nE\nN\n"] {
            are_chinese(&said(&mut page, "read-plan", &json!({ "at": at, "plan": plan })), plan);
        }
        choose(&mut page, puzzle, instance);
        page.click("#tab-edit");
        page.wait_for("document.querySelector('#edit pre') !== null");
        let format = text(&mut page, "#edit pre");
        assert!(format.contains("走法"), "{format}");
        page.click("#tab-play");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn the_layout_fits_phones_and_large_screens() {
    on_each_solver(the_layout_fits_phones_and_large_screens_with);
}

fn the_layout_fits_phones_and_large_screens_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "heng-dao-li-ma");
    is_known(&mut page);
    let edge = |page: &mut Page, selector: &str, edge: &str| {
        let find = format!("document.querySelector('{selector}').getBoundingClientRect().{edge}");
        page.value(&find).as_f64().expect("a number")
    };
    for (width, height) in [(390, 844), (768, 1024), (1280, 900), (1920, 1080)] {
        page.resize(width, height);
        page.value("scrollTo(0, 0)");
        assert_eq!(page.value(&format!("document.documentElement.scrollWidth <= {width}")), true);
        // One row of buttons, which is seen without scrolling, below the board.
        let tops = page.value("[...new Set([...document.querySelectorAll('#actions button:not([hidden])')].map((it) => it.getBoundingClientRect().top))]");
        assert_eq!(tops.as_array().map(Vec::len), Some(1), "{width}: {tops}");
        assert!(edge(&mut page, "#solve", "bottom") <= f64::from(height), "{width}");
        assert!(edge(&mut page, "#picture", "bottom") <= edge(&mut page, "#solve", "top"));
        // What is touched has 44 pixels, apart from the lists of moves.
        let small = page.value(
            "[...document.querySelectorAll('header button, header select, #actions button, .controls button, #tabs button, summary, label.check')]\
             .filter((it) => it.offsetParent && it.getBoundingClientRect().height < 44).map((it) => it.id || it.textContent)",
        );
        assert_eq!(small, serde_json::json!([]), "{width}");
        if width <= 768 {
            assert!(edge(&mut page, "#known", "bottom") <= edge(&mut page, "#picture", "top"));
        } else {
            assert!(edge(&mut page, "#tree", "left") >= edge(&mut page, "#picture", "right"));
        }
    }
    // A large screen has a larger board.
    let height = |page: &mut Page| edge(page, "#picture svg", "height");
    let large = height(&mut page);
    page.resize(1280, 900);
    assert!(large > 1.2 * height(&mut page));
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn moves_are_drawn_while_they_are_pointed_at() {
    on_each_solver(moves_are_drawn_while_they_are_pointed_at_with);
}

fn moves_are_drawn_while_they_are_pointed_at_with(mut page: Page, _solver: Solver) {
    const LETTERS: [char; 4] = ['N', 'E', 'S', 'W'];
    for (puzzle, instance) in [("black-white", "sample"), ("wall-pusher", "sample")] {
        choose(&mut page, puzzle, instance);
        solve(&mut page);
        // Arrows, and no digits or letters of directions.
        for list in ["#legal-moves button", "#tree button"] {
            let moves = page.value(&format!(
                "[...document.querySelectorAll('{list}')].map((it) => it.textContent)"
            ));
            for text in moves.as_array().expect("moves").iter().flat_map(Value::as_str) {
                assert!(text.contains(['←', '↑', '→', '↓']) && !text.contains(LETTERS), "{text}");
            }
            assert_eq!(count(&mut page, "#picture .marks .stroke"), 0);
            page.value(&format!("document.querySelector('{list}').focus()"));
            assert!(count(&mut page, "#picture .marks .stroke") > 0, "{list}");
            page.value("document.activeElement.blur()");
        }
        page.click("[data-role=next]");
        let caption = text(&mut page, "[data-role=move]");
        assert!(caption.starts_with("1 of ") && !caption.contains(LETTERS), "{caption}");
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn what_is_pasted_or_dropped_anywhere_is_read() {
    on_each_solver(what_is_pasted_or_dropped_anywhere_is_read_with);
}

fn what_is_pasted_or_dropped_anywhere_is_read_with(mut page: Page, _solver: Solver) {
    choose(&mut page, "klotski", "heng-dao-li-ma");
    let give = |page: &mut Page, event: &str, data: &str| {
        page.value(&format!(
            "(() => {{ const data = new DataTransfer(); {data}; \
             document.body.dispatchEvent(new {event}', {{ bubbles: true, cancelable: true, \
             clipboardData: data, dataTransfer: data }})); }})()"
        ));
    };
    let paste = "ClipboardEvent('paste";
    begin(&mut page, |page| {
        give(page, paste, r"data.setData('text', 'A../...\ngoal: A at 1,2')");
    });
    page.wait_for("!document.getElementById('dialog').open");
    wait_for_fewest(&mut page, 1);
    let boards = r"aCCb/aCCb/cdde/cfge/h..i\n\nabCC/ccCC/ddee/ffgg/..hi\n";
    let file = format!("data.items.add(new File(['{boards}'], 'boards.txt'))");
    give(&mut page, "DragEvent('drop", &file);
    wait_for_count(&mut page, "#collection .card", 2);
    page.click("dialog .top button");
    // What is no text of a board is refused, and the board stays.
    give(&mut page, paste, "data.setData('text', 'no board ?')");
    page.wait_for("document.querySelector('dialog [role=alert]') !== null");
    page.click("dialog .top button");
    wait_for_fewest(&mut page, 1);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn what_is_asked_in_the_meantime_is_answered_where_it_belongs() {
    on_each_solver(what_is_asked_in_the_meantime_is_answered_where_it_belongs_with);
}

fn what_is_asked_in_the_meantime_is_answered_where_it_belongs_with(
    mut page: Page,
    _solver: Solver,
) {
    choose(&mut page, "klotski", "heng-dao-li-ma");
    for made in 1..=2 {
        page.wait_for("document.querySelectorAll('#legal-moves button').length > 1");
        page.value("document.querySelector('#legal-moves button').click()");
        wait_for_count(&mut page, "#tree button", made);
        is_known(&mut page);
    }
    let known = text(&mut page, "#known b");
    page.click("[data-role=first]");
    wait_for_fewest(&mut page, 81);
    // A plan from a position that is not shown any more is of no other one.
    page.value(
        "document.getElementById('solve').click(); \
         document.querySelector('[data-role=play]').click()",
    );
    page.wait_for("document.querySelector('#tree [aria-current]')?.textContent.startsWith('2 ')");
    page.wait_for(&format!("document.querySelector('#known b')?.textContent === '{known}'"));
    assert_eq!(count(&mut page, "#tree button"), 2);
    // To the start page while a move is examined: it stays, and leads back.
    page.value(
        "document.querySelector('#legal-moves button').click(); \
         document.getElementById('home').click()",
    );
    page.wait_for("document.documentElement.dataset.view === 'start'");
    page.wait_for("document.querySelector('#go-on img')?.naturalWidth > 0");
    assert_eq!(page.value("location.hash"), "");
    // A puzzle is asked for, and then the start page: it stays.
    page.value(
        "document.querySelector('[data-puzzle=halloween]').click(); \
         dispatchEvent(new HashChangeEvent('hashchange'))",
    );
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(page.value("document.documentElement.dataset.view"), "start");
    // Something else is asked for before the page has an answer.
    page.value(
        "document.querySelector('[data-puzzle=halloween]').click(); \
         document.querySelector('[data-puzzle=wall-pusher]').click()",
    );
    wait_for_fewest(&mut page, 16);
    assert_eq!(page.value("document.getElementById('puzzle').value"), "wall-pusher");
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[test]
fn branches_survive_a_reload_and_other_games_are_kept() {
    on_each_solver(branches_survive_a_reload_and_other_games_are_kept_with);
}

fn branches_survive_a_reload_and_other_games_are_kept_with(mut page: Page, solver: Solver) {
    choose(&mut page, "klotski", "qian-hu-hou-yong");
    make_two_branches(&mut page);
    let shown = |page: &mut Page| {
        let moves = page.value(
            "[...document.querySelectorAll('#tree button')].map((it) => it.textContent).sort()",
        );
        moves.to_string()
    };
    let before = shown(&mut page);
    // Until the address has both.
    page.value(
        "(async () => { const { unpack } = await import('./share.js'); \
         while ((await unpack(location.hash.slice(1))).branches.length !== 1) \
         await new Promise((done) => setTimeout(done, 20)); })()",
    );
    let here = page.value("location.href");
    for _ in 0..2 {
        page.load("about:blank");
        page.load(here.as_str().expect("text"));
        page.wait_for(READY);
        wait_for_count(&mut page, "#tree button", 2);
        assert_eq!(shown(&mut page), before);
        is_known(&mut page);
        page.wait_for(&format!("location.href === {here}"));
    }
    assert_eq!(text(&mut page, "#status"), "");
    // A new visit that begins with another puzzle keeps the line of the last one.
    page.load("about:blank");
    page.load(&solver.url());
    page.wait_for(READY);
    choose_puzzle(&mut page, "halloween");
    // So does a draft of the editor, and `Back` closes the dialog.
    page.click("#legal-moves button");
    wait_for_count(&mut page, "#tree button", 1);
    is_known(&mut page);
    page.click("#tab-edit");
    page.wait_for("document.getElementById('edit-blank') !== null");
    begin_edit(&mut page);
    page.click("#instances");
    wait_for_count(&mut page, "#recent button", 2);
    page.value("history.back()");
    page.wait_for("!document.getElementById('dialog').open");
    wait_for_count(&mut page, "#tree button", 1);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Draws a new board in the editor.
fn begin_edit(page: &mut Page) {
    let begun = "document.documentElement.dataset.begun";
    let before = page.value(begun);
    page.click("#edit-blank");
    page.wait_for(&format!("{begun} !== {before}"));
}

#[test]
fn what_fails_is_said_on_each_page_and_storage_is_not_trusted() {
    on_each_solver(what_fails_is_said_on_each_page_and_storage_is_not_trusted_with);
}

fn what_fails_is_said_on_each_page_and_storage_is_not_trusted_with(mut page: Page, solver: Solver) {
    page.value("location.hash = '1.damaged'");
    page.wait_for(
        "document.getElementById('notice').textContent.startsWith('This link is damaged')",
    );
    assert_eq!(page.value("document.getElementById('notice').offsetHeight > 0"), true);
    for (key, value) in [
        ("language", "fr"),
        ("collections", r#"[{"puzzle":"klotski","texts":"x"},{"puzzle":"klotski"},7]"#),
        (
            "solved",
            r#"[{"puzzle":1},null,{"puzzle":"klotski","options":"{}","name":"a","moves":"x"}]"#,
        ),
        ("recent", r#"[{"packed":1},{"packed":"1.x"}]"#),
        ("here", "1.damaged"),
    ] {
        let value = serde_json::to_string(value).expect("text");
        page.value(&format!("localStorage.setItem('fewest.{key}', {value})"));
    }
    page.load("about:blank");
    page.load(&solver.url());
    page.wait_for(READY);
    assert_eq!(count(&mut page, "#start .card"), 4);
    // The language that is chosen here is that of the whole page.
    select(&mut page, "language", "zh");
    choose(&mut page, "klotski", "heng-dao-li-ma");
    assert_eq!(count(&mut page, ".solved, #recent"), 0);
    let label = page.value("document.querySelector('[data-role=next]').getAttribute('aria-label')");
    assert_eq!(label, "下一步");
    // A line of a collection of Rush Hour is a board, and not the number of moves of a plan.
    select(&mut page, "language", "en");
    begin(&mut page, |page| {
        import(page, "60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332");
    });
    page.wait_for("!document.getElementById('dialog').open");
    assert_eq!(text(&mut page, "#instances"), "Own board");
    assert!(count(&mut page, "#picture [data-number]") > 10);
    assert_eq!(page.errors(), Vec::<Value>::new());
}
