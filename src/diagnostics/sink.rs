//! The one place where findings are collected and where settings change their weight.

use std::collections::{BTreeMap, BTreeSet};

use super::allow::{Allow, Allows};
use super::{Diagnostic, Place, Rule, Severity};
use crate::yaml::Span;

/// Severities that the configuration sets for rules by code; `None` silences the rule.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    levels: BTreeMap<&'static str, Vec<Level>>,
}

/// What a rule weighs, and the paths of the files in which it does.
type Level = (Option<Severity>, Option<BTreeSet<String>>);

impl Overrides {
    /// Sets the severity of the rule of that code, in the files of those paths or in all; `None`
    /// silences it. What is set later counts.
    pub fn set(
        &mut self,
        code: &'static str,
        level: Option<Severity>,
        paths: Option<BTreeSet<String>>,
    ) {
        self.levels.entry(code).or_default().push((level, paths));
    }
}

/// Collects findings in the order in which they come.
#[derive(Debug, Default)]
pub struct Sink {
    overrides: Overrides,
    allows: Allows,
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// A sink that applies `overrides` to all that it takes.
    pub fn new(overrides: Overrides) -> Self {
        Self {
            overrides,
            allows: Allows::default(),
            diagnostics: Vec::new(),
        }
    }

    /// From here on, comments silence what they allow.
    pub fn allow(&mut self, allows: Allows) {
        self.allows = allows;
    }

    /// Reports the comments that silenced nothing, of those that `judged` names.
    pub fn report_unused_allows(&mut self, judged: impl Fn(&Allow) -> bool) {
        let unused = self.allows.unused(judged);
        self.extend(unused);
    }

    /// Whether a comment allows findings of `rule` at that place.
    pub fn is_allowed(&self, rule: &Rule, place: &Place) -> bool {
        let span = place.span;
        span.is_some_and(|span| self.allows.covers(rule, &place.file, span))
    }

    /// Takes one finding.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if let Some(place) = &diagnostic.place
            && let Some(span) = place.span
            && self.allows.silence(diagnostic.rule, &place.file, span)
        {
            return;
        }
        let place = diagnostic.place.as_ref();
        if let Some(severity) = self.weigh(diagnostic.rule, diagnostic.severity, place) {
            diagnostic.severity = severity;
            self.diagnostics.push(diagnostic);
        }
    }

    /// What a finding of `rule` weighs after the settings; `None` where the rule is silenced.
    pub fn weigh(
        &self,
        rule: &Rule,
        severity: Severity,
        place: Option<&Place>,
    ) -> Option<Severity> {
        let levels = self.overrides.levels.get(rule.code);
        let here = |paths: &Option<BTreeSet<String>>| match (paths, place) {
            (None, _) => true,
            (Some(paths), Some(place)) => paths.contains(&place.file.path),
            (Some(_), None) => false,
        };
        let mut levels = levels.into_iter().flatten().rev();
        match levels.find(|(_, paths)| here(paths)) {
            Some((level, _)) => *level,
            None => Some(severity),
        }
    }

    /// Takes many findings.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// All that was taken, in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// How many findings have that severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }

    /// Orders the findings by place: path, offset, code; those without a place come first.
    /// The order of equal ones is kept.
    pub fn sort(&mut self) {
        self.diagnostics
            .sort_by(|left, right| key(left).cmp(&key(right)));
        self.diagnostics
            .dedup_by(|next, kept| key(next) == key(kept) && next.message == kept.message);
    }
}

/// What findings are ordered by.
fn key(diagnostic: &Diagnostic) -> (&str, usize, &str) {
    let place = diagnostic.place.as_ref();
    (
        place.map_or("", |place| place.file.path.as_str()),
        place.and_then(|place| place.span).map_or(0, Span::start),
        diagnostic.rule.code,
    )
}
