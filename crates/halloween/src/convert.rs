//! Instances in other notations: those of programs of multi-agent path finding.

use fewest_puzzle::convert::Convert;

use crate::instance::Instance;
use crate::{moving_ai, pibt2, yaml};

/// The file name of the map in the scenarios that are written.
pub(crate) const MAP_NAME: &str = "map.map";

impl Convert for Instance {
    fn convert(&self, notation: &str) -> Option<String> {
        match notation {
            "contest" => self.is_of_contest().then(|| self.to_string()),
            "yaml" => Some(yaml::text(self)),
            "map" => Some(moving_ai::map_text(self)),
            "scenario" => Some(moving_ai::scenario_text(self, MAP_NAME)),
            "pibt2" => Some(pibt2::text(self, MAP_NAME)),
            _ => None,
        }
    }
}
