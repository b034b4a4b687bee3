//! Quality rules of a contract (section "Data quality") in the shape of v3.1.0 and later; the
//! `rule` names of v3.0 are read as the metrics that replaced them.

use crate::document::{Scalar, Spanned, Text, items, spanned, text, texts};
use crate::yaml::{Node, Span};

/// One quality rule.
#[derive(Clone, Debug)]
pub struct Quality {
    /// What it checks.
    pub check: Check,
    /// How the measured value is judged.
    pub operator: Option<Operator>,
    /// The measured value is a share of all rows, in percent.
    pub percent: bool,
    /// What it is known by: its `name`, else its `id`.
    pub name: Option<Text>,
    /// Description.
    pub description: Option<Text>,
    /// How bad a failure is; free text.
    pub severity: Option<Text>,
    /// completeness, uniqueness …
    pub dimension: Option<Text>,
    /// Tags.
    pub tags: Vec<Text>,
    /// The whole entry.
    pub span: Span,
}

/// What a quality rule checks.
#[derive(Clone, Debug)]
pub enum Check {
    /// A metric of the standard's library.
    Library(Metric),
    /// A query whose single value is judged.
    Sql(Text),
    /// Words for people.
    Text,
    /// A rule of another engine.
    Custom {
        /// Which engine.
        engine: Option<Text>,
        /// The rule, text or YAML.
        implementation: Option<Node>,
    },
    /// A `rule` of v3.0 that the library does not have, or an entry that says nothing.
    Unknown(Option<Text>),
}

/// A library metric with its arguments.
#[derive(Clone, Debug)]
pub enum Metric {
    /// Rows that are null.
    NullValues,
    /// Rows that are null or one of the values.
    MissingValues(Vec<Scalar>),
    /// Rows that are neither null nor valid.
    InvalidValues {
        /// The only values allowed.
        valid: Vec<Scalar>,
        /// The pattern that values match.
        pattern: Option<Text>,
    },
    /// Values that stand more than once, of the property or of these properties together.
    DuplicateValues(Vec<Text>),
    /// Rows of the object.
    RowCount,
}

/// An operator with its threshold.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the standard's words")]
pub enum Operator {
    MustBe(Scalar),
    MustNotBe(Scalar),
    MustBeGreaterThan(Scalar),
    MustBeGreaterOrEqualTo(Scalar),
    MustBeLessThan(Scalar),
    MustBeLessOrEqualTo(Scalar),
    MustBeBetween(Scalar, Scalar),
    MustNotBeBetween(Scalar, Scalar),
}

impl Operator {
    /// Whether it asks for exactly zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::MustBe(value) if value.as_number() == Some(0.0))
    }
}

/// The operators that take one number, by key.
type One = (&'static str, fn(Scalar) -> Operator);
const ONE: &[One] = &[
    ("mustBe", Operator::MustBe),
    ("mustNotBe", Operator::MustNotBe),
    ("mustBeGreaterThan", Operator::MustBeGreaterThan),
    ("mustBeGreaterOrEqualTo", Operator::MustBeGreaterOrEqualTo),
    ("mustBeLessThan", Operator::MustBeLessThan),
    ("mustBeLessOrEqualTo", Operator::MustBeLessOrEqualTo),
];

/// The operators that take two numbers, by key.
type Two = (&'static str, fn(Scalar, Scalar) -> Operator);
const TWO: &[Two] = &[
    ("mustBeBetween", Operator::MustBeBetween),
    ("mustNotBeBetween", Operator::MustNotBeBetween),
];

/// How a value that the data may have is read.
pub(super) type Read<'a> = &'a dyn Fn(&Node) -> Option<Scalar>;

/// Reads the entries of `quality` under a node. An entry of v3.0 with several operators gives one
/// rule for each of them.
pub(super) fn load(node: &Node, read: Read<'_>) -> Vec<Quality> {
    let entries = items(node, "quality");
    let mut rules = Vec::with_capacity(entries.len());
    for node in entries {
        entry(node, read, &mut rules);
    }
    rules
}

/// Adds the rules of one entry.
fn entry(node: &Node, read: Read<'_>, rules: &mut Vec<Quality>) {
    let rule = Quality {
        check: check(node, read),
        operator: None,
        percent: text(node, "unit").is_some_and(|unit| {
            ["percent", "percentage", "%"].contains(&unit.value.to_lowercase().as_str())
        }),
        name: text(node, "name").or_else(|| text(node, "id")),
        description: text(node, "description"),
        severity: text(node, "severity"),
        dimension: text(node, "dimension"),
        tags: texts(node, "tags"),
        span: node.span,
    };
    let mut operators = operators(node);
    let last = operators.pop();
    let others = operators.into_iter().map(|operator| Quality {
        operator: Some(operator),
        ..rule.clone()
    });
    rules.extend(others);
    rules.push(Quality {
        operator: last,
        ..rule
    });
}

/// What an entry checks. Without `type` it is a library rule where there is a metric, as v3.1.0
/// has it, or a rule, as v3.0 had it.
fn check(node: &Node, read: Read<'_>) -> Check {
    let kind = text(node, "type");
    match kind.as_ref().map(Text::as_str) {
        Some("sql") => match text(node, "query") {
            Some(query) => Check::Sql(query),
            None => Check::Unknown(None),
        },
        Some("text") => Check::Text,
        Some("custom") => Check::Custom {
            engine: text(node, "engine"),
            implementation: node.get("implementation").cloned(),
        },
        Some("library") | None => metric(node, read),
        Some(_) => Check::Unknown(kind),
    }
}

/// The library metric of an entry, by its name or by the name that v3.0 had for it.
fn metric(node: &Node, read: Read<'_>) -> Check {
    let Some(name) = text(node, "metric").or_else(|| text(node, "rule")) else {
        return Check::Unknown(None);
    };
    // v3.0 put the arguments beside the rule.
    let arguments = node.get("arguments").unwrap_or(node);
    let scalars = |key| {
        items(arguments, key)
            .iter()
            .filter_map(read)
            .collect::<Vec<_>>()
    };
    Check::Library(match name.as_str() {
        "nullValues" | "nullCheck" => Metric::NullValues,
        "missingValues" => Metric::MissingValues(scalars("missingValues")),
        "invalidValues" | "validValues" => Metric::InvalidValues {
            valid: scalars("validValues"),
            pattern: text(arguments, "pattern"),
        },
        "duplicateValues" | "duplicateCount" => {
            Metric::DuplicateValues(texts(arguments, "properties"))
        }
        "rowCount" => Metric::RowCount,
        _ => return Check::Unknown(Some(name)),
    })
}

/// All operators of an entry.
fn operators(node: &Node) -> Vec<Operator> {
    let one = ONE.iter().filter_map(|(key, make)| {
        let threshold = Scalar::of(node.get(key)?)?;
        Some(make(threshold))
    });
    let two = TWO.iter().filter_map(|(key, make)| match items(node, key) {
        [low, high] => Some(make(Scalar::of(low)?, Scalar::of(high)?)),
        _ => None,
    });
    one.chain(two).collect()
}

/// The scalar under a key, with its place.
pub(super) fn scalar(node: &Node, key: &str) -> Option<Spanned<Scalar>> {
    let node = node.get(key)?;
    spanned(node)?;
    Some(Spanned {
        value: Scalar::of(node)?,
        span: node.span,
    })
}
