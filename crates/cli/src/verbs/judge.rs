//! `judge`: runs another program, compares its answers, and shrinks an input on which it fails.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::{Arg, ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::Limits;
use fewest_core::outcome::Verdict;
use fewest_puzzle::any::{AnyInstance, AnyPlan};
use fewest_puzzle::capabilities::{JudgeVerb, WorkContext};
use fewest_puzzle::judge::{AnswerText, WrongAnswer};
use fewest_puzzle::options::{OptionSource, Whole, parse_memory, parse_time};
use fewest_puzzle::random::Random;
use fewest_puzzle::solution::plural;
use fewest_scene::{Limits as DrawLimits, svg, text};

use crate::PuzzleRef;
use crate::args::{instances, instances_arg, parsed, reader, with};
use crate::child::{ChildLimits, Ended, Program, Ran};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::output::standard_output;
use crate::run::Run;
use crate::terminal;
use crate::verbs::capability;

/// The data sets of a random text.
const RANDOM_DATA_SETS: usize = 5;
/// The output that any program may write, in addition to a multiple of ours.
const MIN_OUTPUT: usize = 1 << 16;
const OUTPUT_FACTOR: usize = 100;
/// The longest time that an input is shrunk.
const SHRINK_TIME: Duration = Duration::from_secs(60);
/// The limits of our own search of a data set.
const OWN_LIMITS: Limits =
    Limits { time: Some(Duration::from_secs(60)), memory_bytes: Some(4 << 30), states: None };

#[derive(Args)]
#[group(skip)]
struct JudgeArgs {
    /// Program to judge, with its arguments: it reads a text in contest format from standard input
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    program: String,

    /// Number of random texts, if no INSTANCE is given
    #[arg(long, value_name = "COUNT", default_value_t = Whole::new(200), conflicts_with = "instance")]
    tries: Whole<1>,

    /// Random seed
    #[arg(long, default_value_t = Whole::new(1), conflicts_with = "instance")]
    seed: Whole<0>,

    /// Generate the random texts as `generate` does with these options, such as
    /// `--generate '--count 20'`; the seed is added
    #[arg(long, value_name = "OPTIONS", conflicts_with = "instance", allow_hyphen_values = true)]
    generate: Option<String>,

    /// Time of the program for a text
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_time)]
    time: Duration,

    /// Address space of the program, on Linux
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// The answer is only the number of moves
    #[arg(long)]
    count_only: bool,

    /// Write the smallest case to this folder: `case.in`, `expected.out`, `found.out`, and the plan
    /// as `plan.svg`
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    puzzle.verbs().judge?;
    let instances = instances_arg(puzzle).required(false).help(
        "Texts in contest format: files, `-` for standard input, built-in names; by default all \
         built-in instances, then random ones",
    );
    let command = Command::new("judge")
        .about("Run a program of yours, compare its answers, and shrink what it fails on")
        .long_about(
            "Run a program of yours, compare its answers, and shrink what it fails on\n\n\
             The program gets a text in contest format on standard input. It fails if an answer is \
             wrong, if it ends with another exit code than 0, or if it needs more time, memory or \
             output than it may. Any shortest plan is a right answer where the contest accepts any. \
             After the first failure the text is shrunk, as long as the program still fails in the \
             same way: fewer data sets, smaller maps, fewer pieces, fewer walls. Then the smallest \
             case is printed with our answer, our plan and the output of the program, and the exit \
             code is 11.",
        )
        .arg(instances);
    Some(puzzle.arguments(with::<JudgeArgs>(command)).mut_arg("generate", |arg| hide(arg, puzzle)))
}

/// Hides an option of generated texts if the puzzle cannot generate any without a base.
fn hide(arg: Arg, puzzle: PuzzleRef) -> Arg {
    let generates = puzzle.verbs().generate.is_some_and(|verb| verb.base.is_none());
    arg.hide(!generates)
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: JudgeArgs = parsed(matches)?;
    let limits = ChildLimits { time: args.time, memory: args.memory, output: 0 };
    let program = Program::new(&args.program, limits)?;
    let run = Run::start();
    run.start("text", None);
    let mut judge = Judge {
        verb: capability(puzzle.verbs().judge)?,
        puzzle,
        program,
        count_only: args.count_only,
        run: &run,
        runs: 0,
    };
    let (mut texts, mut data_sets) = (0, 0);
    let mut failed = None;
    for_each_test(puzzle, matches, &args, &run, &mut |test| {
        let answers = test.data_sets.iter().map(|data_set| judge.solve(data_set));
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        let (fault, ran) = judge.judge(&test.text, &answers)?;
        run.add_done(1);
        texts += 1;
        data_sets += answers.len() as u64;
        let Some(fault) = fault else { return Ok(true) };
        failed = Some((test, answers, fault, ran));
        Ok(false)
    })?;
    let mut out = standard_output();
    let name = &judge.program.name.clone();
    if let Some((test, answers, fault, ran)) = failed {
        let of = test.data_sets.len();
        writeln!(out, "{name} fails on {}: {}", test.name, fault.describe(of))?;
        out.flush()?;
        let case = judge.shrink(Case { text: test.text, answers, fault, ran })?;
        writeln!(out, "the smallest case found, in {} runs:", judge.runs)?;
        report(&judge, &case, &mut out)?;
        if let Some(folder) = &args.output {
            write_files(&judge, &case, folder)?;
        }
        out.flush()?;
        return Ok(Exit::Refused);
    }
    if run.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let counted = |noun, count| format!("{count} {}", plural(noun, count));
    writeln!(
        out,
        "{name}: all answers to {} in {} are right",
        counted("data set", data_sets),
        counted("text", texts)
    )?;
    out.flush()?;
    Ok(Exit::Answered)
}

/// A text with its instances.
struct Test {
    name: String,
    text: Vec<u8>,
    data_sets: Vec<Arc<dyn AnyInstance>>,
}

/// Passes the texts to `judge` until it returns `false`.
fn for_each_test(
    puzzle: PuzzleRef,
    matches: &ArgMatches,
    args: &JudgeArgs,
    run: &Run,
    judge: &mut dyn FnMut(Test) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let verb = capability(puzzle.verbs().judge)?;
    let (names, reader) = (instances(matches), reader(puzzle, matches)?);
    let mut go_on = |test| Ok::<_, Failure>(!run.is_interrupted() && judge(test)?);
    for source in Source::instances(puzzle, &names)? {
        let data_sets = source.data_sets(&*reader).map(|data_set| Ok(data_set?.instance));
        let data_sets = data_sets.collect::<Result<Vec<_>, Failure>>()?;
        if !go_on(Test { name: source.name.clone(), text: source.text.clone(), data_sets })? {
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
    };
    if args.generate.is_none() {
        for builtin in puzzle.info().builtins {
            let data_sets = reader.read(builtin.text.as_bytes()).filter_map(Result::ok);
            let data_sets: Vec<_> = data_sets.filter(|data_set| data_set.is_of_contest()).collect();
            if !data_sets.is_empty() && !go_on(test(builtin.names[0].to_owned(), data_sets))? {
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
                let mut text = generated(puzzle, options, seed + number, run)?;
                text.extend_from_slice(verb.end.as_bytes());
                let data_sets = reader.read(&text).filter_map(Result::ok).collect();
                Test { name, text, data_sets }
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

/// The text that `generate` writes with some options and a seed.
fn generated(puzzle: PuzzleRef, options: &str, seed: u64, run: &Run) -> Result<Vec<u8>, Failure> {
    let usage = |what: String| Failure::usage(format!("`--generate {options}`: {what}"));
    if puzzle.verbs().generate.is_none_or(|verb| verb.base.is_some()) {
        let name = puzzle.info().name;
        return Err(usage(format!("{name} generates no instances without a base")));
    }
    let seed = seed.to_string();
    let words = options.split_whitespace().chain(["--seed", &seed]);
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
    puzzle.generate(None, OptionSource::Arguments(&matches), run, &mut emit)?;
    Ok(text)
}

fn contest_text<'a>(
    verb: JudgeVerb,
    data_sets: impl Iterator<Item = &'a Arc<dyn AnyInstance>>,
) -> Vec<u8> {
    let texts: Vec<String> = data_sets.map(|data_set| data_set.text()).collect();
    (texts.join(verb.separator) + verb.end).into_bytes()
}

/// A data set with our answer; `None` if there is no plan.
#[derive(Clone)]
struct Answered {
    instance: Arc<dyn AnyInstance>,
    plan: Option<Arc<dyn AnyPlan>>,
}

/// How a program fails.
enum Fault {
    /// The answer to a data set, from 0.
    Wrong(usize, WrongAnswer),
    /// There is a line after the last answer.
    TooLong(String),
    Ended(Ended),
}

impl Fault {
    /// Whether the program fails in the same way.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Wrong(..) | Self::TooLong(_), Self::Wrong(..) | Self::TooLong(_)) => true,
            (Self::Ended(one), Self::Ended(other)) => {
                std::mem::discriminant(one) == std::mem::discriminant(other)
            }
            _ => false,
        }
    }

    /// The fault in words, for a text of `data_sets` data sets.
    fn describe(&self, data_sets: usize) -> String {
        match self {
            Self::Wrong(_, wrong) if data_sets == 1 => format!("wrong answer, {wrong}"),
            Self::Wrong(number, wrong) => {
                format!("wrong answer to data set {} of {data_sets}, {wrong}", number + 1)
            }
            Self::TooLong(line) => format!("found {line} after the last answer"),
            Self::Ended(ended) => match ended {
                Ended::Normally => "no fault".to_owned(),
                Ended::Crashed(how) => format!("it ended with {how}"),
                Ended::TimeOut => "out of time".to_owned(),
                Ended::TooMuchOutput => "too much output".to_owned(),
                Ended::Interrupted => "interrupted".to_owned(),
            },
        }
    }
}

/// A text on which the program fails.
struct Case {
    text: Vec<u8>,
    answers: Vec<Answered>,
    fault: Fault,
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
}

impl Judge<'_> {
    /// Our answer.
    fn solve(&self, instance: &Arc<dyn AnyInstance>) -> Result<Answered, Failure> {
        let answer = Arc::clone(instance).solve(None, &self.run.budget(OWN_LIMITS))?;
        let plan = match answer.outcome.verdict {
            Verdict::Solved { plan, .. } => Some(Arc::from(plan)),
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => return Err(Failure::Stopped(limit)),
        };
        Ok(Answered { instance: Arc::clone(instance), plan })
    }

    /// Our answers in contest format.
    fn expected(&self, answers: &[Answered]) -> Vec<u8> {
        let mut text = Vec::new();
        for Answered { plan, .. } in answers {
            // A vector takes everything.
            let _ = match plan {
                Some(plan) if self.count_only => write!(text, "{}", plan.len()),
                Some(plan) => plan.write_contest(&mut text),
                None => write!(text, "{}", self.puzzle.info().contest_unsolvable),
            };
            text.push(b'\n');
        }
        text
    }

    /// Runs the program, and compares its answers.
    fn judge(
        &mut self,
        text: &[u8],
        answers: &[Answered],
    ) -> Result<(Option<Fault>, Ran), Failure> {
        self.program.limits.output = MIN_OUTPUT + OUTPUT_FACTOR * self.expected(answers).len();
        self.runs += 1;
        let ran = self.program.run(text, || self.run.is_interrupted())?;
        if ran.ended == Ended::Interrupted {
            return Err(Failure::Interrupted);
        }
        if ran.ended != Ended::Normally {
            let ended = match &ran.ended {
                Ended::Crashed(how) => Ended::Crashed(how.clone()),
                Ended::TimeOut => Ended::TimeOut,
                _ => Ended::TooMuchOutput,
            };
            return Ok((Some(Fault::Ended(ended)), ran));
        }
        let mut lines = AnswerText::new(&ran.output);
        for (number, Answered { instance, plan }) in answers.iter().enumerate() {
            let fewest = plan.as_ref().map(|plan| plan.len() as u32);
            if let Err(wrong) = instance.check_answer(fewest, self.count_only, &mut lines) {
                return Ok((Some(Fault::Wrong(number, wrong)), ran));
            }
        }
        let rest = lines.next_line();
        let rest = rest.map(|line| format!("`{}` in line {}", line.text.trim(), line.number));
        Ok((rest.map(Fault::TooLong), ran))
    }

    /// The case of these data sets, if the program fails in the same way on it. `None` also after
    /// Ctrl-C.
    fn fails(&mut self, answers: &[Answered], like: &Fault) -> Result<Option<Case>, Failure> {
        let text = contest_text(self.verb, answers.iter().map(|answered| &answered.instance));
        let (fault, ran) = match self.judge(&text, answers) {
            Err(Failure::Interrupted) => return Ok(None),
            judged => judged?,
        };
        let fault = fault.filter(|fault| fault.is_like(like));
        Ok(fault.map(|fault| Case { text, answers: answers.to_vec(), fault, ran }))
    }

    /// Makes a case smaller as long as the program still fails in the same way.
    fn shrink(&mut self, mut case: Case) -> Result<Case, Failure> {
        self.run.start("smaller text", None);
        let end = Instant::now() + SHRINK_TIME;
        let is_over = |judge: &Self| Instant::now() >= end || judge.run.is_interrupted();
        // The data set of the wrong answer is probably enough.
        if let Fault::Wrong(number, _) = case.fault {
            let alone = [case.answers[number].clone()];
            if let Some(smaller) = self.fails(&alone, &case.fault)? {
                case = smaller;
            }
        }
        // Halves, quarters and so on of the data sets, then single ones.
        let mut part = case.answers.len() / 2;
        while part > 0 && case.answers.len() > 1 {
            let mut from = 0;
            while from < case.answers.len() && case.answers.len() > part && !is_over(self) {
                let answers = case.answers.iter().enumerate();
                let kept = answers.filter(|(number, _)| !(from..from + part).contains(number));
                let kept: Vec<Answered> = kept.map(|(_, answered)| answered.clone()).collect();
                match self.fails(&kept, &case.fault)? {
                    Some(smaller) => case = smaller,
                    None => from += part,
                }
            }
            part /= 2;
        }
        let mut number = 0;
        while number < case.answers.len() {
            case = self.shrink_data_set(case, number, &is_over)?;
            number += 1;
        }
        Ok(case)
    }

    /// Makes a data set of a case smaller. After a success it goes on with the candidates that follow,
    /// as those before it have probably failed again, and ends after a round without a success.
    fn shrink_data_set(
        &mut self,
        mut case: Case,
        number: usize,
        is_over: &dyn Fn(&Self) -> bool,
    ) -> Result<Case, Failure> {
        let (mut at, mut is_smaller) = (0, false);
        // Without its plan, an instance has fewer candidates.
        let candidates = |judge: &Self, case: &Case| {
            case.answers[number].instance.smaller(&judge.run.budget(OWN_LIMITS))
        };
        let mut smaller = candidates(self, &case)?;
        while !is_over(self) {
            let Some(candidate) = smaller.get(at) else {
                if !is_smaller {
                    break;
                }
                (at, is_smaller) = (0, false);
                continue;
            };
            let mut answers = case.answers.clone();
            answers[number] = match self.solve(candidate) {
                // Too hard for us, or Ctrl-C.
                Err(Failure::Stopped(_)) => {
                    at += 1;
                    continue;
                }
                solved => solved?,
            };
            match self.fails(&answers, &case.fault)? {
                Some(found) => {
                    case = found;
                    is_smaller = true;
                    smaller = candidates(self, &case)?;
                }
                None => at += 1,
            }
        }
        Ok(case)
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
    writeln!(out, "{}", case.fault.describe(case.answers.len()))?;
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
    section(out, format_args!("output of {name}"), case.ran.output.as_bytes())?;
    if !case.ran.errors.is_empty() {
        section(out, format_args!("standard error of {name}"), case.ran.errors.as_bytes())?;
    }
    Ok(())
}

/// The plan of the data set at fault, if it has moves.
fn plan(case: &Case) -> Option<&dyn AnyPlan> {
    let number = match case.fault {
        Fault::Wrong(number, _) => number,
        _ => 0,
    };
    case.answers[number].plan.as_deref().filter(|plan| !plan.is_empty())
}

fn draw(
    plan: &dyn AnyPlan,
    draw: impl FnOnce(&fewest_scene::Animation<'_>) -> Result<(), fewest_scene::DrawError>,
) -> Result<(), Failure> {
    let options = serde_json::json!({});
    let animation = plan.animation(OptionSource::Json(&options), &DrawLimits::NONE);
    let internal = |error: &dyn fmt::Display| Failure::Internal(error.to_string());
    draw(&animation.map_err(|error| internal(&error))?).map_err(|error| internal(&error))
}

/// Writes the smallest case to the files of a folder.
fn write_files(judge: &Judge<'_>, case: &Case, folder: &Path) -> Result<(), Failure> {
    let cannot = |file: &Path, error| Failure::Create { file: file.display().to_string(), error };
    fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let mut picture = Vec::new();
    if let Some(plan) = plan(case) {
        let look = svg::Look { theme: fewest_scene::Theme::Auto, cell: 40 };
        draw(plan, |animation| svg::strip(animation, &look, 1, &DrawLimits::NONE, &mut picture))?;
    }
    let files: [(&str, Cow<'_, [u8]>); 4] = [
        ("case.in", case.text.as_slice().into()),
        ("expected.out", judge.expected(&case.answers).into()),
        ("found.out", case.ran.output.as_bytes().into()),
        ("plan.svg", picture.into()),
    ];
    for (name, text) in files.iter().filter(|(_, text)| !text.is_empty()) {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| cannot(&file, error))?;
    }
    Ok(())
}
