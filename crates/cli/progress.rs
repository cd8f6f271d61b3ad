//! Progress on a terminal, for anything over a second; silent in a pipe.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use generate::{Event, Spec};
use indicatif::{ProgressBar, ProgressStyle};
use oracle::Watch;

/// How long to wait before showing anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// How often to tell news.
const NEWS: Duration = Duration::from_millis(500);

/// A spinner with the time gone by, shown once the work has taken a second and removed when this is dropped.
pub(crate) struct Spinner {
    bar: ProgressBar,
    delay: tokio::task::JoinHandle<()>,
    news: Option<tokio::task::JoinHandle<()>>,
}

impl Spinner {
    /// Starts one; needs a running runtime.
    pub(crate) fn start(message: impl Into<Cow<'static, str>>) -> Spinner {
        let bar = ProgressBar::new_spinner().with_message(message);
        let shown = bar.clone();
        let delay = tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed} (Ctrl-C stops it)") {
                shown.set_style(style);
            }
            shown.enable_steady_tick(Duration::from_millis(120));
        });
        Spinner { bar, delay, news: None }
    }

    /// Starts one that tells how far a search has come: what is proven, nodes, nodes a second, and how many moves
    /// deep it is.
    pub(crate) fn watching(what: &'static str, watch: Arc<Watch>) -> Spinner {
        let mut spinner = Spinner::start(what);
        let bar = spinner.bar.clone();
        spinner.news = Some(tokio::spawn(async move {
            let (mut before, mut rate) = ((Instant::now(), watch.nodes()), 0.0);
            loop {
                tokio::time::sleep(NEWS).await;
                let (now, nodes) = (Instant::now(), watch.nodes());
                let recent = (nodes - before.1) as f64 / (now - before.0).as_secs_f64();
                rate = if rate == 0.0 { recent } else { 0.8 * rate + 0.2 * recent };
                before = (now, nodes);
                let (lower, upper) = watch.bounds();
                let value = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
                bar.set_message(format!(
                    "{what}: {value}, {} nodes, {:.2} million/s, depth {}",
                    crate::render::thousands(nodes),
                    rate / 1e6,
                    watch.depth()
                ));
            }
        }));
        spinner
    }

    /// Says what is going on now.
    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Does something with the spinner out of the way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.delay.abort();
        if let Some(news) = &self.news {
            news.abort();
        }
        self.bar.finish_and_clear();
    }
}

/// The progress of making tables.
pub(crate) struct Making {
    bar: ProgressBar,
    /// Entries of the tables that are made or kept.
    before: AtomicU64,
}

impl Making {
    /// A bar over these tables.
    pub(crate) fn of(specs: &[Spec]) -> Making {
        let entries = specs.iter().map(|spec| spec.id().entries()).sum();
        let bar = ProgressBar::new(entries);
        if let Ok(style) = ProgressStyle::with_template(
            "{bar:30} {percent:>3} %  {msg}  {per_sec} entries, {elapsed} gone, {eta} to go",
        ) {
            bar.set_style(style);
        }
        Making { bar, before: AtomicU64::new(0) }
    }

    /// Takes note of what happens.
    pub(crate) fn note(&self, event: Event) {
        match event {
            Event::Waiting => {
                self.aside(|| tracing::warn!("another program makes tables in this folder; waiting"))
            }
            Event::Started { id, .. } => self.bar.set_message(format!("making {id}")),
            Event::Writing { id } => self.bar.set_message(format!("writing and verifying {id}")),
            Event::Advanced { done, .. } => {
                self.bar.set_position(self.before.load(Ordering::Relaxed) + done);
            }
            Event::Kept { id } | Event::Published { id, .. } => {
                let before = self.before.fetch_add(id.entries(), Ordering::Relaxed) + id.entries();
                self.bar.set_position(before);
            }
            _ => {}
        }
    }

    /// Does something with the bar out of the way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
