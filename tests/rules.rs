//! Every rule as an author meets it: `tests/rules/<area>/<name>.in` is a small project with one
//! mistake, `tests/rules/<area>/<name>.trycmd` what the program says about it. `TRYCMD=overwrite
//! cargo test --test rules` accepts what it says; read the change before it is committed.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use dbt_contracts::diagnostics::rules::{ALL, by_code};

/// Rules whose input cannot stand in a repository, with the file and the name of the test that
/// holds them instead.
const ELSEWHERE: &[(&str, &str, &str)] = &[(
    "discovery/too-large",
    "src/discovery/tests.rs",
    "one_bad_file_does_not_stop_the_others",
)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn cases() {
    trycmd::TestCases::new()
        .env("COLUMNS", "100")
        .case("tests/rules/*/*.trycmd");
}

#[test]
fn every_rule_has_a_case_that_finds_it() {
    for rule in ALL.iter() {
        let code = rule.code;
        let case = root().join(format!("tests/rules/{code}.trycmd"));
        if let Some((_, file, test)) = ELSEWHERE.iter().find(|(elsewhere, ..)| *elsewhere == code) {
            assert!(
                !case.exists(),
                "`{code}` has a case and stands in `ELSEWHERE`"
            );
            let source = fs::read_to_string(root().join(file)).unwrap();
            let found = source.contains(&format!("fn {test}()")) && source.contains(code);
            assert!(found, "`{code}` is not held by `{test}` in {file}");
            continue;
        }
        let Ok(case) = fs::read_to_string(&case) else {
            panic!("`{code}` has no case tests/rules/{code}.trycmd");
        };
        // A run that cannot begin names its code only to programs.
        let shown = [format!("[{code}]: "), format!("\"code\": \"{code}\"")];
        assert!(
            shown.iter().any(|shown| case.contains(shown)),
            "the case of `{code}` does not find it"
        );
    }
}

#[test]
fn every_case_has_its_rule() {
    let folder = root().join("tests/rules");
    for area in fs::read_dir(&folder).unwrap() {
        for path in fs::read_dir(area.unwrap().path()).unwrap() {
            let path = path.unwrap().path();
            let other = match path.extension().and_then(OsStr::to_str) {
                Some("in") => path.with_extension("trycmd"),
                Some("trycmd") => path.with_extension("in"),
                _ => panic!("{} is no part of a case", path.display()),
            };
            assert!(other.exists(), "{} is missing", other.display());
            let code = path.strip_prefix(&folder).unwrap().with_extension("");
            let code = code.to_str().unwrap().replace('\\', "/");
            assert!(by_code(&code).is_some(), "no rule is called `{code}`");
        }
    }
}
