//! `judge`: runs another program, compares its answers, and shrinks an input on which it fails.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::{Arg, ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_puzzle::any::{AnyInstance, AnyPlan};
use fewest_puzzle::generate::GenerateEnd;
use fewest_puzzle::judge::{AnswerText, JudgeVerb, WrongAnswer};
use fewest_puzzle::options::{OptionSource, Whole, parse_memory, parse_time};
use fewest_puzzle::random::Random;
use fewest_puzzle::words::plural;
use fewest_puzzle::work::WorkContext;
use fewest_rules::text::{Diagnostic, quote};
use fewest_scene::{Animation, DrawError, DrawLimits, svg, text};

use crate::PuzzleRef;
use crate::args::{instances, instances_arg, parsed, reader, with};
use crate::child::{ChildLimits, Ended, Program, Ran};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::input::Source;
use crate::message::message;
use crate::output::standard_output;
use crate::run::Run;
use crate::terminal;
use crate::verbs::capability;

/// The number of data sets in a random text.
const RANDOM_DATA_SETS: usize = 5;
/// The output limit in bytes: this much plus a multiple of the size of the expected output.
const MIN_OUTPUT: usize = 1 << 16;
const OUTPUT_FACTOR: usize = 100;
/// The maximum number of lines of output that are shown.
const MAX_SHOWN_LINES: usize = 40;
/// The time limit for shrinking.
const SHRINK_TIME: Duration = Duration::from_secs(60);
/// The limits of the search for the correct answer to a data set.
const ANSWER_LIMITS: Limits =
    Limits { time: Some(Duration::from_secs(60)), memory_bytes: Some(4 << 30), states: None };

#[derive(Args)]
#[group(skip)]
struct JudgeArgs {
    /// Program to judge, with its arguments. The command line is split into words as by a shell.
    /// The program reads a text in contest format from standard input
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    program: String,

    /// Number of random texts, if no INSTANCE is given
    #[arg(long, value_name = "COUNT", default_value_t = Whole::new(200), conflicts_with = "instance")]
    tries: Whole<1>,

    /// Random seed
    #[arg(long, default_value_t = Whole::new(1), conflicts_with = "instance")]
    seed: Whole<0>,

    /// Generate the random texts with these options of `generate`, such as `--generate '--count
    /// 20'`. The seed is added
    #[arg(long, value_name = "OPTIONS", conflicts_with = "instance", allow_hyphen_values = true)]
    generate: Option<String>,

    /// Time limit of the program for each text
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_time)]
    time: Duration,

    /// Limit on the address space of the program (Linux only)
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// Also use texts that violate the guarantees of the contest statement, such as that a plan
    /// exists or a maximum size
    #[arg(long)]
    beyond_statement: bool,

    /// Expect only the number of moves as answer
    #[arg(long)]
    count_only: bool,

    /// Write the smallest failing case to this folder: `case.in`, `expected.out`, `found.out` and
    /// `plan.svg`
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    puzzle.info().verbs.judge?;
    let instances = instances_arg(puzzle).required(false).help(
        "Texts in contest format: files, `-` for standard input, or built-in names; by default all \
         built-in instances and then random texts",
    );
    let command = Command::new("judge")
        .about("Test your own program against proved answers, and shrink inputs on which it fails")
        .long_about(
            "Test your own program against proved answers, and shrink inputs on which it fails\n\n\
             The program gets a text in contest format on standard input. It fails if an answer is \
             wrong, if its exit code is not 0, or if it exceeds a limit on time, memory or output. If \
             the contest accepts any shortest plan, every shortest plan is correct. All texts satisfy \
             the guarantees of the contest statement.\n\n\
             After the first failure, the text is shrunk (fewer data sets, smaller maps, fewer \
             pieces, fewer walls) as long as the program fails in the same way and no further \
             guarantee is violated. The smallest case is printed with the correct answer, a shortest \
             plan and the output of the program, and the exit code is 11.",
        )
        .arg(instances);
    Some(puzzle.arguments(with::<JudgeArgs>(command)).mut_arg("generate", |arg| hide(arg, puzzle)))
}

/// Hides an option if the puzzle cannot generate instances without a base instance.
fn hide(arg: Arg, puzzle: PuzzleRef) -> Arg {
    let generates = puzzle.info().verbs.generate.is_some_and(|verb| verb.base.is_none());
    arg.hide(!generates)
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: JudgeArgs = parsed(matches)?;
    let limits = ChildLimits { time: args.time, memory: args.memory, output: 0 };
    let program = Program::new(&args.program, limits)?;
    let names = instances(matches);
    let files =
        OutputFiles::new(names.iter().map(PathBuf::as_path).chain(program.words().map(Path::new)));
    if let Some(folder) = &args.output {
        let failure = |error| Failure::Create { file: folder.display().to_string(), error };
        fs::create_dir_all(folder).map_err(failure)?;
        CASE_FILES.iter().try_for_each(|name| files.check_writable(&folder.join(name)))?;
    }
    let run = Run::start();
    run.start("text", None);
    let verb = capability(puzzle.info().verbs.judge)?;
    let mut judge =
        Judge { verb, puzzle, program, count_only: args.count_only, run: &run, runs: 0, end: None };
    let (mut texts, mut data_sets, mut exit) = (0, 0, Exit::Answered);
    let mut failed = None;
    for_each_test(puzzle, verb, matches, &args, &run, &mut |mut test| {
        let answers = match judge.answers(&mut test, args.beyond_statement) {
            Err(Failure::Stopped(limit)) if limit != Limit::Cancelled => {
                let name = &test.name;
                message(format_args!(
                    "{name}: skipped, the search for the correct answer was stopped: {limit}"
                ));
                exit = exit.max(Exit::from_limit(limit));
                return Ok(true);
            }
            answers => answers?,
        };
        if answers.is_empty() {
            return Ok(true);
        }
        let (failure, ran) = judge.judge(&test.text, &answers)?;
        run.add_done(1);
        texts += 1;
        data_sets += answers.len() as u64;
        let Some(failure) = failure else { return Ok(true) };
        failed = Some((test, answers, failure, ran));
        Ok(false)
    })?;
    let mut out = standard_output();
    let name = &judge.program.name.clone();
    if let Some((test, answers, failure, ran)) = failed {
        writeln!(out, "{name} fails on {}: {}", test.name, failure.describe(answers.len()))?;
        out.flush()?;
        let mut case = Case { text: test.text, answers, failure, ran };
        let shrunk = judge.shrink(&mut case);
        writeln!(out, "smallest failing case, found in {} runs:", judge.runs)?;
        report(&judge, &case, &mut out)?;
        if let Some(folder) = &args.output {
            write_files(&judge, &case, folder, &files)?;
        }
        out.flush()?;
        // Report an error of `shrink` only after the case has been printed.
        shrunk?;
        let interrupted = if run.is_interrupted() { Exit::Interrupted } else { Exit::Answered };
        return Ok(Exit::Refused.max(interrupted));
    }
    if run.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    if texts == 0 && exit == Exit::Answered {
        let what = "no text satisfies the guarantees of the contest statement";
        return Err(Failure::usage_with_hint(
            what,
            "use --beyond-statement to judge on such texts",
        ));
    }
    let counted = |noun, count| format!("{count} {}", plural(noun, count));
    writeln!(
        out,
        "{name}: all answers to {} in {} are correct",
        counted("data set", data_sets),
        counted("text", texts)
    )?;
    out.flush()?;
    Ok(exit)
}

/// A text with its instances.
struct Test {
    name: String,
    text: Vec<u8>,
    data_sets: Vec<Arc<dyn AnyInstance>>,
    /// Whether it was given as INSTANCE. Then it is judged as a whole or refused, and never
    /// filtered.
    is_named: bool,
}

/// Passes the texts to `judge` until it returns `false`.
fn for_each_test(
    puzzle: PuzzleRef,
    verb: JudgeVerb,
    matches: &ArgMatches,
    args: &JudgeArgs,
    run: &Run,
    judge: &mut dyn FnMut(Test) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let (names, reader) = (instances(matches), reader(puzzle, matches)?);
    if let Some(second) = puzzle.info().two_texts.filter(|_| !reader.second_texts().is_empty()) {
        let what = format!("the contest format does not support a {}", second.second);
        return Err(Failure::usage(what));
    }
    let mut go_on = |test| Ok::<_, Failure>(!run.is_interrupted() && judge(test)?);
    for source in Source::instances(puzzle, &names)? {
        let data_sets = source.data_sets(&*reader).map(|data_set| Ok(data_set?.instance));
        let data_sets = data_sets.collect::<Result<Vec<_>, Failure>>()?;
        // Pass a file to the program unchanged.
        let text = match source.is_file {
            true => source.text.clone(),
            false => contest_text(verb, data_sets.iter()),
        };
        if !go_on(Test { name: source.full_name(), text, data_sets, is_named: true })? {
            return Ok(());
        }
    }
    if !names.is_empty() {
        return Ok(());
    }
    let test = |name: String, data_sets: Vec<Arc<dyn AnyInstance>>| Test {
        name,
        text: contest_text(verb, data_sets.iter()),
        data_sets,
        is_named: false,
    };
    if args.generate.is_none() {
        for builtin in puzzle.info().builtins {
            let data_sets = reader.read(builtin.text.as_bytes()).filter_map(Result::ok);
            if !go_on(test(builtin.names[0].to_owned(), data_sets.collect()))? {
                return Ok(());
            }
        }
    }
    let seed = args.seed.get();
    let mut random = Random::from_seed(seed);
    for number in 0..args.tries.get() {
        let name = format!("random text {} of seed {seed}", number + 1);
        let next = match &args.generate {
            Some(options) => {
                let mut text = generated(puzzle, options, seed.wrapping_add(number), run)?;
                text.extend_from_slice(verb.end.as_bytes());
                let data_sets = reader.read(&text).collect::<Result<_, _>>();
                let bug = |error: Diagnostic| Failure::Internal(format!("{name}: {error}"));
                let data_sets = data_sets.map_err(bug)?;
                Test { name, text, data_sets, is_named: false }
            }
            None => {
                let data_sets = (0..RANDOM_DATA_SETS).map(|_| puzzle.random_instance(&mut random));
                test(name, data_sets.flatten().collect())
            }
        };
        if !go_on(next)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Runs `generate` with these options and a seed.
fn generated(puzzle: PuzzleRef, options: &str, seed: u64, run: &Run) -> Result<Vec<u8>, Failure> {
    let usage = |what: String| Failure::usage(format!("`--generate {options}`: {what}"));
    if puzzle.info().verbs.generate.is_none_or(|verb| verb.base.is_some()) {
        let name = puzzle.info().name;
        return Err(usage(format!("{name} cannot generate texts in contest format")));
    }
    let mut words = shell_words::split(options).map_err(|error| usage(error.to_string()))?;
    words.extend(["--seed".to_owned(), seed.to_string()]);
    let command = puzzle.generate_arguments(Command::new("generate").no_binary_name(true));
    let matches = command.try_get_matches_from(words).map_err(|error| {
        let text = error.to_string();
        usage(text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
    })?;
    let mut text = Vec::new();
    let mut emit = |instance: String, _| {
        text.extend_from_slice(instance.as_bytes());
        Ok(())
    };
    let ended = puzzle.generate(None, OptionSource::Arguments(&matches), run, &mut emit)?;
    match ended.end {
        GenerateEnd::Complete => Ok(text),
        GenerateEnd::Stopped(Limit::Cancelled) => Err(Failure::Interrupted),
        _ => {
            let messages = ended.messages.into_iter().map(|message| message.text);
            Err(usage(messages.collect::<Vec<_>>().join("; ")))
        }
    }
}

fn contest_text<'a>(
    verb: JudgeVerb,
    data_sets: impl Iterator<Item = &'a Arc<dyn AnyInstance>>,
) -> Vec<u8> {
    let texts: Vec<String> = data_sets.map(|data_set| data_set.text()).collect();
    (texts.join(verb.separator) + verb.end).into_bytes()
}

/// A data set with its correct answer.
#[derive(Clone)]
struct AnsweredDataSet {
    instance: Arc<dyn AnyInstance>,
    /// A shortest plan; `None` if there is no plan.
    plan: Option<Arc<dyn AnyPlan>>,
}

impl AnsweredDataSet {
    /// The guarantees of the contest statement that the data set violates.
    fn broken_guarantees(&self) -> Vec<&'static str> {
        self.instance.broken_guarantees(self.plan.is_some())
    }
}

/// How a program fails.
enum ProgramFailure {
    /// The answer to the data set with this index, from 0, is wrong.
    Wrong(usize, WrongAnswer),
    /// The output continues after the last answer.
    TooLong(String),
    Crashed(String),
    TimeOut,
    TooMuchOutput,
    OpenOutput,
}

impl ProgramFailure {
    /// Whether both are the same kind of failure.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Wrong(..) | Self::TooLong(_), Self::Wrong(..) | Self::TooLong(_)) => true,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// A description of the failure. The number of data sets decides whether it names one.
    fn describe(&self, data_sets: usize) -> String {
        match self {
            Self::Wrong(_, wrong) if data_sets == 1 => format!("wrong answer, {wrong}"),
            Self::Wrong(number, wrong) => {
                format!("wrong answer to data set {} of {data_sets}, {wrong}", number + 1)
            }
            Self::TooLong(line) => format!("found {line} after the last answer"),
            Self::Crashed(how) => format!("it ended with {how}"),
            Self::TimeOut => "out of time".to_owned(),
            Self::TooMuchOutput => "too much output".to_owned(),
            Self::OpenOutput => {
                "it exited, but a process that it started keeps its output open".to_owned()
            }
        }
    }
}

/// A text on which the program fails.
struct Case {
    text: Vec<u8>,
    answers: Vec<AnsweredDataSet>,
    failure: ProgramFailure,
    ran: Ran,
}

struct Judge<'a> {
    puzzle: PuzzleRef,
    verb: JudgeVerb,
    program: Program,
    count_only: bool,
    run: &'a Run,
    /// The number of runs of the program.
    runs: u64,
    /// The deadline for shrinking.
    end: Option<Instant>,
}

impl Judge<'_> {
    /// The budget of a search for the correct answer.
    fn budget(&self) -> Budget {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        let time = left.into_iter().chain(ANSWER_LIMITS.time).min();
        self.run.budget(Limits { time, ..ANSWER_LIMITS })
    }

    /// Finds the correct answer.
    fn solve(&self, instance: &Arc<dyn AnyInstance>) -> Result<AnsweredDataSet, Failure> {
        let answer = Arc::clone(instance).solve(None, &self.budget())?;
        let plan = match answer.outcome.verdict {
            Verdict::Solved { plan, .. } => Some(Arc::from(plan)),
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => return Err(Failure::Stopped(limit)),
        };
        Ok(AnsweredDataSet { instance: Arc::clone(instance), plan })
    }

    /// Finds the correct answers to a text. A data set that violates a guarantee is removed from a
    /// built-in or random text. Guarantees are not checked with `beyond_statement`, or for an
    /// INSTANCE of a puzzle without a statement.
    ///
    /// # Errors
    /// If a text that was given as INSTANCE violates a guarantee; or as [`solve`](Self::solve).
    fn answers(
        &self,
        test: &mut Test,
        beyond_statement: bool,
    ) -> Result<Vec<AnsweredDataSet>, Failure> {
        let takes_all = beyond_statement || test.is_named && !self.verb.has_statement;
        let mut answers = Vec::new();
        // Two steps, because some guarantees can be checked before solving (sizes), and others only
        // with the answer (that a plan exists): the argument `true` assumes that there is one.
        for data_set in &test.data_sets {
            let mut broken = data_set.broken_guarantees(true);
            if takes_all || broken.is_empty() {
                let answered = self.solve(data_set)?;
                broken = answered.broken_guarantees();
                if takes_all || broken.is_empty() {
                    answers.push(answered);
                    continue;
                }
            }
            if test.is_named {
                let broken = broken.join(", ");
                let what = format!(
                    "{}: violates a guarantee of the contest statement: {broken}",
                    test.name
                );
                return Err(Failure::usage_with_hint(
                    what,
                    "use --beyond-statement to judge on it",
                ));
            }
        }
        if answers.len() < test.data_sets.len() {
            test.text = contest_text(self.verb, answers.iter().map(|answered| &answered.instance));
        }
        Ok(answers)
    }

    /// The correct answers in contest format.
    fn expected(&self, answers: &[AnsweredDataSet]) -> Vec<u8> {
        let mut text = Vec::new();
        for AnsweredDataSet { plan, .. } in answers {
            // Writing to a `Vec` cannot fail.
            let _ = match plan {
                Some(plan) if self.count_only => write!(text, "{}", plan.len()),
                Some(plan) => plan.write_contest(&mut text),
                None => write!(text, "{}", self.puzzle.info().contest_unsolvable),
            };
            text.push(b'\n');
        }
        text
    }

    /// Runs the program on a text and compares its answers.
    fn judge(
        &mut self,
        text: &[u8],
        answers: &[AnsweredDataSet],
    ) -> Result<(Option<ProgramFailure>, Ran), Failure> {
        self.program.limits.output = MIN_OUTPUT + OUTPUT_FACTOR * self.expected(answers).len();
        self.runs += 1;
        let ran = self.program.run(text, || self.run.is_interrupted())?;
        let failure = match &ran.ended {
            Ended::Normally => None,
            Ended::Crashed(how) => Some(ProgramFailure::Crashed(how.clone())),
            Ended::TimeOut => Some(ProgramFailure::TimeOut),
            Ended::TooMuchOutput => Some(ProgramFailure::TooMuchOutput),
            Ended::OpenOutput => Some(ProgramFailure::OpenOutput),
            Ended::Interrupted => return Err(Failure::Interrupted),
        };
        if failure.is_some() {
            return Ok((failure, ran));
        }
        let mut lines = AnswerText::new(&ran.output, self.puzzle.info().contest_unsolvable);
        for (number, AnsweredDataSet { instance, plan }) in answers.iter().enumerate() {
            let fewest = plan.as_ref().map(|plan| plan.len() as u32);
            if let Err(wrong) = instance.check_answer(fewest, self.count_only, &mut lines) {
                return Ok((Some(ProgramFailure::Wrong(number, wrong)), ran));
            }
        }
        let rest = lines.next_line();
        let rest = rest.map(|line| format!("{} in line {}", quote(line.text.trim()), line.number));
        Ok((rest.map(ProgramFailure::TooLong), ran))
    }

    /// Runs the program on these data sets, and returns the case if the program fails in the same
    /// way. `None` also after Ctrl-C.
    fn fails(
        &mut self,
        answers: &[AnsweredDataSet],
        like: &ProgramFailure,
    ) -> Result<Option<Case>, Failure> {
        let text = contest_text(self.verb, answers.iter().map(|answered| &answered.instance));
        let (failure, ran) = match self.judge(&text, answers) {
            Err(Failure::Interrupted) => return Ok(None),
            judged => judged?,
        };
        let failure = failure.filter(|failure| failure.is_like(like));
        Ok(failure.map(|failure| Case { text, answers: answers.to_vec(), failure, ran }))
    }

    /// Makes a case smaller as long as the program still fails in the same way.
    ///
    /// # Errors
    /// If the program can no longer be started. `case` is then the smallest one so far.
    fn shrink(&mut self, case: &mut Case) -> Result<(), Failure> {
        self.run.start("smaller text", None);
        self.end = Some(Instant::now() + SHRINK_TIME);
        // First try the data set with the wrong answer alone, which usually suffices.
        if let ProgramFailure::Wrong(number, _) = case.failure {
            let alone = [case.answers[number].clone()];
            if let Some(smaller) = self.fails(&alone, &case.failure)? {
                *case = smaller;
            }
        }
        // Delta debugging (Zeller and Hildebrandt, 2002): try to remove blocks of data sets, of
        // half the data sets, then a quarter, down to single ones.
        let mut part = case.answers.len() / 2;
        while part > 0 && case.answers.len() > 1 {
            let mut from = 0;
            // After a success `from` stays: the next block has moved to this place.
            while from < case.answers.len() && case.answers.len() > part && !self.is_over() {
                let answers = case.answers.iter().enumerate();
                let kept = answers.filter(|(number, _)| !(from..from + part).contains(number));
                let kept: Vec<AnsweredDataSet> =
                    kept.map(|(_, answered)| answered.clone()).collect();
                match self.fails(&kept, &case.failure)? {
                    Some(smaller) => *case = smaller,
                    None => from += part,
                }
            }
            part /= 2;
        }
        (0..case.answers.len()).try_for_each(|number| self.shrink_data_set(case, number))
    }

    /// Whether shrinking must stop: at its deadline, or after Ctrl-C.
    fn is_over(&self) -> bool {
        self.run.is_interrupted() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Shrinks one data set of a case, without violating a guarantee that it satisfies. After a
    /// success, continues with the next candidate instead of the first one, because the earlier
    /// candidates would probably not fail either. Ends after a full round without success.
    fn shrink_data_set(&mut self, case: &mut Case, number: usize) -> Result<(), Failure> {
        let (mut at, mut is_smaller) = (0, false);
        let candidates = |case: &Case| match &case.answers[number] {
            // A solved data set can shrink its plan, too (`AnyPlan::smaller`); an unsolvable one
            // only its instance.
            AnsweredDataSet { plan: Some(plan), .. } => plan.smaller(),
            AnsweredDataSet { instance, .. } => instance.smaller(),
        };
        let mut smaller = candidates(case);
        let mut broken = case.answers[number].broken_guarantees();
        while !self.is_over() {
            let Some(candidate) = smaller.get(at) else {
                if !is_smaller {
                    break;
                }
                (at, is_smaller) = (0, false);
                continue;
            };
            match self.fails_with(candidate, &broken, case, number)? {
                Some(found) => {
                    *case = found;
                    is_smaller = true;
                    smaller = candidates(case);
                    broken = case.answers[number].broken_guarantees();
                }
                None => at += 1,
            }
        }
        Ok(())
    }

    /// Replaces data set `number` by `candidate`, and returns the case if the program fails in the
    /// same way. `None` also if the candidate violates a guarantee that is not in `broken`, or if
    /// the search for the answer was stopped.
    fn fails_with(
        &mut self,
        candidate: &Arc<dyn AnyInstance>,
        broken: &[&str],
        case: &Case,
        number: usize,
    ) -> Result<Option<Case>, Failure> {
        let breaks_more =
            |found: Vec<&str>| found.iter().any(|guarantee| !broken.contains(guarantee));
        if breaks_more(candidate.broken_guarantees(true)) {
            return Ok(None);
        }
        let answered = match self.solve(candidate) {
            Err(Failure::Stopped(_)) => return Ok(None),
            solved => solved?,
        };
        if breaks_more(answered.broken_guarantees()) {
            return Ok(None);
        }
        let mut answers = case.answers.clone();
        answers[number] = answered;
        self.fails(&answers, &case.failure)
    }
}

/// Writes a section with a heading.
fn section(out: &mut dyn Write, heading: fmt::Arguments<'_>, text: &[u8]) -> Result<(), Failure> {
    writeln!(out, "--- {heading}")?;
    out.write_all(text)?;
    if !text.ends_with(b"\n") {
        writeln!(out)?;
    }
    Ok(())
}

fn report(judge: &Judge<'_>, case: &Case, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}", case.failure.describe(case.answers.len()))?;
    section(out, format_args!("input"), &case.text)?;
    section(out, format_args!("expected"), &judge.expected(&case.answers))?;
    if let Some(plan) = plan(case) {
        writeln!(out, "--- a shortest plan")?;
        draw(plan, |animation| {
            text::strip(animation, &terminal::look(), 1, &DrawLimits::NONE, out)
        })?;
        writeln!(out)?;
    }
    let name = &judge.program.name;
    let lines: Vec<&str> = case.ran.output.lines().take(MAX_SHOWN_LINES).collect();
    let more = case.ran.output.lines().nth(MAX_SHOWN_LINES).map_or("", |_| "\n...");
    let shown = lines.join("\n") + more;
    section(out, format_args!("output of {name}"), shown.as_bytes())?;
    if !case.ran.errors.is_empty() {
        section(out, format_args!("standard error of {name}"), case.ran.errors.as_bytes())?;
    }
    Ok(())
}

/// The plan of the data set with the wrong answer, if it has moves.
fn plan(case: &Case) -> Option<&dyn AnyPlan> {
    let number = match case.failure {
        ProgramFailure::Wrong(number, _) => number,
        _ => 0,
    };
    case.answers.get(number)?.plan.as_deref().filter(|plan| !plan.is_empty())
}

fn draw(
    plan: &dyn AnyPlan,
    draw: impl FnOnce(&Animation<'_>) -> Result<(), DrawError>,
) -> Result<(), Failure> {
    let options = serde_json::json!({});
    let mut animation = plan.animation(OptionSource::Json(&options), &DrawLimits::NONE)?;
    animation.title = format!("a shortest plan: {}", plan.len());
    Ok(draw(&animation)?)
}

/// The files of a case: the text, the correct answers, the output of the program, and a plan.
const CASE_FILES: [&str; 4] = ["case.in", "expected.out", "found.out", "plan.svg"];

/// Writes the smallest case to the files of a folder.
fn write_files(
    judge: &Judge<'_>,
    case: &Case,
    folder: &Path,
    files: &OutputFiles,
) -> Result<(), Failure> {
    let expected = judge.expected(&case.answers);
    let texts = [case.text.as_slice(), &expected, case.ran.output.as_bytes()];
    for (name, text) in CASE_FILES.iter().zip(texts) {
        files.write(&folder.join(name), |out| Ok(out.write_all(text)?))?;
    }
    let picture = folder.join(CASE_FILES[3]);
    let Some(plan) = plan(case) else {
        // Remove the picture of an earlier run, which would be misleading.
        let _ = fs::remove_file(picture);
        return Ok(());
    };
    let look = svg::Look::default();
    files.write(&picture, |out| {
        draw(plan, |animation| svg::strip(animation, &look, 1, &DrawLimits::NONE, out))
    })
}
