//! Selection over the graph of contracts, in the syntax of dbt: `name`, `method:value`, globs,
//! `+upstream`, `downstream+`, `a,b` for both, a blank for either.

use std::collections::BTreeSet;

use globset::GlobBuilder;

use crate::diagnostics::closest;
use crate::document::Text;
use crate::lineage::Role;
use crate::workspace::Workspace;

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
    workspace: &Workspace,
    select: &[String],
    exclude: &[String],
) -> Result<BTreeSet<usize>, Failure> {
    let mut selected: BTreeSet<usize> = if select.is_empty() {
        (0..workspace.contracts.len()).collect()
    } else {
        union(workspace, select)?
    };
    // Excluding what is not there changes nothing, as in dbt.
    for contract in evaluate(workspace, exclude)?
        .into_iter()
        .flat_map(|(_, found)| found)
    {
        selected.remove(&contract);
    }
    if selected.is_empty() && !workspace.contracts.is_empty() {
        let exclude = exclude.join(" ");
        return Err(Failure::Invalid(format!(
            "nothing is left without `{exclude}`"
        )));
    }
    Ok(selected)
}

/// The union of all selectors, each of which must match something.
fn union(workspace: &Workspace, selectors: &[String]) -> Result<BTreeSet<usize>, Failure> {
    if selectors.iter().all(|text| text.trim().is_empty()) {
        return Err(Failure::Invalid("an empty selector selects nothing".into()));
    }
    let mut all = BTreeSet::new();
    for (selector, found) in evaluate(workspace, selectors)? {
        if found.is_empty() {
            return Err(Failure::Nothing {
                nearest: nearest(workspace, &selector),
                selector,
            });
        }
        all.extend(found);
    }
    Ok(all)
}

/// Every selector with what it matches.
fn evaluate(
    workspace: &Workspace,
    selectors: &[String],
) -> Result<Vec<(String, BTreeSet<usize>)>, Failure> {
    selectors
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(|selector| Ok((selector.to_owned(), intersection(workspace, selector)?)))
        .collect()
}

/// What all parts of a selector match.
fn intersection(workspace: &Workspace, selector: &str) -> Result<BTreeSet<usize>, Failure> {
    let mut parts = selector.split(',');
    let mut all = part(workspace, parts.next().unwrap_or_default())?;
    for next in parts {
        let found = part(workspace, next)?;
        all.retain(|contract| found.contains(contract));
    }
    Ok(all)
}

/// What one part matches, with its neighbours where it has a `+`.
fn part(workspace: &Workspace, text: &str) -> Result<BTreeSet<usize>, Failure> {
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
    let mut found: BTreeSet<usize> = (0..workspace.contracts.len())
        .filter(|index| {
            values(workspace, *index, method)
                .into_iter()
                .any(|candidate| match method {
                    // A folder selects what is below it.
                    Method::Path => {
                        matches(candidate)
                            || candidate
                                .strip_prefix(value.trim_end_matches('/'))
                                .is_some_and(|rest| rest.starts_with('/'))
                    }
                    Method::Status => candidate.eq_ignore_ascii_case(value),
                    _ => matches(candidate),
                })
        })
        .collect();
    let start = found.clone();
    if upstream {
        found.extend(reach(&start, |index| {
            workspace.lineage.upstreams[index].clone()
        }));
    }
    if downstream {
        let downstreams = workspace.lineage.downstreams();
        found.extend(reach(&start, |index| downstreams[index].clone()));
    }
    Ok(found)
}

/// The texts of a contract that a method compares.
fn values(workspace: &Workspace, index: usize, method: Method) -> Vec<&str> {
    let contract = &workspace.contracts[index];
    let names = || {
        let objects = contract.objects.iter().map(|object| object.name.as_str());
        let name = contract.name.as_ref().map(Text::as_str);
        objects
            .chain(name)
            .chain([contract.id.as_str()])
            .collect::<Vec<_>>()
    };
    match method {
        Method::Name => names(),
        Method::Contract => vec![contract.id.as_str()],
        Method::Source if workspace.lineage.roles[index] == Role::Source => names(),
        Method::Source => Vec::new(),
        Method::Product => workspace
            .lineage
            .ports
            .iter()
            .filter(|port| port.contract == Some(index))
            .flat_map(|port| {
                let product = &workspace.products[port.product];
                [product.id.as_str(), product.label()]
            })
            .collect(),
        Method::Tag => {
            let objects = contract.objects.iter().flat_map(|object| &object.tags);
            objects.chain(&contract.tags).map(Text::as_str).collect()
        }
        Method::Domain => contract.domain.iter().map(Text::as_str).collect(),
        Method::Status => vec![contract.status.as_ref().map_or("draft", Text::as_str)],
        Method::Path => vec![contract.document.file.path.as_str()],
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
fn nearest(workspace: &Workspace, selector: &str) -> Vec<String> {
    let text = selector.trim_matches('+');
    let (method, value) = match text.split_once(':') {
        Some((word, value)) => match METHODS.iter().find(|(name, _)| *name == word) {
            Some((_, method)) => (*method, value),
            None => (Method::Name, text),
        },
        None => (Method::Name, text),
    };
    let known: BTreeSet<&str> = (0..workspace.contracts.len())
        .flat_map(|index| values(workspace, index, method))
        .collect();
    closest(value, known.iter().copied())
        .into_iter()
        .map(str::to_owned)
        .collect()
}
