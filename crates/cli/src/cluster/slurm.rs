//! The environment variables that Slurm and Kubernetes set for a process.

use std::env;

use crate::failure::Failure;

/// The environment of a task of a Slurm job step.
pub(super) struct Slurm {
    pub(super) task: usize,
    pub(super) tasks: usize,
    pub(super) first_node: String,
}

impl Slurm {
    /// Reads the environment; `None` outside of Slurm.
    pub(super) fn of_environment() -> Result<Option<Self>, Failure> {
        let (task, tasks) = (variable("SLURM_PROCID")?, Self::tasks()?);
        let nodes = ["SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"];
        let nodes = nodes.into_iter().find_map(|name| env::var(name).ok());
        if task.is_none() && tasks.is_none() {
            return Ok(None);
        }
        let (Some(task), Some(tasks), Some(nodes)) = (task, tasks, nodes) else {
            return Err(Failure::usage_with_hint(
                "not all of SLURM_PROCID, SLURM_NTASKS and SLURM_JOB_NODELIST are set",
                "start the processes with srun; for one process, use --threads",
            ));
        };
        let unreadable = || Failure::usage(format!("cannot parse the Slurm node list `{nodes}`"));
        let first_node = first_node(&nodes).ok_or_else(unreadable)?;
        Ok(Some(Self { task, tasks, first_node }))
    }

    /// The number of tasks.
    pub(super) fn tasks() -> Result<Option<usize>, Failure> {
        match variable("SLURM_STEP_NUM_TASKS")? {
            None => variable("SLURM_NTASKS"),
            tasks => Ok(tasks),
        }
    }
}

/// Parses an environment variable as a number; `None` if it is not set.
pub(super) fn variable(name: &str) -> Result<Option<usize>, Failure> {
    let Ok(value) = env::var(name) else { return Ok(None) };
    match value.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(Failure::usage(format!(
            "the environment variable {name} is `{value}`, expected a number"
        ))),
    }
}

/// The first node of a Slurm node list such as `gpu[03-05,7],login`.
fn first_node(list: &str) -> Option<String> {
    let end = list.find([',', '[']).unwrap_or(list.len());
    let (prefix, rest) = list.split_at(end);
    let Some(ranges) = rest.strip_prefix('[') else {
        return (!prefix.is_empty()).then(|| prefix.to_owned());
    };
    let (ranges, rest) = ranges.split_once(']')?;
    let first = ranges.split([',', '-']).next().filter(|first| !first.is_empty())?;
    let suffix = rest.split(',').next().unwrap_or("");
    Some(format!("{prefix}{first}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_node_of_a_list_of_slurm() {
        for (list, expected) in [
            ("node7", Some("node7")),
            ("node7,node9", Some("node7")),
            ("node[01-16]", Some("node01")),
            ("node[3,5-8],gpu1", Some("node3")),
            ("rack[2-3]-n,login", Some("rack2-n")),
            ("", None),
            ("node[", None),
            ("node[]", None),
        ] {
            assert_eq!(first_node(list).as_deref(), expected, "{list}");
        }
    }
}
