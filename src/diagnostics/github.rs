//! Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull
//! request: `::error file=…,line=…,col=…,title=…::message`.

use std::fmt::Write as _;

use super::{Diagnostic, Severity};
use crate::diagnostics::repository::Repository;

/// Renders one finding as one command, without the line break that ends it.
pub fn render(diagnostic: &Diagnostic, repository: &Repository) -> String {
    let mut message = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        let _ = write!(message, "\nhelp: {help}");
    }
    if let Some(fix) = &diagnostic.fix {
        let _ = write!(message, " {}", fix.mark());
    }
    let mut properties = Vec::new();
    if let Some(place) = &diagnostic.place {
        properties.push(("file", repository.path(&place.file.path)));
        if let Some(span) = place.span {
            let (line, column) = place.file.position(span.start());
            let (end_line, end_column) = place.file.position(span.end());
            properties.push(("line", line.to_string()));
            properties.push(("col", column.to_string()));
            properties.push(("endLine", end_line.to_string()));
            properties.push(("endColumn", end_column.to_string()));
        }
    }
    properties.push(("title", diagnostic.rule.code.to_owned()));
    command(diagnostic.severity, &properties, &message)
}

/// One command, with what would end it early escaped.
pub fn command(severity: Severity, properties: &[(&str, String)], message: &str) -> String {
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", property(value)))
        .collect();
    format!("::{word} {}::{}", properties.join(","), data(message))
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property, which a comma or colon would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{SourceFile, rules};
    use crate::yaml::Span;

    #[test]
    fn nothing_that_a_finding_says_ends_the_command() {
        let file = SourceFile::new("a,b:c%.yaml", "kind: é\n");
        let finding = Diagnostic::new(&rules::STATUS_UNKNOWN, "100%\r\n::error::x")
            .at(&file, Span::new(6, 8))
            .help("write, say: `a`");
        assert_eq!(
            render(&finding, &Repository::default()),
            "::warning file=a%2Cb%3Ac%25.yaml,line=1,col=7,endLine=1,endColumn=8,\
             title=status/unknown::100%25%0D%0A::error::x%0Ahelp: write, say: `a`"
        );
        let finding = Diagnostic::new(&rules::MAPPING_NO_COUNTERPART, "m").in_file(&file);
        assert_eq!(
            render(&finding, &Repository::default()),
            "::notice file=a%2Cb%3Ac%25.yaml,title=mapping/no-counterpart::m"
        );
    }
}
