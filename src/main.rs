//! The program: arguments in, exit code out.

use std::process::ExitCode;

/// Documents are many small pieces that live for milliseconds: the allocator of the system takes a
/// third of the time of a run for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    dbt_contracts::commands::run(std::env::args_os()).into()
}
