//! Comments that silence findings: the comments of a document come in, and what they allow on which
//! line goes out.
//!
//! `# dbt-contracts: allow(code, code) reason` at the end of a line speaks of that line; on a line of
//! its own it speaks of the next line that is no comment.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Diagnostic, Rule, Severity, SourceFile, closest, rules};
use crate::yaml::Span;

/// What our comments begin with, after the `#`.
const MARK: &str = "dbt-contracts:";

/// The one instruction.
const ALLOW: &str = "allow";

/// One code of one comment.
#[derive(Debug)]
pub struct Allow {
    /// The rule that is silenced.
    pub rule: &'static Rule,
    /// The file it stands in.
    file: Arc<SourceFile>,
    /// The code in the comment.
    span: Span,
    /// The line that it speaks of.
    line: usize,
    used: bool,
}

impl Allow {
    /// The path of its file.
    pub fn path(&self) -> &str {
        &self.file.path
    }

    /// The finding that it silenced nothing.
    fn unused(&self) -> Diagnostic {
        let message = format!("no `{}` is found on line {}", self.rule.code, self.line);
        Diagnostic::new(&rules::RULE_UNUSED_ALLOW, message)
            .at(&self.file, self.span)
            .help("remove it")
    }
}

/// Whether a comment may silence the rule. A document that is not valid cannot be read as what it
/// is meant to be, and dbt refuses a circle whatever a comment says.
fn may_be_silenced(rule: &Rule) -> bool {
    let first_pass = rule.code.starts_with("yaml/") || rule.code.starts_with("schema/");
    !(first_pass && rule.severity == Severity::Error) && rule != &rules::LINEAGE_CYCLE
}

/// What the comments of all documents allow.
#[derive(Debug, Default)]
pub struct Allows {
    by_path: BTreeMap<String, Vec<Allow>>,
}

impl Allows {
    /// Takes what the comments of one file allow.
    pub fn add(&mut self, allows: Vec<Allow>) {
        if let Some(path) = allows.first().map(|allow| allow.path().to_owned()) {
            self.by_path.entry(path).or_default().extend(allows);
        }
    }

    /// Whether a comment silences a finding of `rule` at `span`; the comment counts as used then.
    pub fn silence(&mut self, rule: &Rule, file: &SourceFile, span: Span) -> bool {
        let Some(allows) = self.by_path.get_mut(&file.path) else {
            return false;
        };
        let line = file.position(span.start()).0;
        let mut silenced = false;
        for allow in allows {
            if allow.rule == rule && allow.line == line {
                allow.used = true;
                silenced = true;
            }
        }
        silenced
    }

    /// Whether a comment silences findings of `rule` at `span`.
    pub fn covers(&self, rule: &Rule, file: &SourceFile, span: Span) -> bool {
        self.by_path.get(&file.path).is_some_and(|allows| {
            let line = file.position(span.start()).0;
            allows
                .iter()
                .any(|allow| allow.rule == rule && allow.line == line)
        })
    }

    /// The findings that a comment silenced nothing, of those comments on which `judged` says that
    /// every finding they speak of would have been made by now. Each is reported once.
    pub fn unused(&mut self, judged: impl Fn(&Allow) -> bool) -> Vec<Diagnostic> {
        let allows = self.by_path.values_mut().flatten();
        let unused = allows.filter(|allow| !allow.used && judged(allow));
        unused
            .map(|allow| {
                allow.used = true;
                allow.unused()
            })
            .collect()
    }
}

/// Reads the comments of one file, in the order of the text: what they allow, and what is wrong with
/// them.
pub fn read(file: &Arc<SourceFile>, comments: &[Span]) -> (Vec<Allow>, Vec<Diagnostic>) {
    let (mut allows, mut findings) = (Vec::new(), Vec::new());
    if !file.text.contains(MARK) {
        return (allows, findings);
    }
    // From the last one up, so that the line below a comment is known.
    let mut below: Option<(usize, usize)> = None;
    for comment in comments.iter().rev() {
        let line = file.position(comment.start()).0;
        let target = match below {
            _ if !stands_alone(&file.text, *comment) => line,
            Some((next, target)) if next == line + 1 => target,
            _ => line + 1,
        };
        if target != line {
            below = Some((line, target));
        }
        let reader = Comment {
            file,
            start: comment.start(),
            text: &file.text[comment.range()],
        };
        for code in reader.codes() {
            match code.and_then(|span| Ok((reader.rule(span)?, span))) {
                Ok((rule, span)) => allows.push(Allow {
                    rule,
                    file: Arc::clone(file),
                    span,
                    line: target,
                    used: false,
                }),
                Err(finding) => findings.push(*finding),
            }
        }
    }
    allows.sort_by_key(|allow| allow.span);
    (allows, findings)
}

/// Whether nothing but blanks stands before the comment on its line.
fn stands_alone(text: &str, comment: Span) -> bool {
    let before = &text[..comment.start()];
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.trim_start_matches('\u{feff}').trim().is_empty()
}

/// One comment.
struct Comment<'a> {
    file: &'a Arc<SourceFile>,
    start: usize,
    text: &'a str,
}

impl Comment<'_> {
    /// The places of the codes that it lists; none where it is not meant for us.
    fn codes(&self) -> Vec<Result<Span, Box<Diagnostic>>> {
        let body = self.text.trim_start_matches('#').trim_start();
        let Some(rest) = body.strip_prefix(MARK) else {
            return Vec::new();
        };
        let rest = rest.trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        let Some(list) = rest.trim_start().strip_prefix('(') else {
            // Prose that mentions the program is no mistake.
            let meant = word == ALLOW;
            let wrong = || self.wrong(self.whole(), format!("`{ALLOW}` lists no codes"));
            return meant.then(|| Err(wrong())).into_iter().collect();
        };
        if word != ALLOW {
            let message = format!("`{word}` is no instruction for {}", env!("CARGO_PKG_NAME"));
            return vec![Err(self.wrong(self.whole(), message))];
        }
        let Some((list, _)) = list.split_once(')') else {
            let message = format!("the bracket after `{ALLOW}` is not closed");
            return vec![Err(self.wrong(self.whole(), message))];
        };
        list.split(',')
            .map(|code| {
                let start = self.offset(code) + code.len() - code.trim_start().len();
                Ok(Span::new(start, start + code.trim().len()))
            })
            .collect()
    }

    /// The rule of the code at `span`.
    fn rule(&self, span: Span) -> Result<&'static Rule, Box<Diagnostic>> {
        let code = &self.file.text[span.range()];
        let Some(rule) = rules::by_code(code) else {
            let mut finding = self.wrong(span, format!("no rule has the code `{code}`"));
            if let Some(close) = closest(code, rules::ALL.iter().map(|rule| rule.code)) {
                finding.help = Some(format!("did you mean `{close}`?"));
            }
            return Err(finding);
        };
        if may_be_silenced(rule) {
            return Ok(rule);
        }
        let mut finding = self.wrong(span, format!("`{code}` cannot be silenced"));
        finding.help = Some("remove the code, and correct what it was meant for".to_owned());
        Err(finding)
    }

    /// Where a part of the comment begins in the file.
    fn offset(&self, part: &str) -> usize {
        self.start + (part.as_ptr().addr() - self.text.as_ptr().addr())
    }

    /// The whole comment.
    fn whole(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// A comment that does nothing.
    fn wrong(&self, span: Span, message: String) -> Box<Diagnostic> {
        let finding = Diagnostic::new(&rules::RULE_INVALID_ALLOW, message).at(self.file, span);
        Box::new(finding.help(format!("write `# {MARK} {ALLOW}(code)`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Limits, parse};

    /// What the comments of a text allow, as `line code`, and what is wrong with them.
    fn allowed(text: &str) -> (Vec<String>, Vec<String>) {
        let file = SourceFile::new("a.yaml", text);
        let comments = parse(text, &Limits::default()).comments;
        let (allows, findings) = read(&file, &comments);
        let allows = allows.iter();
        let allows = allows.map(|allow| format!("{} {}", allow.line, allow.rule.code));
        let findings = findings.iter().map(|finding| {
            let span = finding.place.as_ref().unwrap().span.unwrap();
            format!("{}: {}", &file.text[span.range()], finding.message)
        });
        (allows.collect(), findings.collect())
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_of_the_next_that_is_no_comment() {
        let text = "\u{feff}# dbt-contracts: allow(status/unknown)\n\
                    # a word on why\r\n\
                    a: 1 # dbt-contracts:allow( status/retired,reference/ambiguous ): until May\n\
                    # dbt-contracts: allow(status/deprecated)\n\
                    \n\
                    b: '# dbt-contracts: allow(status/unknown)'\n";
        let (allows, findings) = allowed(text);
        assert_eq!(
            allows,
            [
                "3 status/unknown",
                "3 status/retired",
                "3 reference/ambiguous",
                "5 status/deprecated"
            ]
        );
        assert!(findings.is_empty());
    }

    #[test]
    fn what_cannot_silence_anything_is_said() {
        let cases = [
            ("# dbt-contracts: see the handbook", None),
            ("# dbt-contracts: allowed by law", None),
            (
                "# dbt-contracts: allow status/unknown",
                Some("# dbt-contracts: allow status/unknown: `allow` lists no codes"),
            ),
            (
                "# dbt-contracts: ignore(status/unknown)",
                Some(
                    "# dbt-contracts: ignore(status/unknown): `ignore` is no instruction for dbt-contracts",
                ),
            ),
            (
                "# dbt-contracts: allow(status/unknown",
                Some(
                    "# dbt-contracts: allow(status/unknown: the bracket after `allow` is not closed",
                ),
            ),
            (
                "# dbt-contracts: allow(status/unknwon)",
                Some("status/unknwon: no rule has the code `status/unknwon`"),
            ),
            (
                "# dbt-contracts: allow()",
                Some(": no rule has the code ``"),
            ),
            (
                "# dbt-contracts: allow(schema/unknown-key)",
                Some("schema/unknown-key: `schema/unknown-key` cannot be silenced"),
            ),
        ];
        for (text, wrong) in cases {
            let (allows, findings) = allowed(&format!("a: 1 {text}\n"));
            assert!(allows.is_empty(), "{text}");
            assert_eq!(findings, Vec::from_iter(wrong), "{text}");
        }
    }
}
