//! A file of a person that only gets something more, and that the lock knows nothing of.

use std::path::Path;

use super::{Disk, Outcome, Plan, Status};
use crate::file::Files;
use crate::merge::{Options, Root, look};

/// What becomes of a person's file that gets something more: `added` makes its new text, if it can.
pub fn addition(
    project_dir: &Path,
    path: &str,
    options: Options,
    added: impl FnOnce(Option<&str>) -> Option<String>,
) -> Option<Outcome> {
    let root = Root::open(project_dir).ok()?;
    let disk = look(&root, path, &Files::default());
    let (text, found) = match &disk {
        Disk::File(bytes) => (added(Some(str::from_utf8(bytes).ok()?))?, Status::Modified),
        Disk::Absent => (added(None)?, Status::New),
        Disk::Blocked(_) => return None,
    };
    let outcome = Outcome::new(path, found, false, disk, None, Some(Plan::addition(text)));
    let mut outcome = Outcome {
        addition: true,
        ..outcome
    };
    options.decide(&mut outcome);
    Some(outcome)
}
