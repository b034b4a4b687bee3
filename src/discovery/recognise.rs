//! Says what one file is: a contract, a product, something that only looks like one, or neither.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diagnostics::rules::{
    DISCOVERY_FOREIGN_CONTRACT, DISCOVERY_IGNORED, DISCOVERY_KIND_AND_NAME,
    DISCOVERY_LEGACY_CONTRACT, DISCOVERY_TEMPLATE, DISCOVERY_UNFINISHED, SCHEMA_INVALID_VALUE,
    SCHEMA_MISSING_KEY, SCHEMA_WRONG_TYPE, YAML_KEY, YAML_SEVERAL_DOCUMENTS,
};
use crate::diagnostics::{Diagnostic, Fix, Rule, SourceFile};
use crate::document::{Document, Kind, items, spanned, text};
use crate::file::{self, Trees};
use crate::yaml::{Data, Node, Span};

/// What a file turned out to be.
#[derive(Debug, Default)]
pub(super) struct Recognised {
    pub(super) document: Option<Document>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Recognised {
    /// No document, and why.
    pub(super) fn nothing(finding: Diagnostic) -> Self {
        Self {
            document: None,
            diagnostics: vec![finding],
        }
    }
}

/// The words of `kind`, with the part of a file's name that announces each.
const KINDS: &[(Kind, &str, &str)] = &[
    (Kind::Contract, "DataContract", ".odcs."),
    (Kind::Product, "DataProduct", ".odps."),
];

/// Keys that stand beside `apiVersion` and `id` in documents of the two standards.
const BODIES: &[(Kind, &str)] = &[
    (Kind::Contract, "schema"),
    (Kind::Product, "outputPorts"),
    (Kind::Product, "inputPorts"),
];

/// Keys that stand in documents of the two standards and hardly ever elsewhere.
const SIGNS: &[&str] = &["apiVersion", "id", "inputPorts", "outputPorts"];

/// Keys at the top of an ODCS v2 contract that v3 no longer has.
const LEGACY_KEYS: &[&str] = &[
    "dataset",
    "datasetName",
    "datasetDomain",
    "quantumName",
    "uuid",
];

/// Keys at the top of other makers' contracts that ODCS never had.
const FOREIGN_KEYS: &[&str] = &["columns", "fields", "info", "metadata", "models", "spec"];

/// Keys whose value a template leaves open; text elsewhere may well hold braces.
const TEMPLATE_KEYS: &[&str] = &[
    "apiVersion",
    "kind",
    "id",
    "name",
    "version",
    "status",
    "domain",
    "dataProduct",
    "tenant",
];

/// What makers of templates write where a value will stand.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\$?\{\{.*?\}\}|\{%.*?%\}").unwrap()
});

/// A scalar that is a placeholder and nothing else.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with("{{") || text.starts_with("${{")) && text.ends_with("}}")
        || text.starts_with("{%") && text.ends_with("%}")
}

/// Says what a file is. `expected` means that it has to be YAML; any other is only taken for
/// YAML where it shows that it is.
pub(super) fn recognise(file: &Arc<SourceFile>, expected: bool) -> Recognised {
    let this = Looked::at(file, expected);
    let trees = file::parse(file);
    if let Some(finding) = this.broken_by_placeholder(&trees) {
        return Recognised::nothing(finding);
    }
    if trees.broken {
        if !expected && !this.speaks_of_documents() {
            return Recognised::nothing(this.ignored("it is not YAML"));
        }
        return Recognised {
            document: None,
            diagnostics: trees.problems,
        };
    }
    match trees.documents.as_slice() {
        [] => this.no_mapping(None),
        [root] => match this.dispatch(root) {
            Ok(kind) => this.document(kind, trees),
            Err(finding) => Recognised::nothing(*finding),
        },
        [_, second, ..] => {
            if !trees.documents.iter().any(|root| this.is_meant(root)) {
                let many = "it holds several documents without such a `kind`";
                return Recognised::nothing(this.ignored(many));
            }
            let message = "a file holds one contract or product, found several documents";
            let finding = Diagnostic::new(&YAML_SEVERAL_DOCUMENTS, message)
                .at(file, second.span)
                .help("put each document into a file of its own");
            Recognised::nothing(finding)
        }
    }
}

/// A file that is looked at, with the kind that its name announces.
struct Looked<'a> {
    file: &'a Arc<SourceFile>,
    named: Option<Kind>,
    /// Whether it has to be YAML.
    expected: bool,
}

impl<'a> Looked<'a> {
    fn at(file: &'a Arc<SourceFile>, expected: bool) -> Self {
        let name = file
            .path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let named = KINDS.iter().find(|(_, _, infix)| name.contains(infix));
        Self {
            file,
            named: named.map(|(kind, _, _)| *kind),
            expected,
        }
    }

    /// A document of that kind.
    fn document(&self, kind: Kind, trees: Trees) -> Recognised {
        let mut diagnostics = trees.problems;
        let root = trees.documents.into_iter().next();
        if let (Some(named), Some(place)) =
            (self.named, root.as_ref().and_then(|root| root.get("kind")))
            && named != kind
        {
            let message = format!(
                "the file is named like a `{}` and holds a `{}`",
                word(named),
                word(kind)
            );
            let finding = self.finding(&DISCOVERY_KIND_AND_NAME, place.span, message);
            diagnostics.push(finding.help("the `kind` decides; rename the file"));
        }
        Recognised {
            document: root.map(|root| Document {
                file: Arc::clone(self.file),
                root,
                kind,
                comments: trees.comments,
            }),
            diagnostics,
        }
    }

    /// The kind of the document, or what the file is instead.
    fn dispatch(&self, root: &Node) -> Result<Kind, Box<Diagnostic>> {
        if root.as_mapping().is_none() {
            return Err(Box::new(self.no_mapping_finding(Some(root))));
        }
        let impostor = self
            .legacy(root)
            .or_else(|| self.template(root))
            .or_else(|| self.foreign(root));
        if let Some(finding) = impostor {
            return Err(Box::new(finding));
        }
        let Some(node) = root.get("kind") else {
            return Err(Box::new(self.without_kind(root)));
        };
        let written = node.as_str().unwrap_or_default();
        let known = KINDS.iter().find(|(_, word, _)| *word == written);
        known
            .map(|(kind, _, _)| *kind)
            .ok_or_else(|| Box::new(self.unknown_kind(root, node)))
    }

    /// A contract of an older standard.
    fn legacy(&self, root: &Node) -> Option<Diagnostic> {
        if let Some(entry) = root.entry("dataContractSpecification") {
            let message = "a contract of the Data Contract Specification, which ODCS has replaced";
            let finding = self.finding(&DISCOVERY_LEGACY_CONTRACT, entry.key.span, message);
            return Some(finding.help("convert the file to ODCS v3"));
        }
        let version = text(root, "apiVersion")
            .filter(|version| version.value.starts_with("v2") || version.value.starts_with("2."))?;
        // The body counts: some only forgot to raise the number.
        let old =
            root.get("schema").is_none() && LEGACY_KEYS.iter().any(|key| root.get(key).is_some());
        old.then(|| {
            let message = format!("an ODCS contract of `{}`, before v3", version.value);
            let finding = self.finding(&DISCOVERY_LEGACY_CONTRACT, version.span, message);
            finding.help("convert the file to ODCS v3")
        })
    }

    /// A contract of another maker.
    fn foreign(&self, root: &Node) -> Option<Diagnostic> {
        let kind = root
            .get("kind")
            .filter(|kind| kind.as_str() == Some(word(Kind::Contract)))?;
        let version = text(root, "apiVersion");
        if version
            .as_ref()
            .is_some_and(|version| is_standard_version(&version.value))
        {
            return None;
        }
        let foreign = FOREIGN_KEYS.iter().find_map(|key| root.entry(key))?;
        let (said, span) = match &version {
            Some(version) => (format!("`apiVersion: {}`", version.value), version.span),
            None => ("no `apiVersion`".to_owned(), kind.span),
        };
        let message = format!(
            "a contract of another maker: it has {said} and the key `{}`, which ODCS does not know",
            foreign.name()
        );
        let finding = self.finding(&DISCOVERY_FOREIGN_CONTRACT, span, message);
        Some(finding.help("convert it to ODCS, or move it out of the listed folders"))
    }

    /// A template whose placeholders are YAML.
    fn template(&self, root: &Node) -> Option<Diagnostic> {
        if !self.is_meant(root) {
            return None;
        }
        let names = items(root, "schema")
            .iter()
            .filter_map(|object| object.get("name"));
        let open = TEMPLATE_KEYS
            .iter()
            .filter_map(|key| root.get(key))
            .chain(names)
            .find(|node| node.as_str().is_some_and(is_placeholder))?;
        Some(self.template_finding(open.span))
    }

    /// A template whose placeholders are not YAML, or YAML that nobody means.
    fn broken_by_placeholder(&self, trees: &Trees) -> Option<Diagnostic> {
        trees
            .problems
            .iter()
            .filter(|problem| trees.broken || problem.rule == &YAML_KEY)
            .filter_map(|problem| problem.place.as_ref()?.span)
            .find_map(|span| self.placeholder_near(span))
            .map(|span| self.template_finding(span))
    }

    /// The placeholder on the line of `span` or on the one before, to which the parser may have run on.
    fn placeholder_near(&self, span: Span) -> Option<Span> {
        let text = &self.file.text;
        let line_start = |at: usize| {
            let before = &text.as_bytes()[..at];
            before
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |newline| newline + 1)
        };
        let line = line_start(span.start().min(text.len()));
        let start = line_start(line.saturating_sub(1));
        let end = text[line..]
            .find('\n')
            .map_or(text.len(), |newline| line + newline);
        let found = PLACEHOLDER.find(&text[start..end])?;
        Some(Span::new(start + found.start(), start + found.end()))
    }

    fn template_finding(&self, span: Span) -> Diagnostic {
        let message = "a template: the placeholder has to be filled in first";
        let finding = self.finding(&DISCOVERY_TEMPLATE, span, message);
        finding.help("fill it in, or move templates out of the listed folders")
    }

    /// A mapping without `kind`.
    fn without_kind(&self, root: &Node) -> Diagnostic {
        let Some(kind) = self.meant(root) else {
            let found = SIGNS.iter().find_map(|key| root.entry(key));
            return match found.filter(|_| self.expected) {
                Some(sign) => self
                    .unfinished(&format!(
                        "it has the key `{}` and no `kind`",
                        sign.name()
                    ))
                    .help("add `kind: DataContract` or `kind: DataProduct`, or move the file out of the listed folders"),
                None => self.ignored("it has no `kind`"),
            };
        };
        let start = root.span.start();
        let message = "the required key `kind` is missing";
        let finding = self.finding(&SCHEMA_MISSING_KEY, Span::new(start, start), message);
        finding
            .pointer("")
            .help(format!("add `kind: {}`", word(kind)))
    }

    /// A mapping with a `kind` that is not known.
    fn unknown_kind(&self, root: &Node, node: &Node) -> Diagnostic {
        let written = spanned(node).map_or_else(|| node.kind().to_owned(), |text| text.value);
        let near = KINDS.iter().find(|(_, word, _)| is_near(&written, word));
        let Some(kind) = near.map(|(kind, _, _)| *kind).or_else(|| self.meant(root)) else {
            return self.ignored(&format!("its `kind` is `{written}`"));
        };
        let message = format!("`kind` is `{written}`, expected `{}`", word(kind));
        let finding = self
            .finding(&SCHEMA_INVALID_VALUE, node.span, message)
            .pointer("/kind");
        match near {
            Some((_, word, _)) => finding
                .fix(Fix::word(root, "/kind", word))
                .help(format!("did you mean `{word}`?")),
            None => {
                finding.help("`DataContract` is an ODCS contract, `DataProduct` an ODPS product")
            }
        }
    }

    fn no_mapping(&self, root: Option<&Node>) -> Recognised {
        Recognised::nothing(self.no_mapping_finding(root))
    }

    /// A file whose document is no mapping; `None` for an empty one.
    fn no_mapping_finding(&self, root: Option<&Node>) -> Diagnostic {
        let root = root.filter(|root| !matches!(root.data, Data::Null));
        let Some(kind) = self.named else {
            let why = match root {
                Some(root) => format!("it is {}", root.kind()),
                None => "it is empty".to_owned(),
            };
            // A list is something else; an empty file or a word may be what is left of a document.
            let is_list = root.is_some_and(|root| root.as_sequence().is_some());
            if !self.expected || is_list {
                return self.ignored(&why);
            }
            return self.unfinished(&why).help(
                "restore the file, or delete it where its contract or product is gone for good; \
                 until then no generated file is taken for an orphan",
            );
        };
        let found = root.map_or("an empty file", Node::kind);
        let message = format!("a `{}` is a mapping, found {found}", word(kind));
        let span = root.map(|root| root.span).unwrap_or_default();
        self.finding(&SCHEMA_WRONG_TYPE, span, message).pointer("")
    }

    /// The kind of document that the file is meant to be, by its name or by its keys.
    fn meant(&self, root: &Node) -> Option<Kind> {
        let has = |key: &str| root.get(key).is_some();
        let body = || {
            BODIES
                .iter()
                .find(|(_, key)| has(key))
                .map(|(kind, _)| *kind)
        };
        self.named
            .or_else(|| (has("apiVersion") && has("id")).then(body).flatten())
    }

    /// Whether the file is meant to be a document of ours.
    fn is_meant(&self, root: &Node) -> bool {
        let kind = root.get("kind").and_then(Node::as_str);
        KINDS.iter().any(|(_, word, _)| kind == Some(word)) || self.meant(root).is_some()
    }

    /// Whether text that is not YAML at least seems to be a document.
    fn speaks_of_documents(&self) -> bool {
        self.named.is_some()
            || self.file.text.contains("apiVersion") && self.file.text.contains("kind")
    }

    fn finding(&self, rule: &'static Rule, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(rule, message).at(self.file, span)
    }

    /// A file that says too little to be a document, and may be what is left of one.
    fn unfinished(&self, why: &str) -> Diagnostic {
        let message = format!("`{}` may be a contract or product: {why}", self.file.path);
        self.finding(&DISCOVERY_UNFINISHED, Span::default(), message)
    }

    fn ignored(&self, why: &str) -> Diagnostic {
        let message = format!(
            "`{}` is neither a contract nor a product: {why}",
            self.file.path
        );
        Diagnostic::new(&DISCOVERY_IGNORED, message).in_file(self.file)
    }
}

/// The word of a kind.
fn word(kind: Kind) -> &'static str {
    KINDS
        .iter()
        .find(|(known, _, _)| *known == kind)
        .map_or("", |(_, word, _)| word)
}

/// Whether `written` is a slip of the pen for `word`: another case, other separators, a letter or two.
fn is_near(written: &str, word: &str) -> bool {
    let plain: String = written.chars().filter(|c| c.is_alphanumeric()).collect();
    strsim::levenshtein(&plain.to_lowercase(), &word.to_lowercase()) <= 2
}

/// Whether an `apiVersion` is written as ODCS does: `v3.1.0`, also without the `v` or a part of it.
fn is_standard_version(version: &str) -> bool {
    let numbers = version.strip_prefix('v').unwrap_or(version);
    let parts: Vec<&str> = numbers.split('.').collect();
    let numeric = parts.iter().all(|part| part.parse::<u16>().is_ok());
    numeric && (parts.len() == 3 || matches!(parts[0], "2" | "3"))
}
