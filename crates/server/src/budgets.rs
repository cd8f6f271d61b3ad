//! How much search a query gets.

use std::time::Duration;

use oracle::Budget;

/// How much search a query gets: what it asks for, up to a maximum, or a default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budgets {
    /// For a query that names no budget.
    pub default: Budget,
    /// The most a query gets, whatever it asks for.
    pub max: Budget,
}

impl Default for Budgets {
    /// Ten seconds unless asked otherwise, one minute at most.
    fn default() -> Budgets {
        Budgets {
            default: Budget::default(),
            max: Budget { nodes: None, time: Some(Duration::from_secs(60)) },
        }
    }
}

impl Budgets {
    /// The default, and no maximum: for somebody asking on their own machine.
    pub fn uncapped() -> Budgets {
        Budgets { default: Budget::default(), max: Budget::UNLIMITED }
    }

    /// The budget for a query that asks for this one. A limit it leaves open is the maximum's.
    pub(crate) fn grant(&self, asked: Option<Budget>) -> Budget {
        let asked = asked.unwrap_or(self.default);
        Budget { nodes: smaller(asked.nodes, self.max.nodes), time: smaller(asked.time, self.max.time) }
    }
}

fn smaller<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    #[test]
    fn a_budget_is_what_was_asked_for_up_to_the_maximum() {
        let max = Budget { nodes: Some(1_000), time: millis(500) };
        let budgets = Budgets { default: Budget { nodes: Some(10), time: millis(5_000) }, max };
        let ask = |nodes, time| budgets.grant(Some(Budget { nodes, time }));
        assert_eq!(ask(Some(20), millis(30)), Budget { nodes: Some(20), time: millis(30) });
        assert_eq!(ask(Some(2_000), millis(600)), max);
        assert_eq!(ask(None, None), max);
        assert_eq!(ask(Some(0), None), Budget { nodes: Some(0), time: millis(500) });
        assert_eq!(budgets.grant(None), Budget { nodes: Some(10), time: millis(500) });
    }

    #[test]
    fn without_a_maximum_everything_is_granted() {
        let budgets = Budgets::uncapped();
        assert_eq!(budgets.grant(Some(Budget::UNLIMITED)), Budget::UNLIMITED);
        assert_eq!(budgets.grant(None), Budget::default());
    }
}
