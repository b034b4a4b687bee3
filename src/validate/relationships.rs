//! Pass 2 between objects: relationships have as many starts as targets, and lead from their own
//! object to the key of one other. What leads nowhere is left to [`references`](super::references).

use crate::catalog::{Catalog, Located};
use crate::diagnostics::{Diagnostic, Rule, rules};
use crate::document::Text;
use crate::odcs::{Contract, LogicalType, Property, Relationship, Relationships, SchemaObject};
use crate::yaml::Span;

/// Checks the relationships of the contract at `index`.
pub fn contract(catalog: &Catalog<'_>, contracts: &[Contract], index: usize) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if contracts[index].relationships == Relationships::None {
        return findings;
    }
    for (place, object) in contracts[index].objects.iter().enumerate() {
        let check = Check {
            catalog,
            contracts,
            index,
            place,
            object,
        };
        for relationship in &object.relationships {
            check.of_object(relationship, &mut findings);
        }
        for property in object.properties_at_any_depth() {
            for relationship in &property.relationships {
                check.of_property(property, relationship, &mut findings);
            }
        }
    }
    findings
}

/// The check of one object's relationships.
struct Check<'a> {
    catalog: &'a Catalog<'a>,
    contracts: &'a [Contract],
    /// The contract.
    index: usize,
    /// The object in it.
    place: usize,
    object: &'a SchemaObject,
}

/// A property that a reference leads to.
struct Reached<'a> {
    text: &'a Text,
    at: Located,
    object: &'a SchemaObject,
    property: &'a Property,
}

impl<'a> Check<'a> {
    /// A relationship that starts at the properties in `from`.
    fn of_object(&self, relationship: &Relationship, findings: &mut Vec<Diagnostic>) {
        let name = &self.object.name.value;
        let (from, to) = (&relationship.from, &relationship.to);
        if !from.is_empty() && from.len() != to.len() {
            let message = format!(
                "a relationship of `{name}` pairs {} properties with {}",
                from.len(),
                to.len()
            );
            findings.push(
                self.finding(&rules::RULE_RELATIONSHIP_LENGTH, all(to), message)
                    .help("name as many properties in `from` as in `to`; they are paired in order"),
            );
            return;
        }
        let mut sources = Vec::new();
        for text in from {
            let at = self.located(text);
            let own = (self.index, self.place);
            if at.is_some_and(|at| (at.contract, at.object) != own) {
                let message = format!(
                    "a relationship of `{name}` starts at `{}`, which is in another object",
                    text.value
                );
                findings.push(
                    self.finding(&rules::RULE_RELATIONSHIP_START, text.span, message)
                        .help("move it to the object that it starts at"),
                );
            }
            sources.push(at.and_then(|at| self.reached(text, at)));
        }
        let sources = sources.iter().map(|source| Some(source.as_ref()?.property));
        self.targets(name, &sources.collect::<Vec<_>>(), to, findings);
    }

    /// A relationship that starts at the property that it stands on.
    fn of_property(
        &self,
        property: &Property,
        relationship: &Relationship,
        findings: &mut Vec<Diagnostic>,
    ) {
        let name = format!("{}.{}", self.object.name.value, property.name.value);
        let to = &relationship.to;
        if to.len() != 1 {
            let message = format!(
                "a relationship of the one property `{name}` leads to {}",
                to.len()
            );
            findings.push(
                self.finding(&rules::RULE_RELATIONSHIP_LENGTH, all(to), message)
                    .help("put it on the object, with as many properties in `from` as in `to`"),
            );
            return;
        }
        self.targets(&name, &[Some(property)], to, findings);
    }

    /// Where a relationship of `name` leads, from the sources that are known.
    fn targets(
        &self,
        name: &str,
        sources: &[Option<&Property>],
        to: &[Text],
        findings: &mut Vec<Diagnostic>,
    ) {
        let mut targets = Vec::new();
        for text in to {
            let Some(at) = self.located(text) else { return };
            match self.reached(text, at) {
                Some(reached) => targets.push(reached),
                None if at.property.is_none() => {
                    findings.push(self.object_alone(name, text, at));
                    return;
                }
                // A part of a column is no key of its table.
                None => return,
            }
        }
        let Some(first) = targets.first() else { return };
        let elsewhere = targets.iter().find(|target| {
            (target.at.contract, target.at.object) != (first.at.contract, first.at.object)
        });
        if let Some(elsewhere) = elsewhere {
            let message = format!(
                "a relationship of `{name}` leads to the objects `{}` and `{}`",
                first.object.name.value, elsewhere.object.name.value
            );
            findings.push(
                self.finding(
                    &rules::RULE_RELATIONSHIP_TARGET,
                    elsewhere.text.span,
                    message,
                )
                .help("one relationship leads to one object; write a relationship for each"),
            );
            return;
        }
        let mut pairs = sources.iter().zip(&targets);
        if pairs.all(|(source, target)| {
            source.is_some_and(|source| std::ptr::eq(source, target.property))
        }) {
            let message = format!("a relationship of `{name}` leads to itself, which always holds");
            findings.push(
                self.finding(&rules::RULE_RELATIONSHIP_TARGET, first.text.span, message)
                    .help("name the property of the other object, or remove the relationship"),
            );
            return;
        }
        findings.extend(self.no_key(name, &targets));
        for (source, target) in sources.iter().zip(&targets) {
            findings.extend(source.and_then(|source| self.types(source, target)));
        }
    }

    /// A finding at a place of the contract.
    fn finding(&self, rule: &'static Rule, span: Span, message: String) -> Diagnostic {
        let contract = &self.contracts[self.index];
        contract
            .document
            .finding(rule, span, message)
            .contract(contract.id.value.clone())
    }

    /// Where a reference leads, if anywhere.
    fn located(&self, text: &Text) -> Option<Located> {
        self.catalog.locate(self.index, &text.value).ok()
    }

    /// The object at a place.
    fn object_at(&self, at: Located) -> &'a SchemaObject {
        &self.contracts[at.contract].objects[at.object]
    }

    /// The whole column at a place.
    fn reached<'t>(&self, text: &'t Text, at: Located) -> Option<Reached<'t>>
    where
        'a: 't,
    {
        let object = self.object_at(at);
        let property = &object.properties[at.property?];
        (!at.nested).then_some(Reached {
            text,
            at,
            object,
            property,
        })
    }

    /// The finding that a relationship leads to an object alone.
    fn object_alone(&self, name: &str, text: &Text, at: Located) -> Diagnostic {
        let text_value = &text.value;
        let message = format!(
            "the relationship of `{name}` to `{text_value}` leads to an object and to no property of it"
        );
        let key = self.object_at(at).primary_key();
        let help = match key.first().and_then(|property| property.id.as_ref()) {
            Some(id) => format!("go on to its key: `{text_value}/properties/{}`", id.value),
            None => {
                "go on to a property, `…/properties/<id>`; nothing is tested until then".to_owned()
            }
        };
        self.finding(&rules::RULE_RELATIONSHIP_TARGET, text.span, message)
            .help(help)
    }

    /// The note that the properties referred to are no key, so that several rows may answer.
    fn no_key(&self, name: &str, targets: &[Reached<'_>]) -> Option<Diagnostic> {
        let first = targets.first()?;
        let is_target = |property: &&Property| {
            targets
                .iter()
                .any(|target| std::ptr::eq(target.property, *property))
        };
        let key = first.object.primary_key();
        let is_key = !key.is_empty() && key.iter().all(is_target);
        if is_key || targets.iter().any(|target| target.property.unique) {
            return None;
        }
        let names: Vec<String> = targets
            .iter()
            .map(|target| {
                format!(
                    "`{}.{}`",
                    target.object.name.value, target.property.name.value
                )
            })
            .collect();
        let message = format!(
            "a relationship of `{name}` leads to {}, which is no key",
            names.join(", ")
        );
        Some(
            self.finding(
                &rules::RULE_RELATIONSHIP_TO_NO_KEY,
                first.text.span,
                message,
            )
            .help("mark the property as `primaryKey` or `unique` if it is one"),
        )
    }

    /// The finding that two paired properties have types that are never equal.
    fn types(&self, source: &Property, target: &Reached<'_>) -> Option<Diagnostic> {
        let (from, to) = (source.logical()?, target.property.logical()?);
        if family(from) == family(to) {
            return None;
        }
        let message = format!(
            "`{}` is of type `{}` and refers to `{}.{}` of type `{}`",
            source.name.value,
            from.as_str(),
            target.object.name.value,
            target.property.name.value,
            to.as_str()
        );
        Some(
            self.finding(&rules::RULE_RELATIONSHIP_TYPES, target.text.span, message)
                .help("give both properties one type; warehouses refuse or convert the comparison"),
        )
    }
}

/// From the first to the last of the texts.
fn all(texts: &[Text]) -> Span {
    match texts {
        [first, .., last] => Span::new(first.span.start(), last.span.end()),
        [only] => only.span,
        [] => Span::default(),
    }
}

/// Types that are compared with each other have one family.
fn family(logical: LogicalType) -> LogicalType {
    match logical {
        LogicalType::Integer => LogicalType::Number,
        LogicalType::Timestamp => LogicalType::Date,
        other => other,
    }
}
