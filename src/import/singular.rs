//! Singular tests that `generate` wrote, as the rules in SQL that they were: files below the folders
//! of tests come in, and the rules go to the objects whose tests they are. Tests that people wrote are
//! SQL of the project, and stay what they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use walkdir::{DirEntry, WalkDir};

use super::Input;
use super::draft::ContractDraft;
use super::loss::Losses;
use super::references::{Calls, Place};
use super::thresholds::number;
use super::words;
use crate::dbt::data_tests::{joined_name, numbered};
use crate::dbt::jinja;
use crate::dbt::literals;
use crate::dbt::properties::{Entries, Value};
use crate::diagnostics::SourceFile;
use crate::file;
use crate::plan::is_generated;
use crate::yaml::{self, Limits, Span};

/// What stands around the query of a test that measures a value.
const AFTER: &str = "\n\n)\n\nselect measured_value\nfrom measured\nwhere\n    measured_value is null\n    or not (";

/// What stands around a query that returns the bad rows.
const ROWS_BEFORE: &str = "with failing_rows as (\n\n";
const ROWS_AFTER: &str = "\n\n)\n\nselect * from failing_rows";

/// A relation of dbt in a query.
static CALL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{ ((?:ref|source)\([^{}]*\)) \}\}"));

/// The settings of a test.
static CONFIG: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\{\{ config\((.*)\) \}\}$"));

/// One setting and its value, an expression of Jinja that is YAML too.
static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(severity|group|tags|meta)=("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|\{[^}]*\})(?:, |$)"#,
    )
});

/// What a test asks of the measured value.
static CONDITION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^measured_value (=|<>|>=|<=|>|<|between|not between) (.+)$"));

/// The operators of the standard by those of SQL.
const OPERATORS: &[(&str, &str)] = &[
    ("=", "mustBe"),
    ("<>", "mustNotBe"),
    (">", "mustBeGreaterThan"),
    (">=", "mustBeGreaterOrEqualTo"),
    ("<", "mustBeLessThan"),
    ("<=", "mustBeLessOrEqualTo"),
    ("between", "mustBeBetween"),
    ("not between", "mustNotBeBetween"),
];

fn pattern(text: &str) -> Regex {
    #[expect(
        clippy::unwrap_used,
        reason = "constant patterns, compiled by the tests"
    )]
    Regex::new(text).unwrap()
}

/// Brings the rules of the generated tests of a project back to their objects.
pub(super) fn gather(
    input: &Input<'_>,
    contracts: &mut [ContractDraft],
    calls: &Calls,
    losses: &mut Losses,
) {
    let names = Names::new(contracts);
    for folder in &input.project.test_paths {
        let entries = WalkDir::new(input.project_dir.join(folder)).into_iter();
        let mut paths: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .map(DirEntry::into_path)
            .filter(|path| path.extension().is_some_and(|ending| ending == "sql"))
            .collect();
        // Rules without a name are numbered in their order.
        paths.sort_by_cached_key(|path| {
            let stem = stem(path);
            let (name, number) = numbered(&stem);
            (
                path.parent().map(Path::to_path_buf),
                name.to_owned(),
                number,
            )
        });
        for path in paths {
            if let Some(file) = generated(input.project_dir, &path) {
                take(
                    input,
                    contracts,
                    (&names, calls),
                    &file,
                    &stem(&path),
                    losses,
                );
            }
        }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A file, where `generate` wrote it.
fn generated(project_dir: &Path, path: &Path) -> Option<Arc<SourceFile>> {
    let file = file::read(path, &file::shown(project_dir, path)).ok()?;
    is_generated(&file.text).then_some(file)
}

/// Brings one test back. One of an object that is not imported is no part of this run.
fn take(
    input: &Input<'_>,
    contracts: &mut [ContractDraft],
    (owners, calls): (&Names, &Calls),
    file: &Arc<SourceFile>,
    stem: &str,
    losses: &mut Losses,
) {
    let Some((place, whose)) = owners.owner(stem) else {
        return;
    };
    let (contract, object) = place;
    let label = contracts[contract].objects[object].label.clone();
    let Some(mut rule) = read(input, &file.text, contracts, calls, place) else {
        let what = format!("the test `{stem}`");
        return losses.add(
            file,
            Span::default(),
            what,
            "its query cannot be told from what stands around it, or names a relation that is not imported",
        );
    };
    let object = &mut contracts[contract].objects[object];
    match whose {
        Whose::Object => object.quality.push(Value::Map(rule)),
        Whose::Property(property) => object.properties[property].quality.push(Value::Map(rule)),
        Whose::Named => {
            let mut named = Entries::default().with("name", words::rule_name(stem, &label));
            named.extend(&rule);
            rule = named;
            object.quality.push(Value::Map(rule));
        }
    }
}

/// What a test is on, by its name.
#[derive(Clone, Copy)]
enum Whose {
    /// The object; the rule has no name.
    Object,
    /// A property; the rule has no name.
    Property(usize),
    /// The object, and the name is that of the rule.
    Named,
}

/// The names that tests of objects may have: of thousands of tests none looks at every object.
struct Names {
    /// Those of rules without a name.
    unnamed: BTreeMap<String, Vec<(Place, Whose)>>,
    /// What those of rules with one begin with.
    named: BTreeMap<String, Vec<Place>>,
    /// How long the label of each object is.
    lengths: BTreeMap<Place, usize>,
}

impl Names {
    fn new(contracts: &[ContractDraft]) -> Self {
        let mut names = Self {
            unnamed: BTreeMap::new(),
            named: BTreeMap::new(),
            lengths: BTreeMap::new(),
        };
        for (contract, draft) in contracts.iter().enumerate() {
            for (index, object) in draft.objects.iter().enumerate() {
                let (place, label) = ((contract, index), object.label.as_str());
                names.lengths.insert(place, label.len());
                let begins = names.named.entry(joined_name(&[label])).or_default();
                begins.push(place);
                let mut add = |name: String, whose| {
                    let known = names.unnamed.entry(name).or_default();
                    known.push((place, whose));
                };
                add(joined_name(&["sql", label]), Whose::Object);
                for (at, property) in object.properties.iter().enumerate() {
                    let name = joined_name(&["sql", label, &property.name]);
                    add(name, Whose::Property(at));
                }
            }
        }
        names
    }

    /// The object of a test's name, the one with the longest name first.
    fn owner(&self, stem: &str) -> Option<(Place, Whose)> {
        // A rule without a name is called by a hash of its query, and numbered where it is not alone.
        let without_hash = |stem: &str| {
            let (name, hash) = stem.rsplit_once('_')?;
            let is_hash = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hash.then(|| name.to_owned())
        };
        let alone = numbered(stem).0;
        let forms = [
            Some(stem.to_owned()),
            Some(alone.to_owned()),
            without_hash(stem),
            without_hash(alone),
        ];
        let forms = forms.iter().flatten();
        let unnamed = forms.filter_map(|name| self.unnamed.get(name)).flatten();
        let prefixes = stem.match_indices('_').map(|(end, _)| &stem[..end]);
        let begun = prefixes
            .filter_map(|prefix| self.named.get(prefix))
            .flatten();
        let begun = begun.map(|place| (*place, Whose::Named));
        let mut best: Option<(Place, Whose)> = None;
        for (place, whose) in unnamed.copied().chain(begun) {
            let rank = |place: &Place| (self.lengths.get(place).copied(), Reverse(*place));
            if best
                .as_ref()
                .is_none_or(|(known, _)| rank(&place) > rank(known))
            {
                best = Some((place, whose));
            }
        }
        best
    }
}

/// The rule of a test's text, without a name.
fn read(
    input: &Input<'_>,
    text: &str,
    contracts: &[ContractDraft],
    calls: &Calls,
    own: Place,
) -> Option<Entries> {
    let text = text.replace("\r\n", "\n");
    let mut rest = text.split_once('\n')?.1;
    let mut description = Vec::new();
    while let Some(line) = rest.strip_prefix("--") {
        let (line, after) = line.split_once('\n')?;
        description.push(line.strip_prefix(' ').unwrap_or(line).to_owned());
        rest = after;
    }
    let mut rule = Entries::default();
    if !description.is_empty() {
        let text = description.join("\n");
        rule.set("description", jinja::unescape(&text).unwrap_or(text));
    }
    rule.set("type", "sql");
    let mut settings = Entries::default();
    if rest.starts_with("{{ config(") {
        let (line, after) = rest.split_once('\n')?;
        settings = config(line)?;
        rest = after;
    }
    let rest = rest.trim_start_matches('\n').trim_end();
    let (query, condition) = if let Some(query) = rest.strip_prefix(ROWS_BEFORE) {
        (query.strip_suffix(ROWS_AFTER)?, None)
    } else {
        let start = rest.strip_prefix("with measured ")?;
        let (_, inside) = start
            .split_once("as (\n\n")
            .filter(|(head, _)| head.is_empty() || head.starts_with('('))?;
        let (query, condition) = inside.rsplit_once(AFTER)?;
        let query = query
            .strip_prefix("    select null as measured_value")
            .map_or(Some(query), |wrapped| {
                // Where a common table expression cannot name its columns.
                wrapped
                    .split_once("union all (\n")?
                    .1
                    .strip_suffix("\n    )")
            })?;
        (query, Some(condition.strip_suffix(')')?))
    };
    rule.set("query", self::query(query, contracts, calls, own)?);
    if let Some(condition) = condition {
        let (operator, threshold) = operator(input, condition)?;
        rule.set(operator, threshold);
    } else if let Some(Value::Text(rows)) = rule.get("query").cloned() {
        // The standard asks for an operator now: none of the bad rows is there.
        rule.set(
            "query",
            format!("select count(*)\nfrom (\n{rows}\n) as failing_rows"),
        );
        rule.set("mustBe", Value::Int(0));
    }
    let mut further = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            rule.set(key.to_owned(), value);
        }
    };
    if let Some(Value::Map(meta)) = settings.get("meta") {
        further("dimension", meta.get("dimension").cloned());
    }
    if let Some(Value::Text(severity)) = settings.get("severity") {
        let word = if severity == "warn" {
            "warning"
        } else {
            severity
        };
        further("severity", Some(Value::from(word)));
    }
    further("tags", settings.get("tags").cloned());
    Some(rule)
}

/// The settings of a call of `config`.
fn config(line: &str) -> Option<Entries> {
    let arguments = CONFIG.captures(line.trim_end())?.get(1)?.as_str();
    let mut settings = Entries::default();
    let mut end = 0;
    for setting in SETTING.captures_iter(arguments) {
        let whole = setting.get(0)?;
        if whole.start() != end {
            return None;
        }
        end = whole.end();
        let parsed = yaml::parse(&setting[2], &Limits::default());
        settings.set(setting[1].to_owned(), Value::of(parsed.documents.first()?));
    }
    (end == arguments.len()).then_some(settings)
}

/// The query as a contract writes it: the object of its own, others by their names.
fn query(text: &str, contracts: &[ContractDraft], calls: &Calls, own: Place) -> Option<String> {
    let lines = text
        .split('\n')
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut query = String::with_capacity(text.len());
    let mut end = 0;
    for call in CALL.captures_iter(&text) {
        let (whole, called) = (call.get(0)?, call.get(1)?.as_str());
        query.push_str(&jinja::unescape(&text[end..whole.start()])?);
        end = whole.end();
        match calls.find(called) {
            Some(place) if place == own => query.push_str("{object}"),
            Some((contract, object)) => {
                let name = &contracts[contract].objects[object].name;
                let is_word = name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                query.push_str(Some(name).filter(|_| is_word)?);
            }
            None => return None,
        }
    }
    query.push_str(&jinja::unescape(&text[end..])?);
    Some(query.trim_matches('\n').to_owned())
}

/// The operator of a condition, with its threshold.
fn operator(input: &Input<'_>, condition: &str) -> Option<(&'static str, Value)> {
    let condition = jinja::unescape(condition)?;
    let parts = CONDITION.captures(&condition)?;
    let (_, operator) = OPERATORS.iter().find(|(sign, _)| *sign == &parts[1])?;
    let threshold = &parts[2];
    if operator.ends_with("Between") {
        let (low, high) = threshold.split_once(" and ")?;
        return Some((operator, Value::List(vec![number(low)?, number(high)?])));
    }
    let text = || {
        let inside = threshold.strip_prefix('\'')?.strip_suffix('\'')?;
        literals::outside_quotes(input.adapter?, inside).map(Value::Text)
    };
    let boolean = || threshold.parse().ok().map(Value::Bool);
    Some((operator, number(threshold).or_else(boolean).or_else(text)?))
}
