//! Goes through the tree of the configuration by the table of settings.

use std::sync::Arc;

use super::settings::{
    LEVELS, OF_DOCUMENTS, RULE_KEYS, SELECT, SETTINGS, Setting, Takes, decimal, glob_problem,
    names, template_problem,
};
use super::{Config, Loaded, NumberType, Override, RuleLevel};
use crate::dbt::adapter::Adapter;
use crate::dbt::release::Release;
use crate::diagnostics::rules::{
    self, CONFIG_INVALID_VALUE, CONFIG_UNKNOWN_KEY, YAML_AMBIGUOUS_BOOLEAN, YAML_AMBIGUOUS_NUMBER,
    YAML_SEVERAL_DOCUMENTS,
};
use crate::diagnostics::{Diagnostic, Severity, SourceFile, closest};
use crate::document::{Spanned, Text};
use crate::file;
use crate::yaml::{Data, Entry, Node};

/// Reads the settings of a file.
pub(super) fn read(file: &Arc<SourceFile>) -> Loaded {
    let trees = file::parse(file);
    let mut reader = Reader {
        file,
        config: Config {
            file: Some(Arc::clone(file)),
            ..Config::default()
        },
        of_documents: false,
        // Only we read this file, and where a setting takes `off` we take it for what it says.
        diagnostics: trees
            .problems
            .into_iter()
            .filter(|problem| {
                ![&YAML_AMBIGUOUS_BOOLEAN, &YAML_AMBIGUOUS_NUMBER].contains(&problem.rule)
            })
            .collect(),
    };
    match trees.documents.as_slice() {
        [] => {}
        [root] => reader.section("", root),
        [_, second, ..] => {
            let finding = Diagnostic::new(
                &YAML_SEVERAL_DOCUMENTS,
                "the configuration is one document, found several",
            );
            let finding = finding.at(file, second.span).help("remove the `---` line");
            reader.diagnostics.push(finding);
        }
    }
    Loaded {
        file: Some(Arc::clone(file)),
        config: reader.config,
        diagnostics: reader.diagnostics,
    }
}

/// The settings with those of one entry of `overrides`, which has been read before.
pub(super) fn override_with(config: Config, entry: &Override) -> Config {
    let Some(file) = config.file.clone() else {
        return config;
    };
    let mut reader = Reader {
        file: &file,
        config,
        of_documents: true,
        diagnostics: Vec::new(),
    };
    reader.section("", &entry.settings);
    reader.config
}

struct Reader<'a> {
    file: &'a Arc<SourceFile>,
    config: Config,
    /// Whether an entry of `overrides` is read.
    of_documents: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Reads a mapping of settings or, at the top, of sections.
    fn section(&mut self, section: &str, node: &Node) {
        let entries = match &node.data {
            Data::Mapping(entries) => entries,
            // All that stood here may be commented out.
            Data::Null => return,
            _ => return self.wrong(section, node, "a mapping of settings", None),
        };
        for entry in entries {
            let name = entry.name();
            if self.of_documents && section.is_empty() && name == SELECT {
                continue;
            }
            let setting = SETTINGS
                .iter()
                .find(|setting| setting.section == section && setting.name == name);
            match setting {
                Some(setting) if self.of_documents && !is_of_documents(setting) => {
                    let path = setting.path();
                    let message = format!("`{path}` is set for the whole project");
                    let finding = Diagnostic::new(&CONFIG_UNKNOWN_KEY, message);
                    let known = list(OF_DOCUMENTS, "and");
                    let help = format!("`overrides` can change {known}");
                    let finding = finding.at(self.file, entry.key.span).help(help);
                    self.diagnostics.push(finding);
                }
                Some(setting) => self.setting(setting, &entry.value),
                None if section.is_empty() && names("").contains(&name) => {
                    self.section(name, &entry.value);
                }
                None => self.unknown(section, entry),
            }
        }
    }

    /// A key that no setting has.
    fn unknown(&mut self, section: &str, entry: &Entry) {
        let name = entry.name();
        let known = names(section);
        let elsewhere = SETTINGS
            .iter()
            .find(|setting| setting.name == name || (section.is_empty() && setting.path() == name));
        let help = match (closest(name, known.iter().copied()), elsewhere) {
            (_, Some(setting)) if setting.section.is_empty() => {
                format!("`{name}` stands at the top, outside `{section}`")
            }
            (_, Some(setting)) => {
                format!("`{}` stands below `{}:`", setting.name, setting.section)
            }
            (Some(close), None) => format!("did you mean `{close}`?"),
            (None, None) => format!("known are {}", list(&known, "and")),
        };
        let path = match section {
            "" => name.to_owned(),
            _ => format!("{section}.{name}"),
        };
        let finding = Diagnostic::new(&CONFIG_UNKNOWN_KEY, format!("unknown setting `{path}`"));
        let finding = finding.at(self.file, entry.key.span).help(help);
        self.diagnostics.push(finding);
    }

    /// A value that the setting at `path` does not take.
    fn wrong(&mut self, path: &str, node: &Node, expected: &str, help: Option<String>) {
        let found = match &node.data {
            Data::Null | Data::Sequence(_) | Data::Mapping(_) => node.kind().to_owned(),
            _ => format!("`{}`", excerpt(&self.file.text[node.span.range()])),
        };
        let path = match path {
            "" => "the configuration".to_owned(),
            _ => format!("`{path}`"),
        };
        let message = format!("{path} takes {expected}, found {found}");
        let mut finding = Diagnostic::new(&CONFIG_INVALID_VALUE, message).at(self.file, node.span);
        finding.help = match &node.data {
            Data::Null => Some("give it a value, or remove the key".into()),
            _ => help,
        };
        self.diagnostics.push(finding);
    }

    /// Reads one setting.
    fn setting(&mut self, setting: &Setting, node: &Node) {
        let path = &setting.path();
        match &setting.takes {
            Takes::Text(set) => {
                if let Some(text) = self.text(path, node, "text") {
                    set(&mut self.config, text);
                }
            }
            Takes::Template(set) => {
                let Some(text) = self.text(path, node, "a template") else {
                    return;
                };
                match template_problem(&text.value) {
                    Some(problem) => self.wrong(path, node, "a template", Some(problem)),
                    None => set(&mut self.config, text),
                }
            }
            Takes::Places(set) => {
                let places = self.places(path, node);
                set(&mut self.config, places);
            }
            Takes::Bool(set) => match node.as_bool() {
                Some(value) => set(&mut self.config, value),
                None => self.wrong(path, node, "`true` or `false`", None),
            },
            Takes::Word(words) => {
                let word = self.word(path, node, words.iter().map(|(word, _)| *word));
                if let Some((_, set)) = words.iter().find(|(name, _)| Some(*name) == word) {
                    set(&mut self.config);
                }
            }
            Takes::Adapter(set) => {
                let words = Adapter::ALL.iter().map(|(_, word)| *word);
                if let (Some(_), Some(word)) = (self.word(path, node, words), text(node)) {
                    set(&mut self.config, word);
                }
            }
            Takes::Release(set) => {
                const EXPECTED: &str = "a version of dbt from 1.8 on";
                let Some(text) = self.text(path, node, EXPECTED) else {
                    return;
                };
                if let Some(release) = Release::parse(&text.value) {
                    set(&mut self.config, release);
                } else {
                    let help = "such as \"1.11\" or \"1.10.4\", in quotes";
                    self.wrong(path, node, EXPECTED, Some(help.to_owned()));
                }
            }
            Takes::Number(words, set) => {
                if let Some(number) = self.number(path, node, words) {
                    set(&mut self.config, number);
                }
            }
            Takes::Rules => self.entries(path, node, "a list of `{code, level}`", Self::rule),
            Takes::Overrides => {
                let expected = "a list of settings with `select`";
                self.entries(path, node, expected, Self::entry);
            }
        }
    }

    /// A text that is not empty; anything else is reported.
    fn text(&mut self, path: &str, node: &Node, expected: &str) -> Option<Text> {
        let found = text(node).filter(|text| !text.value.trim().is_empty());
        if found.is_none() {
            let help = match node.data {
                Data::Sequence(_) | Data::Mapping(_) => None,
                Data::String(_) => Some("give it a value, or remove the key".into()),
                _ => Some("put it in quotes to make it text".into()),
            };
            self.wrong(path, node, expected, help);
        }
        found
    }

    /// One place or a list of places.
    fn places(&mut self, path: &str, node: &Node) -> Vec<Text> {
        const EXPECTED: &str = "a folder or glob, or a list of them";
        let nodes = node.as_sequence().unwrap_or(std::slice::from_ref(node));
        let mut places = Vec::new();
        for node in nodes {
            let Some(place) = self.text(path, node, EXPECTED) else {
                continue;
            };
            match glob_problem(&place.value) {
                Some(problem) => self.wrong(path, node, EXPECTED, Some(problem)),
                None => places.push(place),
            }
        }
        places
    }

    /// One of the words; anything else is reported.
    fn word<'w>(
        &mut self,
        path: &str,
        node: &Node,
        words: impl Iterator<Item = &'w str>,
    ) -> Option<&'w str> {
        let words: Vec<&str> = words.collect();
        let written = match &node.data {
            Data::String(word) => &word[..],
            Data::Bool(true) => "true",
            Data::Bool(false) if words.contains(&"false") => "false",
            // YAML 1.1 reads the bare word as a boolean.
            Data::Bool(false) => "off",
            _ => "",
        };
        let word = words.iter().copied().find(|word| *word == written);
        if word.is_none() {
            let help = closest(written, words.iter().copied());
            let help = help.map(|close| format!("did you mean `{close}`?"));
            self.wrong(path, node, &list(&words, "or"), help);
        }
        word
    }

    /// One of the words, or a decimal type; anything else is reported.
    fn number(
        &mut self,
        path: &str,
        node: &Node,
        words: &[(&'static str, NumberType)],
    ) -> Option<NumberType> {
        let written = node.as_str().unwrap_or_default();
        let word = words.iter().find(|(word, _)| *word == written);
        let number = word.map(|(_, number)| *number).or_else(|| decimal(written));
        if number.is_none() {
            let known: Vec<&str> = words
                .iter()
                .map(|(word, _)| *word)
                .chain([DECIMAL])
                .collect();
            let help = closest(written, known.iter().copied()).map(|close| match close {
                DECIMAL => "a decimal has 1 to 38 digits, such as `decimal(18,4)`".to_owned(),
                word => format!("did you mean `{word}`?"),
            });
            self.wrong(path, node, &list(&known, "or"), help);
        }
        number
    }

    /// A list of entries.
    fn entries(
        &mut self,
        path: &str,
        node: &Node,
        expected: &str,
        read: fn(&mut Self, &str, &Node),
    ) {
        let Some(items) = node.as_sequence() else {
            return self.wrong(path, node, expected, None);
        };
        for item in items {
            read(self, path, item);
        }
    }

    /// One entry of `overrides`.
    fn entry(&mut self, path: &str, item: &Node) {
        if item.as_mapping().is_none() {
            return self.wrong(path, item, "entries of settings with `select`", None);
        }
        let Some(select) = item.get(SELECT) else {
            let message = format!("an entry of `{path}` needs `{SELECT}`");
            let finding = Diagnostic::new(&CONFIG_INVALID_VALUE, message);
            return self.diagnostics.push(finding.at(self.file, item.span));
        };
        let select = self.text(
            "overrides.select",
            select,
            "a selection such as `domain:sales`",
        );
        // What is wrong in it is told now; it is read again where it applies.
        let mut reader = Reader {
            file: self.file,
            config: self.config.clone(),
            of_documents: true,
            diagnostics: Vec::new(),
        };
        reader.section("", item);
        self.diagnostics.extend(reader.diagnostics);
        self.config.overrides.extend(select.map(|select| Override {
            select,
            settings: item.clone(),
        }));
    }

    /// One entry of `rules`.
    fn rule(&mut self, path: &str, item: &Node) {
        let Some(entries) = item.as_mapping() else {
            return self.wrong(path, item, "entries like `{code, level}`", None);
        };
        let known: Vec<&str> = RULE_KEYS.iter().map(|(key, _)| *key).collect();
        for entry in entries {
            if !known.contains(&entry.name()) {
                let help = match closest(entry.name(), known.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("known are {}", list(&known, "and")),
                };
                let message = format!("unknown key `{}` in an entry of `{path}`", entry.name());
                let finding = Diagnostic::new(&CONFIG_UNKNOWN_KEY, message);
                let finding = finding.at(self.file, entry.key.span).help(help);
                self.diagnostics.push(finding);
            }
        }
        for (key, required) in RULE_KEYS {
            if *required && entries.get(key).is_none() {
                let message = format!("an entry of `{path}` needs `{key}`");
                let finding = Diagnostic::new(&CONFIG_INVALID_VALUE, message);
                self.diagnostics.push(finding.at(self.file, item.span));
            }
        }
        let code = entries.get("code").and_then(|node| self.code(node));
        let level = entries.get("level").and_then(|node| self.level(node));
        let select = entries.get(SELECT).map(|node| {
            let expected = "a selection such as `domain:sales`";
            self.text("rules.select", node, expected)
        });
        if matches!(select, Some(None)) {
            return;
        }
        if let (Some(code), Some((_, level))) = (code, level) {
            self.config.rules.push(RuleLevel {
                code,
                level: *level,
                select: select.flatten(),
            });
        }
    }

    /// The code of a rule that exists.
    fn code(&mut self, node: &Node) -> Option<&'static str> {
        let written = node.as_str().unwrap_or_default();
        let rule = rules::by_code(written);
        if rule.is_none() {
            let help = match closest(written, rules::ALL.iter().map(|rule| rule.code)) {
                Some(close) => format!("did you mean `{close}`?"),
                None => "`dbt-contracts explain` lists all codes".into(),
            };
            self.wrong("rules.code", node, "the code of a rule", Some(help));
        }
        rule.map(|rule| rule.code)
    }

    /// The row of a rule's level.
    fn level(&mut self, node: &Node) -> Option<&'static (&'static str, Option<Severity>)> {
        let words = LEVELS.iter().map(|(word, _)| *word);
        let word = self.word("rules.level", node, words)?;
        LEVELS.iter().find(|(name, _)| *name == word)
    }
}

/// Whether `overrides` may change the setting.
fn is_of_documents(setting: &Setting) -> bool {
    OF_DOCUMENTS.contains(&setting.path().as_str())
}

/// How messages write a decimal type.
const DECIMAL: &str = "decimal(p,s)";

/// The text of a string node.
fn text(node: &Node) -> Option<Text> {
    Some(Spanned {
        value: node.as_str()?.to_owned(),
        span: node.span,
    })
}

/// The beginning of a value's first line.
fn excerpt(written: &str) -> String {
    const LONGEST: usize = 60;
    let line = written.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(LONGEST).collect();
    if cut.len() == written.len() {
        cut
    } else {
        cut + "…"
    }
}

/// `` `a`, `b` and `c` ``.
fn list(words: &[&str], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
