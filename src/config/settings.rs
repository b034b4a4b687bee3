//! Every setting in one table: its name, the kind of its value, and where in [`Config`] it goes.

use globset::Glob;
use minijinja::Environment;

use super::{Access, Config, Gate, NumberType, Policy, TestMode, TestSeverity, TimestampType};
use crate::dbt::release::Release;
use crate::diagnostics::Severity;
use crate::document::Text;
use crate::status::Status;

/// One setting.
pub(super) struct Setting {
    /// The mapping that it stands in; empty at the top.
    pub(super) section: &'static str,
    /// Its key.
    pub(super) name: &'static str,
    /// The kind of its value.
    pub(super) takes: Takes,
}

impl Setting {
    /// `section.name`, as messages name it.
    pub(super) fn path(&self) -> String {
        if self.section.is_empty() {
            self.name.to_owned()
        } else {
            format!("{}.{}", self.section, self.name)
        }
    }
}

/// A word, with what it does.
pub(super) type Word = (&'static str, fn(&mut Config));

/// What a setting takes, with what is done with it.
pub(super) enum Takes {
    /// Any text that is not empty.
    Text(fn(&mut Config, Text)),
    /// A minijinja template.
    Template(fn(&mut Config, Text)),
    /// One folder, file or glob, or a list of them.
    Places(fn(&mut Config, Vec<Text>)),
    /// True or false.
    Bool(fn(&mut Config, bool)),
    /// One of a few words; each says what it does. `true`, `false` and `off` may stand without quotes.
    Word(&'static [Word]),
    /// The word of a dbt adapter.
    Adapter(fn(&mut Config, Text)),
    /// A version of dbt.
    Release(fn(&mut Config, Release)),
    /// One of a few words, or a decimal type.
    Number(
        &'static [(&'static str, NumberType)],
        fn(&mut Config, NumberType),
    ),
    /// The list of rules with their levels.
    Rules,
    /// A list of settings for some documents.
    Overrides,
}

/// The settings that `overrides` can give another value, because they are read for one document at
/// a time; all others are the project's.
pub(super) const OF_DOCUMENTS: &[&str] = &[
    "tests.default_severity",
    "types.number",
    "types.timestamp",
    "validation.min_status",
    "model_contracts.enforced",
    "drift.policy",
    "drift.gate",
    "drift.record",
];

/// The levels that a rule can be given; `None` is silence.
pub(super) const LEVELS: &[(&str, Option<Severity>)] = &[
    ("error", Some(Severity::Error)),
    ("warn", Some(Severity::Warning)),
    ("note", Some(Severity::Note)),
    ("off", None),
];

/// The key that says which documents an entry of `rules` or `overrides` is for.
pub(super) const SELECT: &str = "select";

/// The keys of an entry of `rules`, with whether each is required.
pub(super) const RULE_KEYS: &[(&str, bool)] = &[("code", true), ("level", true), (SELECT, false)];

/// All settings, those of one section together.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        section: "paths",
        name: "contracts",
        takes: Takes::Places(|config, places| config.paths.contracts = places),
    },
    Setting {
        section: "paths",
        name: "products",
        takes: Takes::Places(|config, places| config.paths.products = places),
    },
    Setting {
        section: "dbt",
        name: "adapter",
        takes: Takes::Adapter(|config, word| config.dbt.adapter = Some(word)),
    },
    Setting {
        section: "dbt",
        name: "server",
        takes: Takes::Text(|config, text| config.dbt.server = Some(text)),
    },
    Setting {
        section: "dbt",
        name: "version",
        takes: Takes::Release(|config, release| config.dbt.version = Some(release)),
    },
    Setting {
        section: "tests",
        name: "mode",
        takes: Takes::Word(&[
            ("auto", |config| config.tests.mode = TestMode::Auto),
            ("builtin", |config| config.tests.mode = TestMode::Builtin),
            ("packages", |config| config.tests.mode = TestMode::Packages),
        ]),
    },
    Setting {
        section: "tests",
        name: "default_severity",
        takes: Takes::Word(&[
            ("error", |config| {
                config.tests.default_severity = TestSeverity::Error;
            }),
            ("warn", |config| {
                config.tests.default_severity = TestSeverity::Warn;
            }),
        ]),
    },
    Setting {
        section: "naming",
        name: "model",
        takes: Takes::Template(|config, text| config.naming.model = text),
    },
    Setting {
        section: "naming",
        name: "source",
        takes: Takes::Template(|config, text| config.naming.source = text),
    },
    Setting {
        section: "naming",
        name: "table",
        takes: Takes::Template(|config, text| config.naming.table = text),
    },
    Setting {
        section: "layout",
        name: "sources",
        takes: Takes::Template(|config, text| config.layout.sources = Some(text)),
    },
    Setting {
        section: "layout",
        name: "schema",
        takes: Takes::Template(|config, text| config.layout.schema = Some(text)),
    },
    Setting {
        section: "layout",
        name: "staging",
        takes: Takes::Template(|config, text| config.layout.staging = Some(text)),
    },
    Setting {
        section: "layout",
        name: "groups",
        takes: Takes::Template(|config, text| config.layout.groups = Some(text)),
    },
    Setting {
        section: "layout",
        name: "tests",
        takes: Takes::Template(|config, text| config.layout.tests = Some(text)),
    },
    Setting {
        section: "layout",
        name: "macros",
        takes: Takes::Template(|config, text| config.layout.macros = Some(text)),
    },
    Setting {
        section: "types",
        name: "number",
        takes: Takes::Number(
            &[
                ("error_if_enforced", NumberType::ErrorIfEnforced),
                ("double", NumberType::Double),
            ],
            |config, number| config.types.number = number,
        ),
    },
    Setting {
        section: "types",
        name: "timestamp",
        takes: Takes::Word(&[
            ("naive", |config| {
                config.types.timestamp = TimestampType::Naive;
            }),
            ("aware", |config| {
                config.types.timestamp = TimestampType::Aware;
            }),
        ]),
    },
    Setting {
        section: "validation",
        name: "cross_reference",
        takes: Takes::Word(&[
            ("error", |config| {
                config.validation.cross_reference = Some(Severity::Error);
            }),
            ("warn", |config| {
                config.validation.cross_reference = Some(Severity::Warning);
            }),
            ("off", |config| config.validation.cross_reference = None),
            ("true", |config| {
                config.validation.cross_reference = Some(Severity::Error);
            }),
            ("false", |config| config.validation.cross_reference = None),
        ]),
    },
    Setting {
        section: "validation",
        name: "min_status",
        takes: Takes::Word(&[
            ("proposed", |config| {
                config.validation.min_status = Status::Proposed;
            }),
            ("draft", |config| {
                config.validation.min_status = Status::Draft;
            }),
            ("active", |config| {
                config.validation.min_status = Status::Active;
            }),
        ]),
    },
    Setting {
        section: "",
        name: "rules",
        takes: Takes::Rules,
    },
    Setting {
        section: "",
        name: "access",
        takes: Takes::Word(&[
            ("off", |config| config.access = Access::Off),
            ("product", |config| config.access = Access::Product),
        ]),
    },
    Setting {
        section: "model_contracts",
        name: "enforced",
        takes: Takes::Bool(|config, enforced| config.model_contracts.enforced = enforced),
    },
    Setting {
        section: "drift",
        name: "policy",
        takes: Takes::Word(&[
            ("frozen", |config| config.drift.policy = Policy::Frozen),
            ("approved", |config| config.drift.policy = Policy::Approved),
            ("additive", |config| config.drift.policy = Policy::Additive),
            ("widening", |config| config.drift.policy = Policy::Widening),
            ("evolve", |config| config.drift.policy = Policy::Evolve),
        ]),
    },
    Setting {
        section: "drift",
        name: "gate",
        takes: Takes::Word(&[
            ("none", |config| config.drift.gate = Gate::None),
            ("source_test", |config| config.drift.gate = Gate::SourceTest),
            ("pre_hook", |config| config.drift.gate = Gate::PreHook),
            ("both", |config| config.drift.gate = Gate::Both),
        ]),
    },
    Setting {
        section: "drift",
        name: "record",
        takes: Takes::Bool(|config, record| config.drift.record = record),
    },
    Setting {
        section: "",
        name: "overrides",
        takes: Takes::Overrides,
    },
];

/// The names that may stand in a section, in the order of the table; at the top also the sections.
pub(super) fn names(section: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for setting in SETTINGS {
        let name = match (setting.section == section, section.is_empty()) {
            (true, _) => setting.name,
            (false, true) => setting.section,
            (false, false) => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// `decimal(p,s)` with 1 to 38 digits, which every warehouse can hold.
pub(super) fn decimal(text: &str) -> Option<NumberType> {
    let inner = text.trim().strip_prefix("decimal(")?.strip_suffix(')')?;
    let (precision, scale) = inner.split_once(',')?;
    let digits = |part: &str| part.trim().parse::<u32>().ok();
    let (precision, scale) = (digits(precision)?, digits(scale)?);
    let possible = (1..=38).contains(&precision) && scale <= precision;
    possible.then_some(NumberType::Decimal(precision, scale))
}

/// What is wrong with a glob, if anything.
pub(super) fn glob_problem(text: &str) -> Option<String> {
    Glob::new(text).err().map(|error| error.kind().to_string())
}

/// What is wrong with a template, if anything.
pub(super) fn template_problem(text: &str) -> Option<String> {
    let environment = Environment::new();
    let error = environment.template_from_str(text).err()?;
    Some(
        error
            .detail()
            .map_or_else(|| error.kind().to_string(), str::to_owned),
    )
}
