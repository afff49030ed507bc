//! `cargo xtask page`: the page of `serve` without a server, with the solver as WebAssembly: a folder
//! for any web server, and one file.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use data_encoding::BASE64;
use fewest_web::assets::{self, Transport};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::dist::output_of;
use crate::{print_heading, root, target};

const TARGET: &str = "wasm32-unknown-unknown";

/// The file with everything in it.
const ONE_FILE: &str = "fewest.html";

/// What the page shows before the solver is there.
const CATALOG: &str = "catalog.json";

/// What runs the modules of that file.
const LOADER: &str = include_str!("page/loader.js");

/// Builds the page; `None` if no toolchain is there for it. Returns its folder.
pub(crate) fn make() -> anyhow::Result<Option<PathBuf>> {
    let Some(toolchain) = Toolchain::find() else {
        writeln!(
            stderr(),
            "NOT CHECKED: the page without a server, because no toolchain builds for {TARGET}: \
             rustup target add {TARGET}; on Debian, apt-get install rustc-web cargo-web \
             rust-web-src lld"
        )?;
        return Ok(None);
    };
    let wasm = toolchain.build()?;
    let folder = target().join("page");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for name in assets::names(Transport::Worker) {
        fs::write(folder.join(name), text(name)?)?;
    }
    let catalog = fewest_web::catalog(fewest_catalog::PUZZLES, None).to_string();
    fs::write(folder.join(CATALOG), &catalog)?;
    fs::write(folder.join("fewest.wasm"), &wasm)?;
    fs::write(folder.join(ONE_FILE), one_file(&wasm, &catalog)?)?;
    Ok(Some(folder))
}

/// The sizes of what `make` has made.
pub(crate) fn sizes(folder: &Path) -> anyhow::Result<String> {
    let wasm = fs::read(folder.join("fewest.wasm"))?;
    let packed = gzip(&wasm)?.len();
    let one_file = fs::metadata(folder.join(ONE_FILE))?.len();
    let wasm = wasm.len();
    Ok(format!("fewest.wasm: {wasm} bytes, {packed} with gzip; {ONE_FILE}: {one_file} bytes"))
}

/// A compiler with the standard library of the target, or with its source.
struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    has_library: bool,
}

impl Toolchain {
    /// The first one in `PATH`.
    fn find() -> Option<Self> {
        let folders = std::env::var_os("PATH")?;
        let program = |folder: &Path, name: &str| {
            let path = folder.join(name.to_owned() + std::env::consts::EXE_SUFFIX);
            path.is_file().then_some(path)
        };
        std::env::split_paths(&folders).find_map(|folder| {
            let (cargo, rustc) = (program(&folder, "cargo")?, program(&folder, "rustc")?);
            let sysroot = output_of(without_toolchain(&rustc).args(["--print", "sysroot"])).ok()?;
            let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
            let has_library = libraries.join(TARGET).is_dir();
            let has_source = libraries.join("src/rust/library/std").is_dir();
            let has_linker = || Command::new("wasm-ld").arg("--version").output().is_ok();
            let is_enough = has_library || has_source && has_linker();
            is_enough.then_some(Self { cargo, rustc, has_library })
        })
    }

    /// Builds the solver and returns the bytes of the module.
    fn build(&self) -> anyhow::Result<Vec<u8>> {
        print_heading(&format!("{} build --package fewest-page", self.cargo.display()));
        // Not in the folder of this toolchain, which may be another one.
        let folder = target().join("wasm");
        let mut build = without_toolchain(&self.cargo);
        build.args(["build", "--locked", "--profile", "page", "--package", "fewest-page"]);
        build.args(["--target", TARGET]).arg("--target-dir").arg(&folder);
        build.env("RUSTC", &self.rustc);
        if !self.has_library {
            build.args(["-Z", "build-std=std,panic_abort"]).env("RUSTC_BOOTSTRAP", "1");
            build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        ensure!(
            build.status().context("cannot start cargo")?.success(),
            "the page cannot be built"
        );
        Ok(fs::read(folder.join(TARGET).join("page/fewest_page.wasm"))?)
    }
}

/// A program in the root of the repository, without what is said of the toolchain that runs this one.
fn without_toolchain(program: &Path) -> Command {
    let mut command = Command::new(program);
    for variable in [
        "CARGO",
        "RUSTC",
        "RUSTUP_TOOLCHAIN",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "LD_LIBRARY_PATH",
    ] {
        command.env_remove(variable);
    }
    command.current_dir(root());
    command
}

/// The text of a file of the page.
fn text(name: &str) -> anyhow::Result<String> {
    Ok(assets::find(name, Transport::Worker).with_context(|| name.to_owned())?.text)
}

/// The page with all that it loads, and a policy that allows no request.
fn one_file(wasm: &[u8], catalog: &str) -> anyhow::Result<String> {
    let mut page = String::new();
    let (mut scripts, mut styles) = (Vec::new(), Vec::new());
    for line in text("index.html")?.lines() {
        if let Some(link) = line.strip_prefix(r#"<link rel="stylesheet" href=""#) {
            let (name, attributes) = link.split_once('"').context("an attribute ends")?;
            let style = text(name)?;
            page += &format!("<style{}{style}</style>\n", attributes.trim_end());
            styles.push(hash(&style));
        } else if line.starts_with("<script ") {
            page += &format!("<script>{LOADER}</script>\n");
            scripts.push(hash(LOADER));
        } else if !["preload", "Content-Security-Policy"].iter().any(|other| line.contains(other)) {
            page += &format!("{line}\n");
        }
    }
    let policy = format!(
        "default-src 'none'; script-src {} blob: 'wasm-unsafe-eval'; style-src {}; img-src data: blob:; \
         worker-src blob:; base-uri 'none'; form-action 'none'",
        scripts.join(" "),
        styles.join(" ")
    );
    let mut files = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    for name in assets::names(Transport::Worker).filter(|name| name.ends_with(".js")) {
        files += &embedded(name, &text(name)?)?;
    }
    files += &embedded(CATALOG, catalog)?;
    files += &embedded("fewest.wasm", &BASE64.encode(&gzip(wasm)?))?;
    // Before all that the policy is about, and after the character set.
    let (before, after) = page.split_once("<meta name=\"viewport\"").context("a viewport")?;
    Ok(format!("{before}{files}<meta name=\"viewport\"{after}"))
}

/// A text that the page finds by the name of its file.
fn embedded(name: &str, text: &str) -> anyhow::Result<String> {
    ensure!(!text.contains("</script") && !text.contains("<!--"), "{name} would end its element");
    Ok(format!("<script type=\"text/plain\" data-file=\"{name}\">{text}</script>\n"))
}

/// What a policy allows: exactly this text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}
