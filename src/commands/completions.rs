//! `completions`: what a shell needs to complete the command line.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::report::{Exit, output_bytes};

/// Prints the script of a shell.
pub(crate) fn run(arguments: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Cli::command(),
        env!("CARGO_PKG_NAME"),
        &mut script,
    );
    output_bytes(&script);
    Exit::Fine
}
