//! The packages whose tests are known: which they are, and a `packages.yml` that lists them too.
//!
//! The text of the file comes in, if there is one; the text with further entries goes out, but only
//! where it is read as the old one with just these entries more.

use crate::yaml::{self, Limits, Node, Style};

/// Where a project lists its packages.
pub const FILE: &str = "packages.yml";

/// Where it may list them instead; dbt takes them from one of the two.
pub const OTHER_FILE: &str = "dependencies.yml";

/// A package of tests.
#[derive(Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name in dbt.
    pub name: &'static str,
    /// Where it comes from.
    pub origin: &'static str,
    /// The versions whose tests are known.
    pub versions: [&'static str; 2],
    /// The variable that it needs.
    pub variable: Option<&'static str>,
}

/// Every known package.
pub const KNOWN: &[Package] = &[
    Package {
        name: "dbt_expectations",
        origin: "metaplane/dbt_expectations",
        versions: [">=0.10.9", "<0.11.0"],
        variable: Some("dbt_date:time_zone"),
    },
    Package {
        name: "dbt_utils",
        origin: "dbt-labs/dbt_utils",
        versions: [">=1.3.0", "<2.0.0"],
        variable: None,
    },
];

impl Package {
    /// The package of that name.
    pub fn of(name: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|package| package.name == name)
    }

    /// Its entry, with the dash at `indent`.
    fn entry(&self, indent: usize) -> String {
        let margin = " ".repeat(indent);
        let [from, to] = self.versions;
        let origin = self.origin;
        format!("{margin}- package: {origin}\n{margin}  version: [\"{from}\", \"{to}\"]\n")
    }
}

/// The text of a `packages.yml` with further packages. `None` where the list stands in another form
/// than one entry below the other.
pub fn add(text: Option<&str>, packages: &[&Package]) -> Option<String> {
    let entries = |indent: usize| -> String {
        let entries = packages.iter().map(|package| package.entry(indent));
        entries.collect()
    };
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Some(format!("packages:\n{}", entries(2)));
    };
    let root = read(text)?;
    let (place, entries) = match root.as_mapping()?.entry("packages") {
        None => (text.len(), format!("packages:\n{}", entries(2))),
        Some(found) => {
            let items = found.value.as_sequence()?;
            let is_plain = found.value.style == Style::Block
                && found.value.alias().is_none()
                && found.value.properties.is_none();
            let last = items.last().filter(|_| is_plain)?;
            let dash = text[..last.place().start()].rfind('-')?;
            let line = text[..dash].rfind('\n').map_or(0, |at| at + 1);
            let indent = text[line..dash].bytes().all(|byte| byte == b' ');
            (
                end_of_line(text, last),
                entries(indent.then_some(dash - line)?),
            )
        }
    };
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (before, after) = text.split_at(place);
    let gap = if before.ends_with('\n') { "" } else { line_end };
    let entries = entries.replace('\n', line_end);
    let added = format!("{before}{gap}{entries}{after}");
    is_meant(&root, &read(&added)?, packages).then_some(added)
}

/// The tree of a text that is one document without a fault.
fn read(text: &str) -> Option<Node> {
    let parsed = yaml::parse(text, &Limits::default());
    let [_] = parsed.documents.as_slice() else {
        return None;
    };
    parsed.problems.is_empty().then_some(())?;
    parsed.documents.into_iter().next()
}

/// Behind the last line of a node.
fn end_of_line(text: &str, node: &Node) -> usize {
    let span = node.place();
    let end = span.start() + text[span.range()].trim_end().len();
    text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

/// Whether one tree is the other with just these packages more.
fn is_meant(old: &Node, new: &Node, packages: &[&Package]) -> bool {
    let mut meant = old.to_json();
    let Some(root) = meant.as_object_mut() else {
        return false;
    };
    let list = root
        .entry("packages")
        .or_insert_with(|| serde_json::Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else {
        return false;
    };
    list.extend(packages.iter().map(
        |package| serde_json::json!({"package": package.origin, "version": package.versions}),
    ));
    meant == new.to_json()
}

#[cfg(test)]
mod tests {
    use super::{Package, add};

    fn added(text: Option<&str>, names: &[&str]) -> Option<String> {
        let packages: Vec<&Package> = names
            .iter()
            .map(|name| Package::of(name).unwrap())
            .collect();
        add(text, &packages)
    }

    #[test]
    fn a_new_file_lists_what_is_needed() {
        let expected = "packages:\n  - package: metaplane/dbt_expectations\n    version: [\">=0.10.9\", \"<0.11.0\"]\n  - package: dbt-labs/dbt_utils\n    version: [\">=1.3.0\", \"<2.0.0\"]\n";
        let names = ["dbt_expectations", "dbt_utils"];
        assert_eq!(added(None, &names).as_deref(), Some(expected));
        assert_eq!(added(Some("\n"), &names).as_deref(), Some(expected));
    }

    #[test]
    fn everything_else_keeps_its_bytes() {
        const ENTRY: &str = "- package: dbt-labs/dbt_utils";
        const VERSION: &str = "  version: [\">=1.3.0\", \"<2.0.0\"]";
        for (text, expected) in [
            (
                "# ours\npackages:\n- git: x  # pinned\n  revision: 1.0\n\n# the end\n",
                format!(
                    "# ours\npackages:\n- git: x  # pinned\n  revision: 1.0\n{ENTRY}\n{VERSION}\n\n# the end\n"
                ),
            ),
            (
                "packages:\r\n    - {local: a}\r\nother: 1",
                format!(
                    "packages:\r\n    - {{local: a}}\r\n    {ENTRY}\r\n    {VERSION}\r\nother: 1"
                ),
            ),
            (
                "packages:\n  - local: \"{{ env_var('P') }}\"",
                format!(
                    "packages:\n  - local: \"{{{{ env_var('P') }}}}\"\n  {ENTRY}\n  {VERSION}\n"
                ),
            ),
            (
                "projects: []\n",
                format!("projects: []\npackages:\n  {ENTRY}\n  {VERSION}\n"),
            ),
        ] {
            assert_eq!(added(Some(text), &["dbt_utils"]), Some(expected), "{text}");
        }
    }

    #[test]
    fn another_form_is_left_alone() {
        for text in [
            "packages: [{local: a}]\n",
            "packages:\n",
            "packages: []\n",
            "packages: &all\n  - local: a\n",
            "list: &all\n  - local: a\npackages: *all\n",
            "packages:\n  - local: a\n---\n",
            "packages:\n  - local: [\n",
            "- local: a\n",
        ] {
            assert_eq!(added(Some(text), &["dbt_utils"]), None, "{text}");
        }
    }
}
