//! `sheet`: the pages that a browser prints.

use crate::program::run;

#[test]
fn boards_are_on_pages_with_the_answers_at_the_end() {
    let ran = run("klotski sheet testdata/klotski/classics.in --per-page 4 --title <Klotski>", b"");
    let boards = ran.out.matches("<figure>").count();
    assert_eq!((boards, ran.code), (40, Some(10)), "one of the forty cannot be solved");
    assert_eq!(ran.out.matches("<section class=\"page\">").count(), 10);
    assert!(ran.out.contains("<title>&lt;Klotski&gt;</title>"));
    let answers = ran.out.split("<h1>Answers</h1>").nth(1).expect("the answers");
    assert_eq!(answers.matches("<p><b>").count(), 40);
    assert!(
        answers.contains("81 rectilinear moves: ") && answers.contains(", no plan</p>"),
        "{answers}"
    );
    let without = run("klotski sheet 1A9BF0C --no-answers", b"");
    assert!(!without.out.contains("Answers") && without.code == Some(0));
}

/// A browser prints one page for each page of boards, and the answers.
#[cfg(unix)]
#[test]
fn a_browser_prints_as_many_pages() {
    use std::fs;
    use std::process::Command;

    let Some(browser) = crate::browser::installed() else { return };
    for (paper, per_page, pages) in [("a4", 6, 7), ("letter", 4, 10), ("a4", 1, 40)] {
        let folder = tempfile::tempdir().expect("a folder");
        let (html, pdf) = (folder.path().join("sheet.html"), folder.path().join("sheet.pdf"));
        let options = format!("--paper {paper} --per-page {per_page} --no-answers --title Klotski");
        let ran = run(&format!("klotski sheet testdata/klotski/classics.in {options}"), b"");
        fs::write(&html, ran.out).expect("written");
        let printed = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("--print-to-pdf={}", pdf.display()))
            .arg(format!("file://{}", html.display()))
            .output()
            .expect("it starts");
        let pdf = fs::read(&pdf).unwrap_or_default();
        let text = String::from_utf8_lossy(&pdf);
        let printed_pages = text.matches("/Type /Page\n").count();
        assert_eq!(printed_pages, pages, "{paper} {per_page}: {printed:?}");
    }
}
