//! What `generate` writes for the gate inside dbt, as the configuration asks for it and no contract does:
//! it is told from what people wrote, and comes back from the configuration.

use crate::config::{Config, Gate};
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::yaml::Node;

/// The test of a source.
const TEST: &str = "contract_drift";

/// The mark of a test that looks at columns which may be absent.
const MARK: &str = "contract_shape";

/// The keys of hooks; a manifest has dbt's own spelling.
const HOOKS: &[&str] = &["post-hook", "post_hook", "pre-hook", "pre_hook"];

/// How the calls in our hooks begin.
const CALLS: &[&str] = &["{{ contract_gate(", "{{ contract_record("];

/// Whether the configuration gives a test back.
pub(super) fn is_test(config: &Config, test: &GenericTest) -> bool {
    test.test == TEST && matches!(config.drift.gate, Gate::SourceTest | Gate::Both)
}

/// Takes the mark out of a test.
pub(super) fn unmark(test: &mut GenericTest) {
    let Some(Value::Map(mut meta)) = test.config.remove("meta") else {
        return;
    };
    meta.remove(MARK);
    test.config.set_map("meta", meta);
}

/// Whether a test has the mark.
pub(super) fn is_marked(config: &Entries) -> bool {
    matches!(config.get("meta"), Some(Value::Map(meta)) if meta.get(MARK).is_some())
}

/// Whether a setting is nothing but our own hooks.
pub(super) fn is_hook(key: &str, value: &Node) -> bool {
    let hooks = value.as_sequence().unwrap_or(std::slice::from_ref(value));
    let is_ours = |hook: &Node| {
        let text = hook.as_str().or_else(|| hook.get("sql")?.as_str());
        text.is_some_and(|text| CALLS.iter().any(|call| text.starts_with(call)))
    };
    HOOKS.contains(&key) && hooks.iter().all(is_ours)
}
