//! `show`: pictures of boards and plans.

use fewest_geometry::Cell;
use std::io::{self, Write};

use fewest_core::budget::Limits;
use fewest_rules::replay;
use fewest_scene::{Animation, Limits as DrawLimits, Motion, Part, Scene, Shape, Side, Step};
use serde::ser::SerializeMap;
use serde_json::{Value, json};

use crate::args::{DEFAULT_MEMORY, ShowArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::json::{self, List};
use crate::message::message;
use crate::output::standard_output;
use crate::picture::Draw;
use crate::plan_text::Plans;
use crate::puzzle::Puzzle;
use crate::run::Run;

/// Draws each data set, with its plan if `--plan` is given.
pub(crate) fn show<P: Puzzle>(args: &ShowArgs<P>) -> Result<Exit, Failure> {
    let second = P::second_file(&args.options).map(|(file, _)| file);
    let inputs = [args.instance.as_str()].into_iter().chain(args.plan.as_deref()).chain(second);
    let pictures = args.picture.resolve(inputs)?;
    let plans = args
        .plan
        .as_ref()
        .map(|plan| Source::plan::<P>(plan, &args.instance, &args.options))
        .transpose()?;
    let mut plans = plans.as_ref().map(Plans::read).transpose()?;
    let source = Source::instance::<P>(&args.instance)?;
    let run = Run::start("board");
    let budget =
        run.budget(Limits { memory_bytes: Some(DEFAULT_MEMORY.as_u64()), ..Limits::default() });
    let mut out = standard_output();
    let mut exit = Exit::Answered;
    for (number, data_set) in source.data_sets::<P>(&args.options).enumerate() {
        if run.is_interrupted() {
            return Err(Failure::Interrupted);
        }
        let DataSet { name, is_only, instance } = data_set?;
        let plan = match &mut plans {
            None => replay(&instance, Vec::new()).map_err(Failure::plan_refused)?,
            Some(plans) => match plans.next::<P>(&name, &instance)? {
                Ok(plan) => plan.into_replayed(),
                Err(refusal) => {
                    message(format_args!("{name}: refused, {refusal}"));
                    exit = Exit::Refused;
                    continue;
                }
            },
        };
        if args.json {
            let animation =
                P::animation(&instance, &plan, &args.picture.options, &DrawLimits::NONE);
            let animation = animation.map_err(|error| Failure::Internal(error.to_string()))?;
            write_json::<P>(&name, &animation, &run, &mut out)?;
            run.inc(1);
            continue;
        }
        if !is_only && pictures.are_text() {
            writeln!(out, "{}# {name}", if number > 0 { "\n" } else { "" })?;
        }
        let file = pictures.file((!is_only).then_some(number + 1))?;
        let print = |draw: &mut Draw<'_>| draw(&mut out);
        let drawn = pictures.draw::<P>(
            (&instance, &plan),
            &args.picture.options,
            file.as_deref(),
            &budget,
            print,
        );
        drawn.map_err(|failure| failure.in_data_set(&name))?;
        run.inc(1);
    }
    if run.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    plans.map_or(Ok(()), |plans| plans.expect_end(&source.name))?;
    out.flush()?;
    Ok(exit)
}

/// Writes the shapes and motions of an animation as JSON. An interrupt ends the list of steps.
fn write_json<P: Puzzle>(
    name: &str,
    animation: &Animation<'_>,
    run: &Run,
    out: &mut impl Write,
) -> io::Result<()> {
    let Scene { columns, rows, ground, parts, .. } = &animation.scene;
    json::write_streamed::<P, _>("show", out, |object| {
        object.serialize_entry("instance", name)?;
        object.serialize_entry("columns", columns)?;
        object.serialize_entry("rows", rows)?;
        object.serialize_entry("ground", &List(|| ground.iter().map(part)))?;
        object.serialize_entry("parts", &List(|| parts.iter().map(part)))?;
        object.serialize_entry(
            "steps",
            &List(|| animation.steps().take_while(|_| !run.is_interrupted()).map(step)),
        )
    })
}

fn position(at: &Cell) -> Value {
    json!([at.column, at.row])
}

fn positions(cells: &[Cell]) -> Value {
    cells.iter().map(position).collect()
}

fn part(part: &Part) -> Value {
    let shape = match &part.shape {
        Shape::Cells(cells) => json!({ "cells": positions(cells) }),
        Shape::Outline(cells) => json!({ "outline": positions(cells) }),
        Shape::Edge(Side::West) => json!({ "edge": "west" }),
        Shape::Edge(Side::North) => json!({ "edge": "north" }),
        Shape::Disc => json!("disc"),
        Shape::Arrow => json!("arrow"),
        Shape::Figure(path) => json!({ "path": path }),
    };
    json!({
        "shape": shape,
        "at": position(&part.at),
        "ink": part.ink.name(),
        "label": part.label,
    })
}

fn step(step: Step) -> Value {
    let motion = |motion: &Motion| {
        json!({
            "part": motion.part,
            "path": positions(&motion.path),
            "turns": motion.turns.map(|ink| ink.name()),
        })
    };
    json!({ "move": step.caption, "motions": step.motions.iter().map(motion).collect::<Vec<_>>() })
}
