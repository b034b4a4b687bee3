//! Findings in one line each, as editors and `grep` like them:
//! `path:line:column: severity[code]: message; what to do [fixable]`.

use std::fmt::Write as _;

use super::{Diagnostic, Place, Severity};

/// Renders one finding without a line break, with colours when `color` is set.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let mut line = String::new();
    if let Some(place) = diagnostic.place.as_ref().map(Place::display) {
        line = format!("{place}: ");
    }
    let (on, off) = match diagnostic.severity {
        _ if !color => ("", ""),
        Severity::Error => ("\u{1b}[1;31m", "\u{1b}[0m"),
        Severity::Warning => ("\u{1b}[1;33m", "\u{1b}[0m"),
        Severity::Note => ("\u{1b}[1;36m", "\u{1b}[0m"),
    };
    let _ = write!(
        line,
        "{on}{}[{}]{off}: {}",
        diagnostic.severity.as_str(),
        diagnostic.rule.code,
        diagnostic.message
    );
    if let Some(help) = &diagnostic.help {
        line.push_str("; ");
        line.push_str(help);
    }
    if let Some(fix) = &diagnostic.fix {
        line.push(' ');
        line.push_str(fix.mark());
    }
    // What a message quotes may hold line breaks.
    line.replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{SourceFile, rules};
    use crate::yaml::Span;

    #[test]
    fn one_line_whatever_the_message_holds() {
        let file = SourceFile::new("a.yaml", "kind: x\n");
        let finding = Diagnostic::new(&rules::SCHEMA_INVALID_VALUE, "`a\nb` is\r\nwrong")
            .at(&file, Span::new(6, 7))
            .help("write `c`");
        assert_eq!(
            render(&finding, false),
            "a.yaml:1:7: error[schema/invalid-value]: `a b` is  wrong; write `c`"
        );
        let finding = Diagnostic::new(&rules::STATUS_DEPRECATED, "old");
        assert_eq!(
            render(&finding, true),
            "\u{1b}[1;33mwarning[status/deprecated]\u{1b}[0m: old"
        );
    }
}
