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
    /// What the objects of each contract are in dbt, where that is known by now.
    pub resources: &'a [Vec<Resource>],
}

/// A model or source table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The source that a table is in.
    pub source: Option<String>,
    /// Its name.
    pub name: String,
    /// The files that it is in.
    pub paths: Vec<String>,
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
    // Ids may hold anything, so the whole text may be one.
    let (upstream, rest) = match text.strip_prefix('+') {
        Some(rest) if !is_name(graph, text) => (true, rest),
        _ => (false, text),
    };
    let (downstream, rest) = match rest.strip_suffix('+') {
        Some(rest_of_it) if !is_name(graph, rest) => (true, rest_of_it),
        _ => (false, rest),
    };
    let (method, value) = method(graph, rest)?;
    if value.is_empty() {
        return Err(Failure::Invalid(format!("`{text}` selects by nothing")));
    }
    let glob = GlobBuilder::new(value)
        .literal_separator(false)
        .build()
        .map_err(|error| Failure::Invalid(format!("`{value}` is no pattern: {error}")))?
        .compile_matcher();
    let matches = |candidate: &str| candidate == value || glob.is_match(candidate);
    // A folder selects what is below it.
    let is_at = |candidate: &str| {
        let below = candidate.strip_prefix(value.trim_end_matches('/'));
        matches(candidate) || below.is_some_and(|rest| rest.starts_with('/'))
    };
    let answers = |candidate: &str| match method {
        Method::Path => is_at(candidate),
        Method::Status => candidate.eq_ignore_ascii_case(value),
        _ => matches(candidate),
    };
    // As in dbt, what holds a slash may be a path too.
    let is_path = method == Method::Name && value.contains('/');
    let mut contracts: BTreeSet<usize> = (0..graph.contracts.len())
        .filter(|index| {
            let mut names = values(graph, *index, method).into_iter();
            let mut paths = values(graph, *index, Method::Path).into_iter();
            names.any(|text| answers(&text)) || is_path && paths.any(|path| is_at(&path))
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

/// Whether a contract or product has that id or name.
fn is_name(graph: Graph<'_>, text: &str) -> bool {
    names(graph).any(|name| name == text)
}

/// The ids and names of all documents.
fn names(graph: Graph<'_>) -> impl Iterator<Item = &str> {
    let contracts = graph.contracts.iter();
    let contracts = contracts.flat_map(|contract| [Some(&contract.id), contract.name.as_ref()]);
    let products = graph.products.iter();
    let products = products.flat_map(|product| [Some(&product.id), product.name.as_ref()]);
    contracts.chain(products).flatten().map(Text::as_str)
}

/// The method of a part without its `+`, and the value.
fn method<'t>(graph: Graph<'_>, rest: &'t str) -> Result<(Method, &'t str), Failure> {
    if is_name(graph, rest) {
        return Ok((Method::Name, rest));
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_steps = rest
        .split_once('+')
        .is_some_and(|(steps, _)| is_number(steps))
        || rest
            .rsplit_once('+')
            .is_some_and(|(_, steps)| is_number(steps));
    if has_steps || rest.starts_with('@') {
        return Err(Failure::Invalid(format!(
            "`{rest}` has an operator that is not known here; `+name` takes all that `name` is made \
             of, and `name+` all that is made of it"
        )));
    }
    let Some((word, value)) = rest.split_once(':') else {
        return Ok((Method::Name, rest));
    };
    if let Some((_, method)) = METHODS.iter().find(|(name, _)| *name == word) {
        return Ok((*method, value));
    }
    // Ids may hold colons, such as `urn:orders`.
    let begins = |name: &str| {
        name.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with(':'))
    };
    if names(graph).any(begins) {
        return Ok((Method::Name, rest));
    }
    let known: Vec<String> = METHODS
        .iter()
        .map(|(name, _)| format!("`{name}:`"))
        .collect();
    Err(Failure::Invalid(format!(
        "`{word}:` in `{rest}` is no method of selection; known are {}, and names without any",
        known.join(", ")
    )))
}

/// The texts of a contract that a method compares.
fn values(graph: Graph<'_>, index: usize, method: Method) -> Vec<Cow<'_, str>> {
    let contract = &graph.contracts[index];
    let resources = graph.resources.get(index).map_or(&[][..], Vec::as_slice);
    let names = || {
        let objects = contract.objects.iter().map(|object| object.name.as_str());
        let name = contract.name.as_ref().map(Text::as_str);
        let resources = resources.iter().map(|resource| resource.name.as_str());
        objects
            .chain(name)
            .chain([contract.id.as_str()])
            .chain(resources)
            .collect::<Vec<_>>()
    };
    let stated = match method {
        Method::Name => return with_version(names(), contract),
        Method::Contract => return with_version(vec![contract.id.as_str()], contract),
        Method::Source if graph.lineage.roles[index] == Role::Source => {
            let mut texts: Vec<Cow<'_, str>> = names().into_iter().map(Cow::Borrowed).collect();
            for resource in resources {
                if let Some(source) = &resource.source {
                    texts.push(Cow::Borrowed(source));
                    texts.push(Cow::Owned(format!("{source}.{}", resource.name)));
                }
            }
            return texts;
        }
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
        Method::Path => {
            let paths = resources.iter().flat_map(|resource| &resource.paths);
            let paths = paths.map(String::as_str);
            paths
                .chain([contract.document.file.path.as_str()])
                .collect()
        }
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
