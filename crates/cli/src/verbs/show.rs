//! `show`: a board, or a plan on it, as a picture.

use std::io::Write;

use fewest_scene::{At, Film, Motion, Part, Shape, Side};
use serde_json::{Value, json};

use crate::args::ShowArgs;
use crate::exit::{Exit, Failure};
use crate::input::{DataSet, Source};
use crate::json;
use crate::message::message;
use crate::output::standard_output;
use crate::picture::{film, write_file};
use crate::plan_text::Plans;
use crate::puzzle::Puzzle;

/// Draws each data set, with its plan if there is one.
pub(crate) fn show<P: Puzzle>(args: &ShowArgs<P>) -> Result<Exit, Failure> {
    let pictures = args.picture.settle()?;
    let plans = args.plan.as_ref().map(|plan| Source::plan::<P>(plan, &args.instance, &args.options)).transpose()?;
    let mut plans = plans.as_ref().map(Plans::read).transpose()?;
    let source = Source::instance::<P>(&args.instance)?;
    let mut out = standard_output();
    let mut exit = Exit::Answered;
    for (number, data_set) in source.data_sets::<P>(&args.options).enumerate() {
        let DataSet { name, alone, instance } = data_set?;
        let plan = match &mut plans {
            None => Vec::new(),
            Some(plans) => match plans.next::<P>(&name, &instance)? {
                Ok(plan) => plan,
                Err(refusal) => {
                    message(format_args!("{name}: refused, {refusal}"));
                    exit = Exit::Refused;
                    continue;
                }
            },
        };
        let film = film::<P>(&instance, &plan, &args.picture.options).map_err(|failure| failure.of(&name))?;
        if args.json {
            json::write::<P>("show", fields(&name, &film), &mut out)?;
            continue;
        }
        if !alone && pictures.are_text() {
            writeln!(out, "{}# {name}", if number > 0 { "\n" } else { "" })?;
        }
        let file = pictures.file((!alone).then_some(number + 1))?;
        let picture = pictures.draw(&film).map_err(|failure| failure.of(&name))?;
        match file {
            Some(file) => write_file(&file, &picture)?,
            None => out.write_all(&picture)?,
        }
    }
    plans.map_or(Ok(()), |plans| plans.end(&source.name))?;
    out.flush()?;
    Ok(exit)
}

fn fields(name: &str, film: &Film) -> Value {
    let place = |at: &At| json!([at.x, at.y]);
    let places = |cells: &[At]| cells.iter().map(place).collect::<Vec<_>>();
    let part = |part: &Part| {
        let shape = match &part.shape {
            Shape::Cells(cells) => json!({ "cells": places(cells) }),
            Shape::Outline(cells) => json!({ "outline": places(cells) }),
            Shape::Edge(Side::West) => json!({ "edge": "west" }),
            Shape::Edge(Side::North) => json!({ "edge": "north" }),
            Shape::Disc => json!("disc"),
            Shape::Arrow => json!("arrow"),
            Shape::Figure(path) => json!({ "path": path }),
        };
        json!({
            "shape": shape,
            "at": place(&part.at),
            "ink": part.ink.name(),
            "label": part.label,
        })
    };
    let motion = |motion: &Motion| {
        json!({
            "part": motion.part,
            "path": places(&motion.path),
            "turns": motion.turns.map(|ink| ink.name()),
        })
    };
    let steps = film
        .steps
        .iter()
        .map(|step| json!({ "move": step.caption, "motions": step.motions.iter().map(motion).collect::<Vec<_>>() }));
    json!({
        "instance": name,
        "columns": film.scene.columns,
        "rows": film.scene.rows,
        "ground": film.scene.ground.iter().map(part).collect::<Vec<_>>(),
        "parts": film.scene.parts.iter().map(part).collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
    })
}
