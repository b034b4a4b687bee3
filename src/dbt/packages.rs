//! The packages whose tests are known: which they are, and a `packages.yml` that lists them too.
//!
//! The text of the file comes in, if there is one; the text with further entries goes out, but only
//! where it is read as the old one with just these entries more.

use crate::yaml::{self, Change, Cut, Limits, Node, Style, graft};

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
    let entries = packages.iter().map(|package| package.entry(2));
    let whole = format!("packages:\n{}", entries.collect::<String>());
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Some(whole);
    };
    let (root, new) = (read(text)?, read(&whole)?);
    let list = new.entry("packages")?;
    let cut = |key, value| Cut {
        text: &whole,
        key,
        value,
    };
    let changes: Vec<Change<'_>> = match root.as_mapping()?.entry("packages") {
        None => vec![Change::Insert {
            into: String::new(),
            after: root.as_mapping()?.len().checked_sub(1),
            cut: cut(Some(&list.key), &list.value),
        }],
        Some(found) => {
            let after = found.value.as_sequence()?.len().checked_sub(1)?;
            if found.value.style != Style::Block || found.value.properties.is_some() {
                return None;
            }
            let items = list.value.as_sequence()?.iter();
            let inserted = items.map(|item| Change::Insert {
                into: "/packages".to_owned(),
                after: Some(after),
                cut: cut(None, item),
            });
            inserted.collect()
        }
    };
    graft(text, &changes).ok()
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
                format!("packages:\n  - local: \"{{{{ env_var('P') }}}}\"\n  {ENTRY}\n  {VERSION}"),
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
