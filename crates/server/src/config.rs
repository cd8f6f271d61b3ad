//! What can be set.

use std::thread::available_parallelism;
use std::time::Duration;

use crate::budgets::Budgets;

/// What can be set about a server. The defaults suit a machine of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// How much search a query gets.
    pub budgets: Budgets,
    /// How many searches run at once; the others wait in line.
    pub searches: usize,
    /// How many requests a stream reads ahead of its answers.
    pub window: usize,
    /// The largest message read, in bytes.
    pub max_message: usize,
    /// How long calls may run on once the server is to stop.
    pub drain: Duration,
}

impl Default for Config {
    /// As many searches as there are cores, 256 requests ahead, 4 MiB, five seconds.
    fn default() -> Config {
        Config {
            budgets: Budgets::default(),
            searches: available_parallelism().map_or(1, usize::from),
            window: 256,
            max_message: 4 << 20,
            drain: Duration::from_secs(5),
        }
    }
}
