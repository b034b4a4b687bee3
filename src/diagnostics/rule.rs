//! What a finding is an instance of.

use super::Severity;

/// One thing that can be found.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable name, `area/what-is-wrong`.
    pub code: &'static str,
    /// Weight unless the configuration says otherwise.
    pub severity: Severity,
    /// What is found, in a few words.
    pub summary: &'static str,
    /// Why it matters and what to do, in one paragraph.
    pub explanation: &'static str,
}

impl Rule {
    /// The part of the code before the `/`.
    pub fn area(&self) -> &'static str {
        self.code.split('/').next().unwrap_or(self.code)
    }
}
