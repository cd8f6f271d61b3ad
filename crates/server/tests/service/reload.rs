//! Tables loaded anew while the server runs.

use std::path::Path;

use proto::v1;
use server::{Config, Limits};
use tables::{Access, Catalogue, Options};

use crate::support::*;

fn make(dir: &Path, names: &[&str]) {
    let specs = generate::parse(names).unwrap();
    let go_on = std::sync::atomic::AtomicBool::new(false);
    generate::make(&specs, dir, generate::Options::default(), &|_| {}, &go_on).unwrap();
}

/// A server of the tables in this folder, read as a server reads them.
async fn serving(dir: &Path, watched: bool) -> Running {
    let (path, options) = (dir.to_owned(), Options { access: Access::Read, ..Default::default() });
    let load = move || oracle::Oracle::new(Catalogue::with_options(&path, options));
    let watched = if watched { vec![dir.to_owned()] } else { Vec::new() };
    // Nothing is remembered, so that every answer says where it is from now.
    let limits = Limits { cache: 0, ..Default::default() };
    let running = Running::start(load, Config { limits, watched, ..Default::default() }).await;
    running.until(tonic_health::pb::health_check_response::ServingStatus::Serving).await;
    running
}

/// Where the value of the empty 2x3 board comes from; that it is -2 is certain.
async fn source(running: &Running) -> v1::Source {
    let solve = v1::ExactSolveRequest { position: Some(empty(2, 3)), ..Default::default() };
    let answer = running.client().await.exact_solve(solve).await.unwrap().into_inner();
    assert_eq!(answer.outcome, Some(v1::exact_solve_response::Outcome::Value(-2)));
    answer.source()
}

#[tokio::test]
async fn a_new_table_is_used_after_a_reload_and_calls_under_way_keep_the_old_set() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path(), &["2x2"]);
    let running = serving(dir.path(), false).await;
    assert_eq!(source(&running).await, v1::Source::Search);
    let old = running.client().await.evaluate(tokio_stream::pending()).await.unwrap();
    make(dir.path(), &["2x3"]);
    running.reload.notify_one();
    running.until_metric("doublecross_table_loads_total", 2).await;
    assert_eq!(source(&running).await, v1::Source::Table);
    let new = running.client().await.evaluate(tokio_stream::pending()).await.unwrap();
    let set = |call: &tonic::Response<_>| call.metadata().get("doublecross-table-set").cloned().unwrap();
    assert_ne!(set(&old), set(&new));
}

#[tokio::test]
async fn a_folder_that_changes_is_loaded_anew_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let running = serving(dir.path(), true).await;
    assert_eq!(source(&running).await, v1::Source::Search);
    make(dir.path(), &["2x3"]);
    // Looked at every two seconds, and loaded once nothing has changed from one look to the next.
    let loaded = async { while source(&running).await != v1::Source::Table {} };
    in_time(loaded).await;
}

#[tokio::test]
async fn a_damaged_table_is_not_taken_and_one_cut_short_is_searched_around() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path(), &["2x3"]);
    let running = serving(dir.path(), false).await;
    assert_eq!(source(&running).await, v1::Source::Table);
    // Its file is cut short under the server: no block of it was read before the cut but the one above.
    let file = dir.path().join("board-2x3.table");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(10).unwrap();
    source(&running).await;
    running.reload.notify_one();
    running.until_metric("doublecross_table_loads_refused_total", 1).await;
    source(&running).await;
    std::fs::write(&file, bytes).unwrap();
    running.reload.notify_one();
    running.until_metric("doublecross_table_loads_total", 2).await;
    assert_eq!(source(&running).await, v1::Source::Table);
}
