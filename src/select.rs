//! Selection over the graph of contracts, in the syntax of dbt: `name`, `method:value`, globs,
//! `+upstream`, `downstream+`, `a,b` for both, a blank for either.

use std::borrow::Cow;
use std::collections::BTreeSet;

use globset::GlobBuilder;

use crate::diagnostics::closest;
use crate::document::Text;
use crate::lineage::{Lineage, Role};
use crate::odcs::Contract;
use crate::odps::Product;
use crate::status::Status;
use crate::version::line;

/// What is selected from.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'a> {
    /// All contracts.
    pub contracts: &'a [Contract],
    /// All products.
    pub products: &'a [Product],
    /// How they are connected.
    pub lineage: &'a Lineage,
}

/// What a selector matches, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// Contracts.
    pub contracts: BTreeSet<usize>,
    /// Products of that name, tag and so on. `+` leads from contract to contract only.
    pub products: BTreeSet<usize>,
}

/// Why a selection cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The text is no selection.
    Invalid(String),
    /// Nothing answers to it.
    Nothing {
        /// The part that matched nothing.
        selector: String,
        /// Names like it.
        nearest: Vec<String>,
    },
}

/// What a value is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Id, name or schema object of a contract.
    Name,
    Contract,
    Product,
    Tag,
    Domain,
    Status,
    Source,
    Path,
}

/// Every method that can be written, with its word.
const METHODS: &[(&str, Method)] = &[
    ("contract", Method::Contract),
    ("domain", Method::Domain),
    ("path", Method::Path),
    ("product", Method::Product),
    ("source", Method::Source),
    ("status", Method::Status),
    ("tag", Method::Tag),
];

/// The contracts that `select` takes and `exclude` leaves, by place. No selection takes all.
pub fn select(
    graph: Graph<'_>,
    select: &[String],
    exclude: &[String],
) -> Result<BTreeSet<usize>, Failure> {
    let mut selected: BTreeSet<usize> = if select.is_empty() {
        (0..graph.contracts.len()).collect()
    } else {
        union(graph, select)?
    };
    // Excluding what is not there changes nothing, as in dbt.
    for contract in evaluate(graph, exclude)?
        .into_iter()
        .flat_map(|(_, found)| found.contracts)
    {
        selected.remove(&contract);
    }
    if selected.is_empty() && !graph.contracts.is_empty() {
        let exclude = exclude.join(" ");
        return Err(Failure::Invalid(format!(
            "nothing is left without `{exclude}`"
        )));
    }
    Ok(selected)
}

/// The contracts and products that a setting's selection takes; it may be none.
pub fn documents(graph: Graph<'_>, selection: &str) -> Result<Selected, Failure> {
    let mut all = Selected::default();
    for (_, found) in evaluate(graph, &[selection.to_owned()])? {
        all.contracts.extend(found.contracts);
        all.products.extend(found.products);
    }
    Ok(all)
}

/// The union of all selectors, each of which must match a contract.
fn union(graph: Graph<'_>, selectors: &[String]) -> Result<BTreeSet<usize>, Failure> {
    if selectors.iter().all(|text| text.trim().is_empty()) {
        return Err(Failure::Invalid("an empty selector selects nothing".into()));
    }
    let mut all = BTreeSet::new();
    for (selector, found) in evaluate(graph, selectors)? {
        if found.contracts.is_empty() {
            return Err(Failure::Nothing {
                nearest: nearest(graph, &selector),
                selector,
            });
        }
        all.extend(found.contracts);
    }
    Ok(all)
}

/// Every selector with what it matches.
fn evaluate(graph: Graph<'_>, selectors: &[String]) -> Result<Vec<(String, Selected)>, Failure> {
    selectors
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(|selector| Ok((selector.to_owned(), intersection(graph, selector)?)))
        .collect()
}

/// What all parts of a selector match.
fn intersection(graph: Graph<'_>, selector: &str) -> Result<Selected, Failure> {
    let mut parts = selector.split(',');
    let mut all = part(graph, parts.next().unwrap_or_default())?;
    for next in parts {
        let found = part(graph, next)?;
        all.contracts
            .retain(|place| found.contracts.contains(place));
        all.products.retain(|place| found.products.contains(place));
    }
    Ok(all)
}

/// What one part matches, with its neighbours where it has a `+`.
fn part(graph: Graph<'_>, text: &str) -> Result<Selected, Failure> {
    let (upstream, rest) = match text.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (downstream, rest) = match rest.strip_suffix('+') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (method, value) = match rest.split_once(':') {
        Some((word, value)) => match METHODS.iter().find(|(name, _)| *name == word) {
            Some((_, method)) => (*method, value),
            // Ids may hold colons, such as `urn:orders`.
            None => (Method::Name, rest),
        },
        None => (Method::Name, rest),
    };
    if value.is_empty() {
        return Err(Failure::Invalid(format!("`{text}` selects by nothing")));
    }
    let glob = GlobBuilder::new(value)
        .literal_separator(false)
        .build()
        .map_err(|error| Failure::Invalid(format!("`{value}` is no pattern: {error}")))?
        .compile_matcher();
    let matches = |candidate: &str| candidate == value || glob.is_match(candidate);
    let answers = |candidate: &str| match method {
        // A folder selects what is below it.
        Method::Path => {
            let below = candidate.strip_prefix(value.trim_end_matches('/'));
            matches(candidate) || below.is_some_and(|rest| rest.starts_with('/'))
        }
        Method::Status => candidate.eq_ignore_ascii_case(value),
        _ => matches(candidate),
    };
    let mut contracts: BTreeSet<usize> = (0..graph.contracts.len())
        .filter(|index| {
            values(graph, *index, method)
                .iter()
                .any(|text| answers(text))
        })
        .collect();
    let products = (0..graph.products.len())
        .filter(|index| {
            let values = product_values(&graph.products[*index], method);
            values.into_iter().any(answers)
        })
        .collect();
    let start = contracts.clone();
    if upstream {
        contracts.extend(reach(&start, |index| {
            graph.lineage.upstreams[index].clone()
        }));
    }
    if downstream {
        let downstreams = graph.lineage.downstreams();
        contracts.extend(reach(&start, |index| downstreams[index].clone()));
    }
    Ok(Selected {
        contracts,
        products,
    })
}

/// The texts of a contract that a method compares.
fn values(graph: Graph<'_>, index: usize, method: Method) -> Vec<Cow<'_, str>> {
    let contract = &graph.contracts[index];
    let names = || {
        let objects = contract.objects.iter().map(|object| object.name.as_str());
        let name = contract.name.as_ref().map(Text::as_str);
        objects
            .chain(name)
            .chain([contract.id.as_str()])
            .collect::<Vec<_>>()
    };
    let stated = match method {
        Method::Name => return with_version(names(), contract),
        Method::Contract => return with_version(vec![contract.id.as_str()], contract),
        Method::Source if graph.lineage.roles[index] == Role::Source => names(),
        Method::Source => Vec::new(),
        Method::Product => graph
            .lineage
            .ports
            .iter()
            .filter(|port| port.contract == Some(index))
            .flat_map(|port| {
                let product = &graph.products[port.product];
                [product.id.as_str(), product.label()]
            })
            .collect(),
        Method::Tag => {
            let objects = contract.objects.iter().flat_map(|object| &object.tags);
            objects.chain(&contract.tags).map(Text::as_str).collect()
        }
        Method::Domain => contract.domain.iter().map(Text::as_str).collect(),
        Method::Status => {
            let stated = contract.status.as_ref().map_or("draft", Text::as_str);
            let meant = Status::parse(stated).map(Status::as_str);
            std::iter::once(stated).chain(meant).collect()
        }
        Method::Path => vec![contract.document.file.path.as_str()],
    };
    stated.into_iter().map(Cow::Borrowed).collect()
}

/// Names, and the same as dbt calls one of several versions: `orders.v2`.
fn with_version<'a>(names: Vec<&'a str>, contract: &Contract) -> Vec<Cow<'a, str>> {
    let line = line(&contract.version.value);
    let versions = names.iter().map(|name| format!("{name}.v{line}"));
    let versions: Vec<Cow<'_, str>> = versions.map(Cow::Owned).collect();
    names
        .into_iter()
        .map(Cow::Borrowed)
        .chain(versions)
        .collect()
}

/// The texts of a product that a method compares.
fn product_values(product: &Product, method: Method) -> Vec<&str> {
    match method {
        Method::Name | Method::Product => vec![product.id.as_str(), product.label()],
        Method::Contract | Method::Source => Vec::new(),
        Method::Tag => product.tags.iter().map(Text::as_str).collect(),
        Method::Domain => product.domain.iter().map(Text::as_str).collect(),
        Method::Status => vec![product.status.as_ref().map_or("draft", Text::as_str)],
        Method::Path => vec![product.document.file.path.as_str()],
    }
}

/// Everything that `next` leads to from `start`.
fn reach(start: &BTreeSet<usize>, next: impl Fn(usize) -> Vec<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<usize> = start.iter().copied().collect();
    while let Some(index) = open.pop() {
        for neighbour in next(index) {
            if found.insert(neighbour) {
                open.push(neighbour);
            }
        }
    }
    found
}

/// The known texts closest to a selector that matched nothing.
fn nearest(graph: Graph<'_>, selector: &str) -> Vec<String> {
    let text = selector.trim_matches('+');
    let (method, value) = match text.split_once(':') {
        Some((word, value)) => match METHODS.iter().find(|(name, _)| *name == word) {
            Some((_, method)) => (*method, value),
            None => (Method::Name, text),
        },
        None => (Method::Name, text),
    };
    let known: BTreeSet<Cow<'_, str>> = (0..graph.contracts.len())
        .flat_map(|index| values(graph, index, method))
        .collect();
    closest(value, known.iter().map(Cow::as_ref))
        .into_iter()
        .map(str::to_owned)
        .collect()
}
