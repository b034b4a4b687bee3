//! Findings as the JSON values of machine output.

use serde_json::{Value, json};

use super::Diagnostic;

/// One finding as `{code, severity, message, help, path, line, column, end_line, end_column,
/// fix, pointer, contract, related}`; what does not apply is null.
pub fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let place = diagnostic.place.as_ref();
    let span = place.and_then(|place| place.span.map(|span| (&place.file, span)));
    let start = span.map(|(file, span)| file.position(span.start()));
    let end = span.map(|(file, span)| file.position(span.end()));
    json!({
        "code": diagnostic.rule.code,
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "path": place.map(|place| place.file.path.as_str()),
        "line": start.map(|start| start.0),
        "column": start.map(|start| start.1),
        "end_line": end.map(|end| end.0),
        "end_column": end.map(|end| end.1),
        "fix": fix(diagnostic),
        "pointer": diagnostic.pointer,
        "contract": diagnostic.contract,
        "related": diagnostic.labels.iter().map(|label| {
            let at = label.place.span.map(|span| label.place.file.position(span.start()));
            json!({
                "path": label.place.file.path,
                "line": at.map(|at| at.0),
                "column": at.map(|at| at.1),
                "message": label.text,
            })
        }).collect::<Vec<_>>(),
    })
}

/// The fix as `{title, safe, edits: [{start: {line, column}, end, text}]}`.
fn fix(diagnostic: &Diagnostic) -> Option<Value> {
    let (fix, place) = diagnostic.fix.as_ref().zip(diagnostic.place.as_ref())?;
    let at = |offset| {
        let (line, column) = place.file.position(offset);
        json!({"line": line, "column": column})
    };
    let edits = fix.edits.iter().map(|edit| {
        json!({
            "start": at(edit.span.start()),
            "end": at(edit.span.end()),
            "text": edit.text,
        })
    });
    Some(json!({
        "title": fix.title,
        "safe": fix.is_safe(),
        "edits": edits.collect::<Value>(),
    }))
}

/// All findings as one list.
pub fn diagnostics(all: &[Diagnostic]) -> Value {
    all.iter().map(diagnostic).collect()
}
