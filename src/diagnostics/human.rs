//! Findings for people: rustc's look, with the lines of the file that are meant.

use std::borrow::Cow;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::{Diagnostic, Fix, Place, Severity, SourceFile};
use crate::yaml::Span;

/// Longest excerpt of one finding, in bytes. A span may be a whole document; only its beginning is shown.
const EXCERPT: usize = 300;

/// The most edits of one fix that are shown; further ones are of the same sort.
const MOST_EDITS: usize = 3;

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
    let help = diagnostic.help.as_deref();
    if let Some((fix, place)) = diagnostic.fix.as_ref().zip(diagnostic.place.as_ref()) {
        report.push(suggestion(help, fix, &place.file));
    } else if let Some(help) = help {
        report.push(Group::with_title(Level::HELP.secondary_title(help)));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.decor_style(DecorStyle::Ascii).render(&report)
}

/// What to do, with the lines as the fix makes them.
fn suggestion<'a>(help: Option<&'a str>, fix: &'a Fix, file: &'a SourceFile) -> Group<'a> {
    let title = help.unwrap_or(&fix.title);
    let title = if fix.is_safe() {
        Cow::Borrowed(title)
    } else {
        Cow::Owned(format!("{title} (`--unsafe-fixes` writes it)"))
    };
    let snippets = fix.edits.iter().take(MOST_EDITS).map(|edit| {
        let shown = window(&file.text, edit.span);
        let range =
            edit.span.start() - shown.start()..edit.span.end().min(shown.end()) - shown.start();
        Snippet::source(&file.text[shown.range()])
            .line_start(file.position(shown.start()).0)
            .patch(Patch::new(range, edit.text.as_str()))
    });
    Group::with_title(Level::HELP.secondary_title(title)).elements(snippets)
}

/// Adds the lines of `place` to the group, or the path alone where there is no text to show.
fn excerpt<'a>(group: Group<'a>, place: &'a Place, text: Option<&'a str>) -> Group<'a> {
    let kind = if text.is_none() {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    match place.span {
        Some(span) if span.end() <= place.file.text.len() && !place.file.text.is_empty() => {
            let shown = window(&place.file.text, span);
            let (line, _) = place.file.position(shown.start());
            let source = &place.file.text[shown.start()..shown.end()];
            let end = span.end().min(shown.end());
            let annotation = kind.span(span.start() - shown.start()..end - shown.start());
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
    let mut cut = span.end().min(span.start() + EXCERPT).min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    // What spans several lines is shown by its first one.
    let cut = text[span.start()..cut]
        .find('\n')
        .map_or(cut, |newline| span.start() + newline);
    let mut start = text[..span.start()]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let mut end = text[cut..]
        .find('\n')
        .map_or(text.len(), |newline| cut + newline);
    // A JSON document may be one line of megabytes.
    if span.start() - start > EXCERPT {
        start = span.start();
    }
    if end - cut > EXCERPT {
        end = cut;
    }
    Span::new(start, end)
}
