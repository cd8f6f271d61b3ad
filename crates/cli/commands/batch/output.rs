//! Answers, one per line, and the count of them.

use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write as _};

use indicatif::{ProgressBar, ProgressStyle};
use proto::v1::{EvaluateResponse, evaluate_response::Answer};

use crate::failure::Failure;

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
}

impl Output {
    pub(super) fn new() -> Output {
        // The lines themselves are the progress when they go to the terminal.
        let bar = if io::stdout().is_terminal() { ProgressBar::hidden() } else { ProgressBar::no_length() };
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {human_pos} lines answered, {per_sec}, {elapsed}")
        {
            bar.set_style(style);
        }
        Output { out: BufWriter::with_capacity(1 << 16, io::stdout()), tally: Tally::default(), bar }
    }

    /// Writes one answer; it may wait in the buffer until [`flush`](Output::flush).
    pub(super) fn write(&mut self, response: &EvaluateResponse) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, response)?;
        self.out.write_all(b"\n")?;
        self.tally.answered += 1;
        self.tally.errors += u64::from(matches!(response.answer, None | Some(Answer::Error(_))));
        self.bar.inc(1);
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
