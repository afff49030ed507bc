//! Mazes in other notations.

use fewest_puzzle::convert::Convert;

use crate::instance::Instance;

impl Convert for Instance {
    fn convert(&self, notation: &str) -> Option<String> {
        match notation {
            "numbers" => Some(self.to_string()),
            "drawing" => Some(self.drawing()),
            _ => None,
        }
    }

    fn size(&self) -> Option<String> {
        Some(self.size().to_string())
    }
}
