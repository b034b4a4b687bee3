//! A disk that takes no more, and a process that ends while it writes: what stands there is the old
//! tree or the new one, and the next run goes on from it.
//!
//! The shell's limit on the size of files plays the full disk: behind it a write fails, or ends the
//! process at once where the signal is not ignored.

use std::process::Command;

use crate::project::{ID, Project, contract};

/// Blocks of the limit: the first leave no room for the journal, the last is more than any file needs.
const BLOCKS: &[u32] = &[0, 1, 2, 4, 8, 16, 100];

/// A generated project whose contracts have grown since.
fn grown() -> Project {
    let project = Project::generated();
    let column =
        |number: u32| format!("      - {{name: c{number}, logicalType: string, required: true}}\n");
    let more = (0..60).map(column).collect::<Vec<_>>().concat();
    let text = contract("orders", &format!("{ID}{more}"));
    project.write("contracts/contracts/orders.yaml", &text);
    project.write("contracts/contracts/raw.yaml", &contract("raw", &more));
    project
}

/// What it becomes.
fn wanted() -> Vec<(String, String)> {
    let project = grown();
    assert_eq!(project.run(&["sync"]).0, 0);
    project.artifacts()
}

/// Runs `sync` where no file may be larger than that; the code is none where a signal ended it.
fn limited(project: &Project, blocks: u32, before: &str) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_dbt-contracts");
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("{before} ulimit -c 0; ulimit -f {blocks}; exec \"$0\" sync"),
        ])
        .arg(program)
        .current_dir(project.0.path())
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn a_full_disk_leaves_the_old_tree() {
    let new = wanted();
    let mut codes = Vec::new();
    for blocks in BLOCKS {
        let project = grown();
        let old = project.artifacts();
        let (code, told) = limited(&project, *blocks, "trap '' XFSZ;");
        let after = project.artifacts();
        match code {
            Some(0) => assert_eq!(after, new, "{blocks}"),
            Some(2) => {
                assert_eq!(after, old, "{blocks}: {told}");
                assert!(told.contains("File too large"), "{blocks}: {told}");
            }
            _ => panic!("{blocks}: {code:?} {told}"),
        }
        codes.push(code);
        assert_eq!(project.run(&["sync"]).0, 0, "{blocks}");
        assert_eq!(project.artifacts(), new, "{blocks}");
    }
    assert_eq!(
        (codes.first(), codes.last()),
        (Some(&Some(2)), Some(&Some(0)))
    );
}

#[test]
fn a_process_that_ends_while_it_writes_leaves_one_of_two_trees() {
    let new = wanted();
    let mut ended = 0;
    for blocks in BLOCKS {
        let project = grown();
        let (code, _) = limited(&project, *blocks, "");
        ended += usize::from(code.is_none());
        assert_eq!(project.run(&["sync"]).0, 0, "{blocks}");
        assert_eq!(project.artifacts(), new, "{blocks}");
        assert!(!project.exists("contracts/.dbt-contracts"), "{blocks}");
    }
    assert!(ended > 0 && ended < BLOCKS.len());
}
