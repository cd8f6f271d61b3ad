//! Limits to their message.

use std::time::Duration;

use proto::v1;
use tables::Catalogue;

use crate::budgets::Budgets;
use crate::config::Limits;
use crate::convert::response;
use crate::service::MAX_BATCH;

/// What the server takes on.
pub(crate) fn response(limits: &Limits, budgets: &Budgets, tables: &Catalogue) -> v1::LimitsResponse {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let sound = tables.list().iter().filter(|table| table.status.is_ok());
    v1::LimitsResponse {
        default_budget: Some(response::budget(budgets.grant(None))),
        max_budget: Some(response::budget(budgets.max)),
        searches: count(limits.searches),
        waiting: count(limits.waiting),
        waiting_of_one: count(limits.waiting_of_one),
        calls: count(limits.calls),
        connections: count(limits.connections),
        message_bytes: limits.max_message as u64,
        batch: count(MAX_BATCH),
        stream_ahead: count(limits.window),
        stream_searches: count(limits.abreast()),
        call_millis: millis(limits.longest_call),
        idle_millis: millis(limits.idle),
        cache_bytes: limits.cache,
        search_edges: count(search::MAX_FREE),
        table_set: tables.set_id(),
        tables: sound.map(|table| table.id.to_string()).collect(),
    }
}
