//! Findings for people: rustc's look, with the lines of the file that are meant.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Place, Severity};
use crate::yaml::Span;

/// Longest excerpt of one finding, in bytes. A span may be a whole document; only its beginning is shown.
const EXCERPT: usize = 300;

/// Renders one finding, with colours when `color` is set.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.rule.code);
    let mut group = Group::with_title(title);
    if let Some(place) = &diagnostic.place {
        group = excerpt(group, place, None);
    }
    for label in &diagnostic.labels {
        group = excerpt(group, &label.place, Some(&label.text));
    }
    let mut report = vec![group];
    if let Some(help) = &diagnostic.help {
        report.push(Group::with_title(
            Level::HELP.secondary_title(help.as_str()),
        ));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.decor_style(DecorStyle::Ascii).render(&report)
}

/// Adds the lines of `place` to the group, or the path alone where there is no text to show.
fn excerpt<'a>(group: Group<'a>, place: &'a Place, text: Option<&'a str>) -> Group<'a> {
    let kind = if text.is_none() {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    match place.span {
        Some(span) if span.end <= place.file.text.len() && !place.file.text.is_empty() => {
            let shown = window(&place.file.text, span);
            let (line, _) = place.file.position(shown.start);
            let source = &place.file.text[shown.start..shown.end];
            let end = span.end.min(shown.end);
            let annotation = kind.span(span.start - shown.start..end - shown.start);
            let annotation = match text {
                Some(text) => annotation.label(text),
                None => annotation,
            };
            group.element(
                Snippet::source(source)
                    .line_start(line)
                    .path(place.file.path.as_str())
                    .annotation(annotation),
            )
        }
        _ => group.element(Origin::path(place.file.path.as_str())),
    }
}

/// The whole lines around the beginning of `span`, kept short: the renderer's work grows with the
/// text it is given, and a finding may sit in a file of many megabytes.
fn window(text: &str, span: Span) -> Span {
    let mut cut = span.end.min(span.start + EXCERPT).min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    // What spans several lines is shown by its first one.
    let cut = text[span.start..cut]
        .find('\n')
        .map_or(cut, |newline| span.start + newline);
    let mut start = text[..span.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let mut end = text[cut..]
        .find('\n')
        .map_or(text.len(), |newline| cut + newline);
    // A JSON document may be one line of megabytes.
    if span.start - start > EXCERPT {
        start = span.start;
    }
    if end - cut > EXCERPT {
        end = cut;
    }
    Span { start, end }
}
