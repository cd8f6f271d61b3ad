//! Requests, one per line, from input nobody vouches for.

use std::io::{self, BufRead};

use proto::v1::{self, EvaluateRequest, EvaluateResponse, error::Code, evaluate_response::Answer};

/// The longest line read. The largest query is a few kilobytes.
const MAX_LINE: usize = 1 << 20;

/// A line that is not blank.
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    text: Text,
}

enum Text {
    Whole(Vec<u8>),
    TooLong,
}

/// The lines of an input. Takes no more memory than one line may have, whatever comes.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, number: 0 }
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let found = io::Read::take(&mut self.input, MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
            if found == 0 {
                return Ok(None);
            }
            self.number += 1;
            if found > MAX_LINE && bytes.last() != Some(&b'\n') {
                self.input.skip_until(b'\n')?;
                return Ok(Some(Line { number: self.number, text: Text::TooLong }));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Line { number: self.number, text: Text::Whole(bytes) }));
            }
        }
    }
}

impl Line {
    /// The request on it, or why there is none, naming the line.
    pub(super) fn request(&self) -> Result<EvaluateRequest, Unreadable> {
        let what = match &self.text {
            Text::TooLong => format!("longer than {MAX_LINE} bytes"),
            Text::Whole(bytes) => match serde_json::from_slice(bytes.trim_ascii()) {
                Ok(request) => return Ok(request),
                Err(e) => complaint(&e),
            },
        };
        Err(Unreadable(format!("line {}: {what}", self.number)))
    }
}

/// Why a line holds no request.
#[derive(Debug)]
pub(super) struct Unreadable(String);

impl From<Unreadable> for EvaluateResponse {
    /// The answer to such a line.
    fn from(Unreadable(message): Unreadable) -> EvaluateResponse {
        let error = v1::Error { code: Code::InvalidArgument.into(), message, ..Default::default() };
        EvaluateResponse { id: String::new(), answer: Some(Answer::Error(error)) }
    }
}

/// What is wrong with the JSON. The place within the line is a column alone: the line has its own number.
fn complaint(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let place = format!(" at line {} column {}", e.line(), e.column());
    match text.strip_suffix(&place) {
        Some(what) => format!("{what} at column {}", e.column()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<(u64, Result<String, String>)> {
        let mut lines = Lines::new(text);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            let request = line.request().map(|request| request.id).map_err(|e| e.0);
            all.push((line.number, request));
        }
        all
    }

    #[test]
    fn blank_lines_are_counted_and_passed_over() {
        let found = read(b"{\"id\":\"a\"}\n\n  \t\r\n{\"id\":\"b\"}");
        assert_eq!(found, [(1, Ok("a".into())), (4, Ok("b".into()))]);
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        let found = read(b"\n{\"id\":}\n\xff\xfe\n{\"idd\":\"a\"}\n");
        let messages: Vec<String> = found.into_iter().map(|(_, r)| r.unwrap_err()).collect();
        assert_eq!(messages[0], "line 2: expected value at column 7");
        assert!(messages[1].starts_with("line 3: "), "{}", messages[1]);
        assert!(messages[2].starts_with("line 4: unknown field `idd`"), "{}", messages[2]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let mut text = vec![b' '; MAX_LINE + 1];
        text.extend(b" {}\n{\"id\":\"b\"}\n");
        let mut whole = vec![b' '; MAX_LINE - 2];
        whole.extend(b"{}\n");
        text.extend(&whole);
        let found = read(&text);
        assert_eq!(found[0], (1, Err(format!("line 1: longer than {MAX_LINE} bytes"))));
        assert_eq!(found[1..], [(2, Ok("b".into())), (3, Ok(String::new()))]);
    }
}
