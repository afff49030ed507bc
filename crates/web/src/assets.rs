//! The files of the page, embedded in the program.

use fewest_scene::{Theme, html};

/// A file with its media type.
pub(crate) struct Asset {
    pub(crate) media_type: &'static str,
    pub(crate) text: String,
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../assets/", $name)))),*]
    };
}

/// The files that are served unchanged from `assets`.
const FILES: &[(&str, &str)] = files! {
    "index.html" "page.css" "app.js" "api.js" "board.js" "dialogs.js" "dom.js" "edit.js" "know.js"
    "share.js" "compare.js" "tree.js" "words.js"
};

/// Finds a file by its path after the token. The empty path is the page itself.
pub(crate) fn find(path: &str) -> Option<Asset> {
    let path = if path.is_empty() { "index.html" } else { path };
    let text = match path {
        "player.js" => format!("{}\nexport {{ boardOf, playerIn }};\n", html::PLAYER),
        "player.css" => html::PLAYER_STYLE.to_owned(),
        "light.css" => html::style_sheet(Theme::Light),
        "dark.css" => html::style_sheet(Theme::Dark),
        _ => FILES.iter().find(|(name, _)| *name == path)?.1.to_owned(),
    };
    let media_type = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    Some(Asset { media_type, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_at_most_150_kilobytes_and_names_its_files() {
        let made = ["player.js", "player.css", "light.css", "dark.css"];
        let names = FILES.iter().map(|(name, _)| *name).chain(made);
        let bytes: usize = names.map(|name| find(name).expect("a file").text.len()).sum();
        assert!(bytes <= 150_000, "{bytes}");
        // Each file is loaded by the page or by a module that it loads.
        let all: String = FILES.iter().map(|(_, text)| *text).collect();
        for name in FILES[1..].iter().map(|(name, _)| *name).chain(made) {
            assert!(all.contains(&format!("\"{name}\"")) || all.contains(&format!("\"./{name}\"")));
        }
        assert!(find("../Cargo.toml").is_none() && find("nothing").is_none());
    }
}
