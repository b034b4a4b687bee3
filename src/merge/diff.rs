//! What a run would write, as a unified diff that `git apply` and `patch` take.

use similar::{ChangeTag, TextDiff};

use super::outcome::{Action, Outcome};

/// ANSI codes of the kinds of lines.
const HEADER: &str = "\x1b[1m";
const HUNK: &str = "\x1b[36m";
const DELETED: &str = "\x1b[31m";
const INSERTED: &str = "\x1b[32m";
const RESET: &str = "\x1b[0m";

/// The change that the run makes to the file; empty where it makes none.
pub fn unified_diff(outcome: &Outcome, color: bool) -> String {
    let new = match &outcome.action {
        Action::Leave => return String::new(),
        Action::Write(text) => Some(text.as_str()),
        Action::Delete => None,
    };
    diff_of(&outcome.path, outcome.old.as_deref(), new, color)
}

/// The change of the file at `path` from one text to another; `None` is no file.
pub fn diff_of(path: &str, old: Option<&str>, new: Option<&str>, color: bool) -> String {
    // Only LF ends a line of a patch; `from_lines` would also split at a lone CR.
    let old_lines: Vec<&str> = old.unwrap_or_default().split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.unwrap_or_default().split_inclusive('\n').collect();
    let diff = TextDiff::from_slices(&old_lines, &new_lines);
    let mut lines = Lines {
        text: String::new(),
        color,
    };
    lines.push(HEADER, &format!("--- {}", header("a", path, old.is_some())));
    lines.push(HEADER, &format!("+++ {}", header("b", path, new.is_some())));
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        lines.push(HUNK, &hunk.header().to_string());
        for change in hunk.iter_changes() {
            let (code, sign) = match change.tag() {
                ChangeTag::Equal => ("", ' '),
                ChangeTag::Delete => (DELETED, '-'),
                ChangeTag::Insert => (INSERTED, '+'),
            };
            let line: &str = change.value();
            lines.push(
                code,
                &format!("{sign}{}", line.strip_suffix('\n').unwrap_or(line)),
            );
            if !line.ends_with('\n') {
                lines.push("", "\\ No newline at end of file");
            }
        }
    }
    lines.text
}

/// The name of one side. A path with a blank ends in a tab, as git and GNU diff write it.
fn header(side: &str, path: &str, exists: bool) -> String {
    let tab = if path.contains(' ') { "\t" } else { "" };
    if exists {
        format!("{side}/{path}{tab}")
    } else {
        "/dev/null".to_owned()
    }
}

/// Lines of output, with colours when asked.
struct Lines {
    text: String,
    color: bool,
}

impl Lines {
    fn push(&mut self, code: &str, line: &str) {
        if self.color && !code.is_empty() {
            self.text.extend([code, line, RESET, "\n"]);
        } else {
            self.text.extend([line, "\n"]);
        }
    }
}
