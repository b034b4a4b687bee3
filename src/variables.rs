//! Variables in the texts of a document: `${NAME}` and `${NAME:-default}`, which came with ODCS v3.2.0
//! and ODPS v1.1.0.
//!
//! A tree comes in as it is written, and goes out as it is meant: each reference has the value of the
//! variable in the environment, and where that is unset or empty the default. What has neither is a
//! finding and stays. The schema judges the text as it is written, so this comes after it; the places
//! of all values stay those of the references.

use std::borrow::Cow;

use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::document::{ApiVersion, Document, Kind};
use crate::yaml::{Data, Node, Span, times};

/// What begins a reference.
const OPEN: &str = "${";

/// The names that stand for the object or column of a rule in its SQL. The mapping fills them in.
const PLACEHOLDERS: &[&str] = &[
    "column", "field", "model", "object", "property", "schema", "table",
];

/// The keys of a server that something is generated from. The others only say how people connect to
/// it, so that a contract is complete without them.
const SERVER_KEYS: &[&str] = &[
    "catalog",
    "database",
    "dataset",
    "environment",
    "namespace",
    "project",
    "schema",
    "server",
    "type",
];

/// The first version of a standard whose documents have variables.
const fn since(kind: Kind) -> ApiVersion {
    match kind {
        Kind::Contract => ApiVersion::new(3, 2, 0),
        Kind::Product => ApiVersion::new(1, 1, 0),
    }
}

/// The tree of a document as it is meant: times of day are text, and variables have the values that the
/// environment gives them. What is wrong with those is the second.
pub fn meant(document: &Document) -> (Cow<'_, Node>, Vec<Diagnostic>) {
    let mut root = Cow::Borrowed(&document.root);
    times::as_text(&mut root, &document.file.text);
    let environment = |name: &str| std::env::var(name).ok();
    let findings = resolve(document, &mut root, &environment);
    (root, findings)
}

/// Puts the values of variables into the texts of `root`, the tree of `document`. `value` is what the
/// environment says.
pub fn resolve(
    document: &Document,
    root: &mut Cow<'_, Node>,
    value: &dyn Fn(&str) -> Option<String>,
) -> Vec<Diagnostic> {
    let version = root
        .get("apiVersion")
        .and_then(Node::as_str)
        .and_then(ApiVersion::parse);
    let has_variables = version.is_some_and(|version| version >= since(document.kind));
    if !has_variables || !document.file.text.contains(OPEN) {
        return Vec::new();
    }
    let mut resolver = Resolver {
        document,
        value,
        id: root.get("id").and_then(Node::as_str).map(str::to_owned),
        findings: Vec::new(),
    };
    let at = At {
        part: Part::Root,
        way: None,
    };
    resolver.visit(root.to_mut(), at);
    resolver.findings
}

/// A variable that nobody sets, whose default is what stands in a text.
const UNSET: &str = "${text_as_it_is:-$}";

/// `text` for a document of that version, so that what looks like a reference in it is none: read
/// back, it is the same text.
pub fn escape(text: &str, kind: Kind, version: ApiVersion) -> Cow<'_, str> {
    if version < since(kind) || !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + UNSET.len());
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        escaped.push_str(&rest[..start]);
        rest = &rest[start..];
        let opener = if Reference::read(rest).is_some() {
            UNSET
        } else {
            "$"
        };
        escaped.push_str(opener);
        rest = &rest[1..];
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// The part of a document that a text stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Root,
    Servers,
    Server,
    /// What of a server nothing is generated from.
    Connection,
    /// Quality rules, whose SQL has placeholders of its own.
    Rule,
    Other,
}

/// One step on the way to a text.
#[derive(Clone, Copy)]
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

/// Where in a document a text stands.
#[derive(Clone, Copy)]
struct At<'a> {
    part: Part,
    way: Option<(&'a At<'a>, Key<'a>)>,
}

impl<'a> At<'a> {
    /// What a key leads to.
    fn step(&'a self, key: Key<'a>) -> Self {
        let part = match (self.part, key) {
            (Part::Root, Key::Name("servers")) => Part::Servers,
            (Part::Servers, Key::Index(_)) => Part::Server,
            (Part::Server, Key::Name(name)) if !SERVER_KEYS.contains(&name) => Part::Connection,
            (Part::Connection | Part::Rule, _) => self.part,
            (_, Key::Name("quality")) => Part::Rule,
            _ => Part::Other,
        };
        Self {
            part,
            way: Some((self, key)),
        }
    }

    /// JSON pointer of the text.
    fn pointer(&self) -> String {
        match &self.way {
            None => String::new(),
            Some((before, Key::Index(index))) => format!("{}/{index}", before.pointer()),
            Some((before, Key::Name(name))) => {
                let name = name.replace('~', "~0").replace('/', "~1");
                format!("{}/{name}", before.pointer())
            }
        }
    }
}

/// One run over a tree.
struct Resolver<'a> {
    document: &'a Document,
    value: &'a dyn Fn(&str) -> Option<String>,
    /// Id of the document.
    id: Option<String>,
    findings: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn visit(&mut self, node: &mut Node, at: At<'_>) {
        let span = node.span;
        match &mut node.data {
            Data::String(text) => {
                if text.contains(OPEN)
                    && let Some(resolved) = self.text(text, span, at)
                {
                    *text = resolved;
                }
            }
            Data::Sequence(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.visit(item, at.step(Key::Index(index)));
                }
            }
            Data::Mapping(mapping) => {
                for (name, value) in mapping.values_mut() {
                    self.visit(value, at.step(Key::Name(name)));
                }
            }
            Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => {}
        }
    }

    /// A text with the values of its variables, if it has any. Values are put in as they are: what
    /// looks like a reference in them is none.
    fn text(&mut self, text: &str, span: Span, at: At<'_>) -> Option<String> {
        let mut resolved = String::with_capacity(text.len());
        let mut rest = text;
        let mut changed = false;
        while let Some(start) = rest.find(OPEN) {
            resolved.push_str(&rest[..start]);
            rest = &rest[start..];
            let Some(reference) = Reference::read(rest) else {
                resolved.push_str(OPEN);
                rest = &rest[OPEN.len()..];
                continue;
            };
            let (written, after) = rest.split_at(reference.length);
            rest = after;
            if at.part == Part::Rule && reference.is_placeholder() {
                resolved.push_str(written);
                continue;
            }
            let value = (self.value)(reference.name).filter(|value| !value.is_empty());
            if let Some(value) = value.as_deref().or(reference.default) {
                resolved.push_str(value);
                changed = true;
            } else {
                resolved.push_str(written);
                self.unresolved(&reference, written, span, at);
            }
        }
        resolved.push_str(rest);
        changed.then_some(resolved)
    }

    /// Reports a variable without a value.
    fn unresolved(&mut self, reference: &Reference<'_>, written: &str, span: Span, at: At<'_>) {
        let name = reference.name;
        let source = &self.document.file.text[span.range()];
        let span = source.find(written).map_or(span, |offset| {
            let start = span.start() + offset;
            Span::new(start, start + written.len())
        });
        let finding = self
            .document
            .finding(
                &rules::RULE_UNRESOLVED_VARIABLE,
                span,
                format!("the variable `{name}` has no value in the environment"),
            )
            .help(format!(
                "set `{name}`, or give the reference a default: `${{{name}:-value}}`"
            ))
            .pointer(at.pointer());
        let finding = match &self.id {
            Some(id) => finding.contract(id.clone()),
            None => finding,
        };
        self.findings.push(match at.part {
            Part::Connection => finding.severity(Severity::Warning),
            _ => finding,
        });
    }
}

/// A reference to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reference<'t> {
    name: &'t str,
    /// What stands for a value that is not there.
    default: Option<&'t str>,
    /// How many bytes of the text it takes.
    length: usize,
}

impl<'t> Reference<'t> {
    /// Reads the reference that a text begins with. A name is a word: `${env.user}` and `${3}` are
    /// somebody else's.
    fn read(text: &'t str) -> Option<Self> {
        let inner = text.strip_prefix(OPEN)?;
        let end = inner
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|end| *end > 0 && !inner.starts_with(|first: char| first.is_ascii_digit()))?;
        let (name, after) = inner.split_at(end);
        if after.starts_with('}') {
            return Some(Self {
                name,
                default: None,
                length: OPEN.len() + end + 1,
            });
        }
        let default = after.strip_prefix(":-")?;
        let close = default.find('}')?;
        Some(Self {
            name,
            default: Some(&default[..close]),
            length: OPEN.len() + end + 2 + close + 1,
        })
    }

    /// Whether it stands for what the rule is on.
    fn is_placeholder(&self) -> bool {
        self.default.is_none()
            && PLACEHOLDERS
                .iter()
                .any(|word| word.eq_ignore_ascii_case(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceFile;
    use crate::yaml::{Limits, parse};

    /// The tree of a document with its variables resolved, and what is found.
    fn resolved(kind: Kind, text: &str) -> (Node, Vec<String>) {
        let document = Document {
            file: SourceFile::new("c.yaml", text),
            root: parse(text, &Limits::default()).documents.remove(0),
            kind,
            comments: Vec::new(),
        };
        let mut root = Cow::Borrowed(&document.root);
        let findings = resolve(&document, &mut root, &|name| {
            let known = [("DB", "wh"), ("EMPTY", ""), ("LOOP", "${DB}")];
            let found = known.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        let findings = findings.iter().map(|finding| {
            let place = finding.place.as_ref().unwrap();
            format!(
                "{} {} {}: {}",
                finding.severity.as_str(),
                finding.pointer.as_deref().unwrap(),
                &text[place.span.unwrap().range()],
                finding.message
            )
        });
        (root.clone().into_owned(), findings.collect())
    }

    fn contract(version: &str, body: &str) -> (Node, Vec<String>) {
        let head = format!("apiVersion: {version}\nkind: DataContract\nid: c\n");
        resolved(Kind::Contract, &format!("{head}{body}"))
    }

    #[test]
    fn references_get_the_value_or_the_default() {
        let table = [
            ("${DB}", "wh"),
            ("a-${DB}-${DB}", "a-wh-wh"),
            ("${DB:-raw}", "wh"),
            ("${NONE:-raw}", "raw"),
            ("${EMPTY:-raw}", "raw"),
            ("${NONE:-}", ""),
            ("${NONE:-a:-b}", "a:-b"),
            // The default ends at the first brace.
            ("${NONE:-${DB}}", "${DB}"),
            ("${LOOP}", "${DB}"),
            (
                "${env.user} ${env:USER} ${3} ${} $DB ${DB",
                "${env.user} ${env:USER} ${3} ${} $DB ${DB",
            ),
            ("${ DB }", "${ DB }"),
            ("ü${DB}ü", "üwhü"),
        ];
        for (text, expected) in table {
            let (root, findings) = contract("v3.2.0", &format!("name: '{text}'\n"));
            assert_eq!(root.get("name").unwrap().as_str(), Some(expected), "{text}");
            assert_eq!(findings, [""; 0], "{text}");
        }
    }

    #[test]
    fn what_has_no_value_stays_and_is_found() {
        let body = "name: x-${EMPTY}\nservers:\n- {server: s, type: postgres, host: '${HOST}', port: '${PORT:-1}', database: '${NONE}'}\n";
        let (root, findings) = contract("v3.2.0", body);
        assert_eq!(root.get("name").unwrap().as_str(), Some("x-${EMPTY}"));
        assert_eq!(
            findings,
            [
                "error /name ${EMPTY}: the variable `EMPTY` has no value in the environment",
                "warning /servers/0/host ${HOST}: the variable `HOST` has no value in the environment",
                "error /servers/0/database ${NONE}: the variable `NONE` has no value in the environment",
            ]
        );
    }

    #[test]
    fn placeholders_of_rules_are_no_variables() {
        let body = "schema:\n- name: ${object:-t}\n  quality:\n  - {type: sql, query: 'select count(*) from ${object} where ${Column} > ${DB} and ${NONE}'}\n";
        let (root, findings) = contract("v3.2.0", body);
        let at = |pointer| root.locate(pointer).node.as_str().unwrap().to_owned();
        assert_eq!(at("/schema/0/name"), "t");
        assert_eq!(
            at("/schema/0/quality/0/query"),
            "select count(*) from ${object} where ${Column} > wh and ${NONE}"
        );
        assert_eq!(findings.len(), 1, "{findings:?}");
    }

    #[test]
    fn escaped_text_is_read_back_as_it_was() {
        for text in [
            "${DB}",
            "a ${DB:-x} ${NONE} ${ DB } ${",
            "$${DB}",
            "${DB:-${NONE}}",
            "$",
        ] {
            for version in [ApiVersion::new(3, 1, 0), ApiVersion::new(3, 2, 0)] {
                let escaped = escape(text, Kind::Contract, version);
                let (root, findings) =
                    contract(&version.to_string(), &format!("name: '{escaped}'\n"));
                assert_eq!(root.get("name").unwrap().as_str(), Some(text), "{escaped}");
                assert_eq!(findings, [""; 0], "{escaped}");
            }
        }
    }

    #[test]
    fn older_versions_of_the_standards_have_none() {
        let name = |(root, findings): (Node, Vec<String>)| {
            assert_eq!(findings, [""; 0]);
            root.get("name").unwrap().as_str().unwrap().to_owned()
        };
        assert_eq!(
            name(contract("v3.1.0", "name: ${DB}${NONE}\n")),
            "${DB}${NONE}"
        );
        let product = |version: &str| {
            let text = format!("apiVersion: {version}\nkind: DataProduct\nid: p\nname: ${{DB}}\n");
            name(resolved(Kind::Product, &text))
        };
        assert_eq!(product("v1.0.0"), "${DB}");
        assert_eq!(product("v1.1.0"), "wh");
    }
}
