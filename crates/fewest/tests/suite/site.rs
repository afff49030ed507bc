//! The page without a server: a folder that `cargo xtask page` has made, behind any web server.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, thread};

/// The folder of the page; `None` if it was not built, which is said.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("FEWEST_PAGE_FOLDER").map(PathBuf::from);
    if folder.is_none() {
        fewest_testing::not_checked("the page without a server was not built");
    }
    folder
}

/// A web server that knows nothing of the page.
pub(crate) struct Site {
    port: u16,
    is_over: Arc<AtomicBool>,
}

impl Site {
    /// Serves a folder.
    pub(crate) fn start(folder: PathBuf) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_over = Arc::<AtomicBool>::default();
        let ends = Arc::clone(&is_over);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ends.load(Ordering::Relaxed) {
                    break;
                }
                let folder = folder.clone();
                // Browsers close connections that they have opened and do not need.
                thread::spawn(move || stream.map(|stream| answer(stream, &folder)));
            }
        });
        Self { port, is_over }
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut request = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    request.read_line(&mut line)?;
    let mut header = String::new();
    while request.read_line(&mut header)? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let file = fs::read(folder.join(name)).ok().filter(|_| !name.contains('/'));
    let media_type = match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        _ => "application/octet-stream",
    };
    let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
    let bytes = file.unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        bytes.len()
    )?;
    stream.write_all(&bytes)
}
