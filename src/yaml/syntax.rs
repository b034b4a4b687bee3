//! What the parser rejects: its error comes in, a message that says what to change goes out.

use granit_parser::{ErrorKind, ScanError};

const TABS: &str = "a tab stands where YAML allows only spaces; indent with spaces";

/// The message for an error at `offset` of `text`.
pub(super) fn message(error: &ScanError, text: &str, offset: usize) -> String {
    let (before, at) = text.split_at(offset);
    let markers = ["<<<<<<< ", "=======\n", ">>>>>>> "];
    // At the head of a file the first marker is text that goes on to the first key.
    let is_conflict = markers.iter().any(|marker| at.starts_with(marker))
        || before.lines().any(|line| line.starts_with(markers[0]));
    if is_conflict {
        return "a merge conflict was left in the file; resolve it".to_owned();
    }
    let known = match error.kind() {
        ErrorKind::UnexpectedCharacter { character } => return unexpected(*character),
        ErrorKind::UnclosedFlowCollection { open } => {
            return format!(
                "`{open}` is never closed; add the bracket, or quote the text that it belongs to"
            );
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("`{open}` cannot be closed by `{close}`");
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => TABS,
        ErrorKind::MappingValueNotAllowed => {
            "`:` cannot start a value here; quote the text that contains it, or check the indentation"
        }
        ErrorKind::InvalidColonPlacement => {
            "`:` cannot stand here; close the bracket before it, or quote the text that contains it"
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "expected `key: value`; add the `:`, or check the indentation"
        }
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::InvalidIndentation => {
            "expected a key of the mapping above; align it with the other keys"
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            "expected another `- ` item of the list above; align it with the other items"
        }
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => {
            "a `- ` item cannot stand here; start the list on its own line"
        }
        ErrorKind::ExpectedFlowMappingSeparator => "expected `,` or `}`",
        ErrorKind::ExpectedFlowSequenceSeparator => "expected `,` or `]`",
        ErrorKind::MisplacedFlowCollectionEnd => "this bracket was never opened",
        ErrorKind::UnclosedQuotedScalar => "the quote that opens here is never closed",
        ErrorKind::InvalidTrailingSingleQuotedScalar => {
            "text follows the closing quote; write a quote inside single quotes as `''`"
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote; write a quote inside double quotes as `\\\"`"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "unknown escape in double quotes; write the backslash as `\\\\`, or use single quotes"
        }
        ErrorKind::InvalidQuotedScalarIndent | ErrorKind::InvalidBlockScalarIndent => {
            "the text goes on with less indentation than it began; indent this line more"
        }
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping => "the file ends in the middle of a value",
        ErrorKind::UndeclaredTagHandle => "the prefix of this tag is not declared in the file",
        other => return format!("invalid YAML: {other}"),
    };
    known.to_owned()
}

fn unexpected(character: char) -> String {
    match character {
        '\t' => TABS.to_owned(),
        character if character.is_control() || character == '\u{feff}' => format!(
            "the character U+{:04X} cannot stand in YAML; remove it, or escape it in double quotes",
            u32::from(character)
        ),
        character => format!("text cannot begin with `{character}`; put it in quotes"),
    }
}
