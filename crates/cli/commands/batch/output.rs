//! Answers, one per line, and the count of them.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write as _};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use proto::v1::{EvaluateResponse, evaluate_response::Answer};

use crate::failure::Failure;
use crate::progress::PATIENCE;

/// How many lines were answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    answered: u64,
    errors: u64,
}

impl Tally {
    /// The first line without an answer, for people.
    pub(super) fn next(self) -> String {
        format!("request {} and those after it", self.answered + 1)
    }

    /// Whether all went well.
    pub(super) fn verdict(self) -> Result<(), Failure> {
        match self.errors {
            0 => Ok(()),
            1 => Err(Failure::no(format!("1 of {} lines was answered with an error", self.answered))),
            n => Err(Failure::no(format!("{n} of {} lines were answered with an error", self.answered))),
        }
    }
}

/// Standard output, in whole lines.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    tally: Tally,
    bar: ProgressBar,
    /// When to show the bar.
    show_at: Option<Instant>,
}

impl Output {
    pub(super) fn new() -> Output {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {human_pos} lines answered, {rate} a second")
        {
            bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
                // A bar that cannot be drawn is not worth a word.
                let _ = write!(out, "{:.0}", state.per_sec());
            }));
        }
        // The lines themselves are the progress when they go to the terminal.
        let show_at = (!io::stdout().is_terminal()).then(|| Instant::now() + PATIENCE);
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Output { out, tally: Tally::default(), bar, show_at }
    }

    /// Writes one answer; it may wait in the buffer until [`flush`](Output::flush).
    pub(super) fn write(&mut self, response: &EvaluateResponse) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, response)?;
        self.out.write_all(b"\n")?;
        self.tally.answered += 1;
        self.tally.errors += u64::from(matches!(response.answer, None | Some(Answer::Error(_))));
        self.bar.inc(1);
        if self.show_at.is_some_and(|at| Instant::now() >= at) {
            self.show_at = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Ok(())
    }

    /// Lets the reader have everything written so far.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the output.
    pub(super) fn finish(mut self) -> io::Result<Tally> {
        self.bar.finish_and_clear();
        self.flush()?;
        Ok(self.tally)
    }
}
