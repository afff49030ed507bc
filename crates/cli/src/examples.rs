//! The examples in each `--help`. A test runs all of them.

/// The examples of a command, such as `klotski solve`; empty for an unknown command.
pub(crate) fn examples(command: &str) -> &'static [&'static str] {
    match command {
        "fewest" => &["fewest list", "fewest klotski solve heng-dao-li-ma"],
        "fewest list" => &["fewest list", "fewest list sample --json"],
        "completions" => {
            &["fewest completions bash > fewest.bash", "fewest completions zsh > _fewest"]
        }

        "halloween" => &["halloween solve sample-3", "halloween generate --seed 7 | halloween"],
        "halloween solve" => &[
            "halloween solve sample-3 --stats",
            "halloween solve sample-1 sample-3 --show -o maps.svg --animate",
        ],
        "halloween show" => &[
            "halloween show sample-3",
            "halloween solve sample-3 | halloween show sample-3 --plan - -o sample-3.svg",
        ],
        "halloween verify" => &[
            "halloween solve sample-3 | halloween verify sample-3 -",
            "halloween solve sample-3 > plan.txt && halloween verify sample-3 plan.txt --json",
        ],
        "halloween list" => &["halloween list", "halloween list sample --json"],
        "halloween generate" => &[
            "halloween generate --ghosts 2 --count 10 | halloween --count-only",
            "halloween generate --width 6 --height 6 --ghosts 2 --hard 200 --seed 3",
        ],
        "halloween completions" => &[
            "halloween completions bash > halloween.bash",
            "halloween completions fish > halloween.fish",
        ],

        "wall-pusher" => {
            &["wall-pusher solve sample", "wall-pusher generate --count 5 --seed 7 | wall-pusher"]
        }
        "wall-pusher solve" => &[
            "wall-pusher solve sample --start 3,4 --start 4,2",
            "wall-pusher solve long --all --limit 3 --json",
        ],
        "wall-pusher show" => &[
            "wall-pusher show long",
            "wall-pusher solve long | wall-pusher show long --plan - -o long.svg --animate",
        ],
        "wall-pusher verify" => &[
            "wall-pusher solve long | wall-pusher verify long -",
            "wall-pusher solve long > plan.txt && wall-pusher verify long plan.txt --json",
        ],
        "wall-pusher list" => &["wall-pusher list", "wall-pusher list sample --json"],
        "wall-pusher explore" => {
            &["wall-pusher explore sample", "wall-pusher explore sample long --plot boards.svg"]
        }
        "wall-pusher generate" => &[
            "wall-pusher generate --size 5x5 --seed 7 | wall-pusher solve - --size 5x5 --show",
            "wall-pusher generate --hard 2000 --seed 3",
        ],
        "wall-pusher convert" => &[
            "wall-pusher convert sample --to numbers",
            "wall-pusher generate | wall-pusher convert - --to drawing",
        ],
        "wall-pusher completions" => &[
            "wall-pusher completions bash > wall-pusher.bash",
            "wall-pusher completions elvish > wall-pusher.elv",
        ],

        "klotski" => &["klotski solve heng-dao-li-ma", "echo 1A9BF0C | klotski"],
        "klotski solve" => &[
            "klotski solve .CC./.CC./aabb/..../.... --metric straight",
            "klotski solve heng-dao-li-ma --show --names -o heng-dao-li-ma.svg --animate",
        ],
        "klotski show" => &[
            "klotski show heng-dao-li-ma --names",
            "klotski solve 1A9BF0C | klotski show 1A9BF0C --plan - -o plan.svg --theme dark",
        ],
        "klotski verify" => &[
            "klotski solve heng-dao-li-ma | klotski verify heng-dao-li-ma -",
            "klotski solve heng-dao-li-ma --metric unit | klotski verify heng-dao-li-ma - --metric unit --json",
        ],
        "klotski list" => &["klotski list '*兵*'", "klotski list heng-dao --json"],
        "klotski explore" => &[
            "klotski explore heng-dao-li-ma --diameter --plot heng-dao-li-ma.svg",
            "klotski explore .CC./.CC./aabb/..../.... --export graphml > boards.graphml",
        ],
        "klotski generate" => &[
            "klotski generate heng-dao-li-ma --seed 7 --stats",
            "klotski generate heng-dao-li-ma --moves 20 --unique",
        ],
        "klotski rank" => &[
            "klotski rank heng-dao-li-ma 指挥若定 将拥曹营",
            "klotski rank heng-dao-li-ma 指挥若定 --by plans --json",
        ],
        "klotski census" => {
            &["klotski census --pieces 4,1,4 --hardest", "klotski census --json > census.jsonl"]
        }
        "klotski convert" => &[
            "klotski convert 1A9BF0C --to board",
            "klotski convert heng-dao-li-ma --to code --json",
        ],
        "klotski completions" => &[
            "klotski completions bash > klotski.bash",
            "klotski completions powershell > klotski.ps1",
        ],

        "black-white" => {
            &["black-white solve sample", "echo 1111000011100010 1010010110100101 | black-white"]
        }
        "black-white solve" => &[
            "black-white solve sample --all --limit 3",
            "black-white solve sample --show -o sample.svg --animate",
        ],
        "black-white show" => &[
            "black-white show sample",
            "black-white solve sample | black-white show sample --plan - -o sample.svg --cell 24",
        ],
        "black-white verify" => &[
            "black-white solve sample | black-white verify sample -",
            "black-white solve sample > plan.txt && black-white verify sample plan.txt --json",
        ],
        "black-white list" => &["black-white list", "black-white list sample --json"],
        "black-white completions" => &[
            "black-white completions bash > black-white.bash",
            "black-white completions zsh > _black-white",
        ],
        _ => &[],
    }
}
