//! Products as groups, where the configuration asks for it: a product comes in, the group that owns
//! its models goes out.

use std::collections::{BTreeMap, BTreeSet};

use super::scope::{Scope, Subject};
use super::{Input, Mapped, access};
use crate::config::Access;
use crate::dbt::names::slug;
use crate::dbt::properties::{Entries, Group};
use crate::dbt::release::Feature;
use crate::diagnostics::{Diagnostic, rules};
use crate::odps::Product;
use crate::version::Version;

/// The properties file of all groups.
#[derive(Clone, Debug)]
pub struct GroupsFile {
    /// Path in the project.
    pub path: String,
    /// The contracts of their models, `id@version`.
    pub contracts: Vec<String>,
    /// The groups.
    pub groups: Vec<Group>,
}

/// The group of a model.
pub(super) fn of_model(subject: &Subject<'_>) -> Option<String> {
    of_contract(subject.scope.input, subject.index)
}

/// The group of a contract's models.
pub(super) fn of_contract(input: &Input<'_>, index: usize) -> Option<String> {
    let product = input.producers[index]?;
    (input.config.access == Access::Product).then(|| slug(product.label()))
}

/// Puts a model into its group.
pub(super) fn configure(subject: &Subject<'_>, config: &mut Entries) {
    if let Some(group) = of_model(subject) {
        config.set("group", group);
        config.set("access", access::of_model(subject));
    }
}

/// The groups of all products that a generated contract comes from.
pub(super) fn map(scope: &Scope<'_>, mapped: &mut Mapped) {
    let input = scope.input;
    if input.config.access == Access::Off {
        return;
    }
    let mut products: BTreeMap<String, &Product> = BTreeMap::new();
    let mut contracts = Vec::new();
    for index in scope.generated() {
        let Some(product) = input.producers[index] else {
            continue;
        };
        contracts.push(scope.contract(index).key());
        let known = products.entry(slug(product.label())).or_insert(product);
        // Of several versions of a product the newest one describes the group.
        if version(product) > version(known) {
            *known = product;
        }
    }
    let groups: Vec<Group> = products
        .into_iter()
        .map(|(name, product)| group(scope, name, product, &mut mapped.diagnostics))
        .collect();
    if !groups.is_empty() {
        mapped.groups = Some(GroupsFile {
            path: scope.names.groups.clone(),
            contracts,
            groups,
        });
    }
}

/// Blocks the contracts of every product that would share the group of another one, which has
/// another owner, or one that the project declares elsewhere than in `path`. The first product in the
/// order of paths keeps it.
pub(super) fn collisions(
    input: &Input<'_>,
    path: &str,
    planned: &[bool],
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if input.config.access == Access::Off {
        return;
    }
    let mut outputs: Vec<(&Product, usize)> = (0..planned.len())
        .filter(|index| planned[*index])
        .filter_map(|index| Some((input.producers[index]?, index)))
        .collect();
    outputs.sort_by_key(|(product, _)| product.document.file.path.as_str());
    let mut owners: BTreeMap<String, &Product> = BTreeMap::new();
    let mut reported: Option<&Product> = None;
    for (product, contract) in outputs {
        let name = slug(product.label());
        let first = *owners.entry(name.clone()).or_insert(product);
        let declared = input.project.groups.get(&name);
        let declared = declared.filter(|own| *own != path && !input.standing.contains(*own));
        let finding = match declared {
            Some(path) => declared_by_hand(&name, path, product),
            None if first.id.value == product.id.value => continue,
            None => collision(&name, first, product),
        };
        blocked.insert(contract);
        if reported.is_none_or(|reported| !std::ptr::eq(reported, product)) {
            diagnostics.push(finding);
            reported = Some(product);
        }
    }
}

/// The version of a product, by which two of them are compared.
fn version(product: &Product) -> Option<Version> {
    let version = product.version.as_ref()?;
    Some(Version::parse(&version.value))
}

/// The group of a product.
fn group(
    scope: &Scope<'_>,
    name: String,
    product: &Product,
    diagnostics: &mut Vec<Diagnostic>,
) -> Group {
    let member = product.team.owning_member(scope.input.today);
    let username = member.and_then(|member| member.username.as_ref());
    let email = username.filter(|username| username.value.contains('@'));
    let own_name = member.and_then(|member| member.name.as_ref());
    let known = product.team.name.as_ref().or(own_name).or(username);
    if known.is_none() {
        diagnostics.push(product.document.finding(
            &rules::MAPPING_NO_COUNTERPART,
            product.id.span,
            format!(
                "the product `{}` has no owner; its group is its own",
                product.label()
            ),
        ));
    }
    // dbt loads no group without an owner.
    let known = known.map_or_else(|| product.label(), |known| known.as_str());
    let mut owner = Entries::default().with("name", known);
    if let Some(email) = email {
        owner.set("email", email.as_str());
    }
    let mut anchor = Entries::default().with("id", product.id.as_str());
    if let Some(version) = &product.version {
        anchor.set("version", version.as_str());
    }
    let meta = Entries::default().with("data_product", anchor);
    let described = scope.input.release.has(Feature::DescribedGroups);
    let description = super::metadata::text(product.purpose.as_ref());
    let config = Entries::default().with("meta", meta);
    Group {
        name,
        owner,
        description: description.filter(|_| described),
        config: if described {
            config
        } else {
            Entries::default()
        },
    }
}

/// The finding that the project has the group of a product already.
fn declared_by_hand(name: &str, path: &str, product: &Product) -> Diagnostic {
    let label = product.label();
    let message =
        format!("the product `{label}` wants the group `{name}`, which `{path}` declares");
    let finding =
        product
            .document
            .finding(&rules::MAPPING_NAME_COLLISION, product.id.span, message);
    finding.help("give the product another `name`, or remove that group; until then nothing that the product outputs is generated")
}

/// The finding that two products are one group.
fn collision(name: &str, first: &Product, other: &Product) -> Diagnostic {
    other
        .document
        .finding(
            &rules::MAPPING_NAME_COLLISION,
            other.id.span,
            format!(
                "the products `{}` and `{}` both want the group `{name}`",
                first.label(),
                other.label()
            ),
        )
        .label(&first.document.file, first.id.span, "the other one")
        .help("give one of the products another `name`; until then nothing that this one outputs is generated")
}
