//! Contest mode: reads and writes the contest format.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use fewest_core::outcome::Verdict;
use fewest_core::search::Answer;
use fewest_puzzle::any::AnyPlan;
use fewest_puzzle::builtin;
use fewest_puzzle::judge::{AnswerText, WrongAnswer};
use fewest_puzzle::words::plural;
use fewest_rules::text::quote;

use crate::PuzzleRef;
use crate::args::{SearchArgs, list, parsed, reader};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source, is_stdin};
use crate::message::note;
use crate::output::BrokenPipe;
use crate::session::Session;
use crate::verbs;

/// Writes the answer of each data set as soon as it and all earlier answers are known. The answer
/// of a stopped search is `?`, and the exit code is that of its limit. An unsolvable data set is an
/// ordinary answer.
pub(crate) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let file = matches.get_one::<PathBuf>("file").map_or(Path::new("-"), PathBuf::as_path);
    let count_only = matches.get_flag("count_only");
    let search: SearchArgs = parsed(matches)?;
    let reader = reader(puzzle, matches)?;
    let numbered = matches.get_flag("numbered");
    let can_judge = puzzle.info().verbs.judge.is_some();
    let expected = can_judge.then(|| matches.get_one::<PathBuf>("expected")).flatten();
    if is_stdin(file) && expected.is_some_and(|expected| is_stdin(expected)) {
        return Err(Failure::usage("the data sets and `--expected` cannot both be standard input"));
    }
    let source = contest_text(puzzle, file)?;
    let expected = expected.map(|name| Expected::read(name)).transpose()?;
    let unsolvable = puzzle.info().contest_unsolvable;
    let mut answers = expected.as_ref().map(|expected| expected.answers(unsolvable));
    let mut number = 0;
    let session = Session::start(&search, false, false, BrokenPipe::IsAnError);
    let mut exit = Exit::Answered;
    let end = session.for_each(
        source.data_sets(&*reader),
        |data_set| answer(&session, count_only, data_set),
        |(data_set, Answer { outcome, engine }, elapsed)| {
            if search.stats {
                session.print_stats(&data_set.name(), engine, outcome.stats, elapsed);
            }
            if let Verdict::Stopped { limit, lower_bound, .. } = outcome.verdict {
                let (name, least) = (data_set.name(), data_set.instance.moves(lower_bound));
                session.message(format_args!(
                    "{name}: stopped, {limit}: any plan has at least {least}"
                ));
                exit = exit.max(Exit::from_verdict(&outcome.verdict));
            }
            number += 1;
            if let (Some(answers), Some(expected)) = (&mut answers, &expected) {
                let fewest = match &outcome.verdict {
                    Verdict::Solved { cost, .. } => Some(*cost),
                    Verdict::Unsolvable => None,
                    // Whatever follows would be compared with the wrong answer.
                    Verdict::Stopped { limit, .. } => return Err(Failure::Stopped(*limit)),
                };
                let checked = data_set.instance.check_answer(fewest, count_only, answers);
                return checked.map_err(|wrong| expected.differs(number, &wrong));
            }
            session.write(|out| {
                if numbered {
                    write!(out, "{number}: ")?;
                }
                match &outcome.verdict {
                    Verdict::Solved { cost, plan: None } => write!(out, "{cost}")?,
                    Verdict::Solved { plan: Some(plan), .. } => plan.write_contest(out)?,
                    Verdict::Unsolvable => write!(out, "{unsolvable}")?,
                    Verdict::Stopped { .. } => write!(out, "?")?,
                }
                writeln!(out)
            })
        },
    )?;
    session.finish()?;
    let is_complete = end.exit() == Exit::Answered;
    if let (Some(answers), Some(expected), true) = (&mut answers, &expected, is_complete) {
        expected.check_end(answers)?;
        let answers = plural("answer", number);
        note(format_args!("{number} {answers} as expected"));
    }
    Ok(exit.max(end.exit()))
}

/// The answers of a file, to compare with.
struct Expected {
    name: String,
    text: String,
}

impl Expected {
    fn read(name: &Path) -> Result<Self, Failure> {
        let Source { name, text, .. } = Source::file(name, Default::default)?;
        Ok(Self { name, text: String::from_utf8_lossy(&text).into_owned() })
    }

    fn answers(&self, unsolvable: &'static str) -> AnswerText<'_> {
        AnswerText::new(&self.text, unsolvable)
    }

    fn differs(&self, number: u64, wrong: &WrongAnswer) -> Failure {
        Failure::Refused(format!("{}: data set {number} differs, {wrong}", self.name))
    }

    /// Returns an error if there is an answer more.
    fn check_end(&self, answers: &mut AnswerText<'_>) -> Result<(), Failure> {
        answers.next_line().map_or(Ok(()), |line| {
            let (name, number, found) = (&self.name, line.number, quote(line.text.trim()));
            let what = format!("{name}: line {number}: found {found} after the last answer");
            Err(Failure::Refused(what))
        })
    }
}

/// A data set with its answer, whose plan may be missing, and the time that it took.
type Answered<'a> = (DataSet<'a>, Answer<Option<Box<dyn AnyPlan>>>, Duration);

fn answer<'a>(
    session: &Session<'_>,
    count_only: bool,
    data_set: DataSet<'a>,
) -> Result<Answered<'a>, Failure> {
    let (start, instance) = (Instant::now(), &data_set.instance);
    let (engine, budget) = (session.engine(), session.budget(data_set.is_only()));
    // Without its plan, a cost may take less time.
    let answer = match count_only {
        true => instance.solve_cost(engine, &budget).map(|answer| answer.map(|()| None)),
        false => Arc::clone(instance).solve(engine, &budget).map(|answer| answer.map(Some)),
    };
    let answer = answer.map_err(|error| Failure::from(error).in_data_set(&data_set.name()))?;
    Ok((data_set, answer, start.elapsed()))
}

/// A file in contest format.
fn contest_text(puzzle: PuzzleRef, file: &Path) -> Result<Source, Failure> {
    let (info, name) = (puzzle.info(), &*file.to_string_lossy());
    let is_missing = verbs::exists(name) && verbs::names(puzzle).all(|verb| verb != name);
    if is_missing && !file.exists() {
        return Err(verbs::missing(info.name, name, verbs::names(puzzle)));
    }
    // A file that is meant as such mostly has an extension or a folder.
    let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    Source::file(file, || {
        let hint = if builtin::find(info.builtins, name).is_some() {
            format!("`{} solve {name}` solves a built-in instance", info.name)
        } else if puzzle.is_inline(name) {
            format!("`{} solve {name}` solves that layout", info.name)
        } else {
            let verbs: Vec<&str> = verbs::names(puzzle).collect();
            let suggestion = verbs::suggestion(name, &verbs);
            suggestion.unwrap_or_else(|| format!("the verbs are {}", list(verbs)))
        };
        (if is_word { " and no verb of that name" } else { "" }, Some(hint))
    })
}
