//! What `solve` reports of each answer, and at the end.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use fewest_core::budget::Budget;
use fewest_puzzle::any::AnyReplay;
use fewest_puzzle::export::csv_error;
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results;
use fewest_puzzle::solve::{Solution, SolveReport, columns, fields};
use fewest_scene::DrawLimits;

use super::request::{Form, Request};
use crate::batch::BatchEnd;
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::is_quiet;
use crate::output::Out;
use crate::picture::{Draw, Pictures, title};
use crate::session::Session;
use crate::success::Success;
use crate::summary::Summary;
use crate::terminal;

/// The result of one data set.
pub(super) struct Answered {
    pub(super) solution: Solution,
    /// The time that the search, and that for all shortest plans, left of `--time`.
    pub(super) time_left: Option<Duration>,
    /// Whether it is the only data set of the run.
    pub(super) is_only: bool,
}

/// Writes the answers in the order of the data sets, and knows what is reported at the end.
pub(super) struct Reporter<'a> {
    request: &'a Request<'a>,
    session: &'a Session<'a>,
    start: Instant,
    /// The number of answers so far.
    number: usize,
    exit: Exit,
    summary: Summary,
    success: Success,
}

impl<'a> Reporter<'a> {
    pub(super) fn start(
        request: &'a Request<'a>,
        session: &'a Session<'a>,
    ) -> Result<Self, Failure> {
        if request.form == Form::Csv {
            let columns = columns(request.puzzle.info().two_texts);
            session.write(|out| write_csv(out, &columns))?;
        }
        Ok(Self {
            request,
            session,
            start: Instant::now(),
            number: 0,
            exit: Exit::Answered,
            summary: Summary::default(),
            success: Success::default(),
        })
    }

    /// Reports an answer.
    pub(super) fn add(&mut self, answered: &Answered) -> Result<(), Failure> {
        let (session, solution) = (self.session, &answered.solution);
        let Solution { name, outcome, .. } = solution;
        self.number += 1;
        if self.request.search.stats {
            session.print_stats(name, solution.engine, outcome.stats, solution.elapsed);
        }
        if let Some(text) = solution.instance.note().filter(|_| !is_quiet()) {
            session.message(format_args!("note: {name}: {text}"));
        }
        self.exit = self.exit.max(Exit::from_verdict(&outcome.verdict));
        self.summary.add(solution);
        self.success.add(solution);
        // The plan is printed even if the count or the list of all plans is incomplete.
        if let Some(limit) = solution.plans_limit() {
            let what = match solution.all_plans() {
                Some(_) => "the list of plans is incomplete",
                None => "the shortest plans were not counted",
            };
            session.message(format_args!("{name}: {what}: stopped, {limit}"));
            self.exit = self.exit.max(Exit::from_limit(limit));
        }
        let writing = Instant::now();
        self.write(solution)?;
        let Some(pictures) = &self.request.pictures else { return Ok(()) };
        // Flush the answer before the picture, which may take long.
        session.finish()?;
        let file = pictures.file(self.number, self.request.count)?;
        // The picture may use the time that solving and writing left. The time spent waiting for
        // earlier data sets does not count.
        let plan_bytes = solution.all_plans().map_or(0, |plans| plans.plan_bytes());
        let time_left = answered.time_left.map(|time| time.saturating_sub(writing.elapsed()));
        let budget = session.budget_within(time_left, plan_bytes, answered.is_only);
        let drawn = self.draw(pictures, solution, file.as_deref(), &budget);
        drawn.or_else(|failure| self.report_without_picture(pictures, solution, failure))
    }

    /// Writes the answer, unless a picture takes its place on standard output.
    fn write(&self, solution: &Solution) -> Result<(), Failure> {
        let Request { puzzle, form, hint, prints_moves, pictures, .. } = self.request;
        if let Some(pictures) = pictures.as_ref().filter(|pictures| !pictures.are_files()) {
            // The plan is printed below the heading if the picture fails.
            return match pictures.are_text() {
                true => self.session.write(|out| solution.write_heading(out)),
                false => Ok(()),
            };
        }
        let has_moves = pictures.is_none() || *prints_moves || !terminal::stdout_is_terminal();
        self.session.write(|out| match form {
            Form::Csv => write_csv(out, &fields(solution, puzzle.info().two_texts)),
            Form::Json => {
                let max_moves = if *hint { 1 } else { usize::MAX };
                results::write(puzzle.info().name, &SolveReport::new(solution, max_moves), out)
            }
            Form::Text if *hint => solution.write_hint(out),
            Form::Positions => solution.write_timeline(out),
            Form::Text if has_moves => {
                solution.write_text(out)?;
                write_captions(&self.captions(solution), out)
            }
            Form::Text => solution.write_heading(out),
        })
    }

    /// The moves of the plan in the words of pictures, if an option gives them other words.
    fn captions(&self, solution: &Solution) -> Vec<String> {
        let plan = solution.plan().filter(|_| self.request.has_other_words);
        // The options are valid, and there are no limits.
        let animation = plan.and_then(|plan| {
            plan.animation(OptionSource::Arguments(self.request.matches), &DrawLimits::NONE).ok()
        });
        let steps = animation.iter().flat_map(|animation| animation.steps());
        steps.map_while(|step| step.caption).collect()
    }

    /// Draws the plan of an answer, its first move with `--hint`, or the board if there is none.
    fn draw(
        &self,
        pictures: &Pictures<'_>,
        solution: &Solution,
        file: Option<&Path>,
        budget: &Budget,
    ) -> Result<(), Failure> {
        let print = |draw: &mut Draw<'_>| {
            self.session.write_with(|out| {
                draw(out)?;
                if pictures.are_text() { Ok(writeln!(out)?) } else { Ok(()) }
            })
        };
        let (plan, instance) = (solution.plan(), &*solution.instance);
        let first = plan.filter(|_| self.request.hint).map(|plan| plan.first_moves(1));
        let drawn = first.as_deref().or(plan.map(|plan| plan as &dyn AnyReplay));
        // Of the whole plan, also with a hint.
        let title = title(&solution.name, instance, plan.map(|plan| plan as &dyn AnyReplay));
        pictures.draw(title, instance, drawn, file, budget, print)
    }

    /// If a picture cannot be drawn, its own plan and the other data sets are still reported. A
    /// file that cannot be written ends the run.
    fn report_without_picture(
        &mut self,
        pictures: &Pictures<'_>,
        solution: &Solution,
        failure: Failure,
    ) -> Result<(), Failure> {
        let Some(exit) = failure.exit() else { return Err(failure) };
        self.exit = self.exit.max(exit);
        if pictures.are_text() {
            self.session.write(|out| solution.write_moves(out))?;
        }
        let name = &solution.name;
        match failure {
            Failure::Stopped(limit) if pictures.are_files() => {
                self.session.message(format_args!("{name}: no picture was written: {limit}"));
            }
            Failure::Stopped(limit) => {
                self.session.message(format_args!("{name}: the picture ends early: {limit}"));
            }
            other => {
                let failure = other.in_data_set(name);
                self.session.message(format_args!("{}", diagnostic::render(&failure)));
            }
        }
        Ok(())
    }

    /// Reports on all data sets.
    pub(super) fn end(self, end: BatchEnd) -> Result<Exit, Failure> {
        let ended = end.exit();
        let tables = [self.summary.table(end, self.start.elapsed()), self.success.table()];
        for table in tables.into_iter().flatten().filter(|_| !is_quiet()) {
            self.session.message(format_args!("{table}"));
        }
        if let Some(file) = &self.request.chart {
            let chart = self.success.chart();
            self.request.files.write(file, |out| Ok(out.write_all(chart.as_bytes())?))?;
        }
        Ok(self.exit.max(ended))
    }
}

/// Writes a row of CSV.
fn write_csv(out: &mut Out, fields: &[String]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(fields).map_err(csv_error)?;
    csv.flush()
}

/// Writes captions as comments, so that the text can still be read as a plan.
fn write_captions(captions: &[String], out: &mut Out) -> io::Result<()> {
    if captions.is_empty() {
        return Ok(());
    }
    (1..).zip(captions).try_for_each(|(number, caption)| writeln!(out, "# {number} {caption}"))?;
    writeln!(out)
}
