//! The files of the page, embedded in the program.

use fewest_scene::{Theme, html};

/// A file with its media type.
#[derive(Clone, Debug)]
pub struct Asset {
    /// What it is, for browsers.
    pub media_type: &'static str,
    /// What it contains.
    pub text: String,
}

/// What carries the requests of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// HTTP, to the server that the page is from.
    Http,
    /// Messages to a worker of the page, which has the solver as WebAssembly.
    Worker,
}

/// The policy of the page without a server, whose files are its own.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'";

impl Transport {
    /// The module that the page loads as `api.js`.
    fn module(self) -> &'static str {
        match self {
            Self::Http => include_str!("../assets/over-http.js"),
            Self::Worker => include_str!("../assets/in-worker.js"),
        }
    }

    /// What the head of the page says of it.
    fn head(self) -> String {
        match self {
            Self::Http => String::new(),
            Self::Worker => {
                format!(r#"<meta http-equiv="Content-Security-Policy" content="{POLICY}">"#)
            }
        }
    }
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../assets/", $name)))),*]
    };
}

/// The files that are the same for each transport.
const FILES: &[(&str, &str)] = files! {
    "page.css" "app.js" "board.js" "cards.js" "chinese.js" "compare.js" "curve.js" "dialog.js"
    "dom.js" "edit.js" "fault.js" "gallery.js" "kept.js" "know.js" "share.js" "start.js" "texts.js"
    "tree.js" "words.js"
};

/// The names of all other files.
const MADE: [&str; 6] =
    ["index.html", "api.js", "player.js", "player.css", "light.css", "dark.css"];

/// The names of the files of a page.
pub fn names(transport: Transport) -> impl Iterator<Item = &'static str> {
    let worker = (transport == Transport::Worker).then_some("worker.js");
    FILES.iter().map(|(name, _)| *name).chain(MADE).chain(worker)
}

/// Finds a file by its path below the page; the empty path is the page itself.
pub fn find(path: &str, transport: Transport) -> Option<Asset> {
    let path = if path.is_empty() { "index.html" } else { path };
    let text = match path {
        "index.html" => {
            include_str!("../assets/index.html").replace("<!-- transport -->", &transport.head())
        }
        "api.js" => transport.module().to_owned(),
        "worker.js" if transport == Transport::Worker => {
            include_str!("../assets/worker.js").to_owned()
        }
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
    fn the_page_has_at_most_160_kilobytes_and_names_its_files() {
        for transport in [Transport::Http, Transport::Worker] {
            let text = |name| find(name, transport).expect("a file").text;
            let bytes: usize = names(transport).map(|name| text(name).len()).sum();
            assert!(bytes <= 160_000, "{transport:?}: {bytes}");
            // Each file is loaded by the page or by a module that it loads.
            let all: String = names(transport).map(text).collect();
            for name in names(transport).filter(|name| *name != "index.html") {
                let ways = [format!("\"{name}\""), format!("\"./{name}\"")];
                assert!(ways.iter().any(|way| all.contains(way)), "{transport:?}: {name}");
            }
            let others = ["../Cargo.toml", "nothing", "over-http.js"];
            assert!(others.iter().all(|name| find(name, transport).is_none()));
        }
        assert!(find("worker.js", Transport::Http).is_none());
    }
}
