//! The arguments of one test, read as what they stand for: text that was escaped for dbt comes back as
//! it was, and what dbt evaluates is told from it.

use super::promise::Promise;
use crate::dbt::adapter::Adapter;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, Value};
use crate::document::Scalar;

/// The text that an argument stands for; `None` where dbt evaluates it.
pub(super) fn plain(text: &str) -> Option<String> {
    if jinja::is_call(text) {
        return None;
    }
    jinja::unescape(text)
}

/// A value whose text is plain.
pub(super) fn unescaped(value: &Value) -> Option<Value> {
    match value {
        Value::Text(text) => plain(text).map(Value::Text),
        Value::List(_) | Value::Map(_) => None,
        single => Some(single.clone()),
    }
}

/// The arguments of one test.
pub(super) struct Arguments<'a> {
    pub(super) adapter: Option<Adapter>,
    pub(super) entries: &'a Entries,
}

impl Arguments<'_> {
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.entries.get(name)? {
            Value::Text(text) => plain(text),
            _ => None,
        }
    }

    /// A text that dbt evaluates.
    pub(super) fn code(&self, name: &str) -> Option<String> {
        match self.entries.get(name)? {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let Value::List(items) = self.entries.get(name)? else {
            return None;
        };
        let texts = items.iter().map(|item| match item {
            Value::Text(text) => plain(text),
            _ => None,
        });
        texts.collect()
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.entries.get(name) {
            Some(Value::Bool(flag)) => Some(*flag),
            _ => None,
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<Value> {
        match self.entries.get(name)? {
            number @ (Value::Int(_) | Value::Float(_)) => Some(number.clone()),
            _ => None,
        }
    }

    /// Options of the logical type, all of them numbers.
    pub(super) fn options(
        &self,
        types: &'static [&'static str],
        names: &[(&str, &'static str)],
    ) -> Option<Promise> {
        let mut options = Entries::default();
        for (name, option) in names {
            if self.entries.get(name).is_some() {
                options.set(*option, self.number(name)?);
            }
        }
        (!options.is_empty()).then_some(Promise::Options(types, options))
    }

    /// Bounds. In the tests of packages a text is SQL, of which a day in a cast is known.
    pub(super) fn bounds(&self, names: &[(&str, &'static str)], is_sql: bool) -> Option<Promise> {
        let mut bounds = Vec::new();
        let mut is_day = false;
        for (name, option) in names {
            let bound = match self.entries.get(name) {
                None => continue,
                Some(Value::Int(number)) => Scalar::Int(*number),
                Some(Value::Float(number)) => Scalar::Float(*number),
                Some(Value::Text(text)) if is_sql => {
                    is_day = true;
                    let day = text.strip_prefix("cast('")?.strip_suffix("' as date)")?;
                    let is_plain = day
                        .bytes()
                        .all(|byte| byte.is_ascii_digit() || byte == b'-');
                    Scalar::Text(
                        Some(day)
                            .filter(|day| is_plain && day.len() == 10)?
                            .to_owned(),
                    )
                }
                Some(Value::Text(text)) => Scalar::Text(plain(text)?),
                Some(_) => return None,
            };
            bounds.push((*option, bound));
        }
        let data_type = match self.entries.get("data_type") {
            Some(_) => Some(self.text("data_type")?),
            None => is_day.then(|| "date".to_owned()),
        };
        (!bounds.is_empty()).then_some(Promise::Bounds { bounds, data_type })
    }
}
