//! `sheet`: boards to print, as a page of HTML that a browser prints.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, ValueEnum, ValueHint};
use fewest_core::outcome::Verdict;
use fewest_puzzle::any::{AnyInstance, AnyPlan};
use fewest_puzzle::options::{OptionSource, Whole};
use fewest_scene::{DrawLimits, Theme, svg};
use quick_xml::escape::escape;

use crate::PuzzleRef;
use crate::args::{SearchArgs, instances, instances_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::input::{DataSet, Source};
use crate::output::{BrokenPipe, standard_output};
use crate::session::Session;

#[derive(Args)]
#[group(skip)]
struct SheetArgs {
    /// Write the sheet to this file; by default to standard output
    #[arg(short, long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Title at the top of each page
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,

    /// Size of the paper
    #[arg(long, value_enum, default_value_t = Paper::A4)]
    paper: Paper,

    /// Number of boards on a page
    #[arg(long, value_name = "COUNT", default_value_t = Whole::new(6))]
    per_page: Whole<1, 100>,

    /// Leave out the answers, which are on the last pages
    #[arg(long)]
    no_answers: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Paper {
    /// 210 x 297 mm
    A4,
    /// 8.5 x 11 in
    Letter,
}

impl Paper {
    /// The name and the height in millimetres.
    fn size(self) -> (&'static str, u32) {
        match self {
            Self::A4 => ("A4", 297),
            Self::Letter => ("letter", 279),
        }
    }
}

/// The margin of a page in millimetres.
const MARGIN: u32 = 15;

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let command = Command::new("sheet")
        .about("Lay out boards with their fewest moves as HTML for printing")
        .long_about(
            "Lay out boards with their fewest moves as HTML for printing\n\n\
             A browser shows the sheet and prints it. Each board has a number, a name and its fewest \
             moves; the shortest plans are on the last pages.",
        )
        .arg(instances_arg(puzzle));
    let command = with::<SheetArgs>(SearchArgs::add_to(command, puzzle));
    Some(puzzle.picture_arguments(command))
}

/// A board of the sheet.
struct Entry {
    name: String,
    /// The picture as SVG.
    picture: String,
    /// What is proved about the fewest moves.
    verdict: String,
    plan: Option<Box<dyn AnyPlan>>,
    exit: Exit,
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let (args, search): (SheetArgs, SearchArgs) = (parsed(matches)?, parsed(matches)?);
    let (names, reader) = (instances(matches), reader(puzzle, matches)?);
    let files = OutputFiles::new(names.iter().chain(reader.second_texts()));
    let output = args.output.as_deref().filter(|file| file.as_os_str() != "-");
    if let Some(file) = output {
        let extension = file.extension().map(|extension| extension.to_ascii_lowercase());
        if !extension.is_some_and(|extension| extension == "html" || extension == "htm") {
            let what = format!("`{}` does not end in `.html`", file.display());
            return Err(Failure::usage_with_hint(what, "a browser prints HTML as PDF"));
        }
        files.check_writable(file)?;
    }
    let sources = Source::instances(puzzle, &names)?;
    let session = Session::start(&search, true, false, BrokenPipe::discards_if(output.is_some()));
    let data_sets = sources.iter().flat_map(|source| source.data_sets(&*reader));
    let (mut entries, mut exit) = (Vec::new(), Exit::Answered);
    let end = session.for_each(
        data_sets,
        |data_set| entry(&session, matches, &data_set, sources.len() == 1),
        |entry: Entry| {
            exit = exit.max(entry.exit);
            entries.push(entry);
            Ok(())
        },
    )?;
    if end.exit() == Exit::Interrupted {
        return Err(Failure::Interrupted);
    }
    let html = html(&args, &entries);
    match output {
        Some(file) => files.write(file, |out| Ok(out.write_all(html.as_bytes())?))?,
        None => {
            let mut out = standard_output();
            out.write_all(html.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(exit.max(end.exit()))
}

fn entry(
    session: &Session<'_>,
    matches: &ArgMatches,
    data_set: &DataSet<'_>,
    is_only_text: bool,
) -> Result<Entry, Failure> {
    let (name, instance) = (data_set.name(), &data_set.instance);
    let budget = session.budget(data_set.is_only() && is_only_text);
    let answer = Arc::clone(instance).solve(session.engine(), &budget);
    let outcome = answer.map_err(|error| Failure::from(error).in_data_set(&name))?.outcome;
    let exit = Exit::from_verdict(&outcome.verdict);
    let count = |count| instance.moves(count);
    let (verdict, plan) = match outcome.verdict {
        Verdict::Solved { plan, cost } => (count(cost), Some(plan)),
        Verdict::Unsolvable => ("no plan".to_owned(), None),
        Verdict::Stopped { lower_bound, .. } => (format!("at least {}", count(lower_bound)), None),
    };
    Ok(Entry { picture: picture(&**instance, matches)?, name, verdict, plan, exit })
}

fn picture(instance: &dyn AnyInstance, matches: &ArgMatches) -> Result<String, Failure> {
    let animation = instance.animation(OptionSource::Arguments(matches), &DrawLimits::NONE)?;
    let mut picture = Vec::new();
    let look = svg::Look { theme: Theme::Light, ..svg::Look::default() };
    svg::still(&animation, &look, &DrawLimits::NONE, &mut picture)?;
    Ok(String::from_utf8_lossy(&picture).into_owned())
}

fn html(args: &SheetArgs, entries: &[Entry]) -> String {
    let (paper, height) = args.paper.size();
    let per_page = args.per_page.get() as usize;
    let columns = (1..).find(|columns| columns * (columns + 1) >= per_page).unwrap_or(1);
    let rows = per_page.div_ceil(columns);
    // A page that is filled to the last millimetre would be followed by an empty one.
    let height = height - 2 * MARGIN - 1;
    let title = escape(&args.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>\n\
         @page {{ size: {paper}; margin: {MARGIN}mm }}\n\
         body {{ margin: 0; font: 11pt sans-serif; color: black; background: white }}\n\
         h1 {{ margin: 0 0 4mm; font-size: 16pt }}\n\
         .page {{ display: flex; flex-direction: column; height: {height}mm; break-after: page }}\n\
         .page:last-child {{ break-after: auto }}\n\
         .boards {{ flex: 1; min-height: 0; display: grid; gap: 8mm;\n  \
         grid-template: repeat({rows}, minmax(0, 1fr)) / repeat({columns}, minmax(0, 1fr)) }}\n\
         figure {{ margin: 0; display: flex; flex-direction: column; min-height: 0 }}\n\
         figure img {{ flex: 1; min-height: 0; object-fit: contain; object-position: left top }}\n\
         figcaption {{ display: flex; gap: 3mm; margin-bottom: 2mm; overflow-wrap: anywhere }}\n\
         figcaption :last-child {{ margin-left: auto; white-space: nowrap }}\n\
         .answers {{ columns: 2; column-gap: 8mm; font-size: 8pt; overflow-wrap: anywhere }}\n\
         .answers p {{ margin: 0 0 2mm; break-inside: avoid-page }}\n\
         @media screen {{ body {{ max-width: 180mm; margin: {MARGIN}mm auto }} }}\n\
         </style>\n</head>\n<body>\n"
    );
    let heading = if title.is_empty() { String::new() } else { format!("<h1>{title}</h1>\n") };
    for (page, entries) in entries.chunks(per_page).enumerate() {
        html += &format!("<section class=\"page\">\n{heading}<div class=\"boards\">\n");
        for (index, Entry { name, picture, verdict, .. }) in entries.iter().enumerate() {
            let (number, name) = (page * per_page + index + 1, escape(name));
            // A string takes everything.
            let _ = writeln!(
                html,
                "<figure><figcaption><b>{number}</b><span>{name}</span><span>{verdict}</span>\
                 </figcaption><img alt=\"{name}\" src=\"{}\"></figure>",
                data_url(picture)
            );
        }
        html += "</div>\n</section>\n";
    }
    if !args.no_answers {
        html += "<section>\n<h1>Answers</h1>\n<div class=\"answers\">\n";
        for (index, Entry { name, verdict, plan, .. }) in entries.iter().enumerate() {
            let lines = plan.as_deref().map(|plan| plan.lines().collect::<Vec<_>>().join(" · "));
            let (number, lines) = (index + 1, lines.map(|lines| format!(": {lines}")));
            let _ = writeln!(
                html,
                "<p><b>{number}</b> {}, {verdict}{}</p>",
                escape(name),
                escape(lines.unwrap_or_default())
            );
        }
        html += "</div>\n</section>\n";
    }
    html + "</body>\n</html>\n"
}

/// A picture as a URL, so that the styles of pictures do not mix.
fn data_url(svg: &str) -> String {
    let mut url = String::from("data:image/svg+xml,");
    for character in svg.chars() {
        match character {
            '%' | '#' | '"' | '<' | '>' | '&' | '\'' | '\n' => {
                let _ = write!(url, "%{:02X}", u32::from(character));
            }
            _ => url.push(character),
        }
    }
    url
}
