//! `man`: the manual pages.

use clap::CommandFactory;

use crate::cli::{Cli, Man};
use crate::diagnostics::closest;
use crate::report::{Exit, Failure, output_bytes};

/// Prints the page of the program or of one command.
pub(crate) fn run(arguments: &Man) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => {
            let names = program.get_subcommands().map(clap::Command::get_name);
            let Some(command) = program.find_subcommand(name) else {
                let advice = match closest(name, names) {
                    Some(close) => format!("; did you mean `{close}`?"),
                    None => String::new(),
                };
                let message = format!("no command is called `{name}`{advice}");
                return Err(Failure::new("usage", message));
            };
            command.clone()
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new("io", format!("the page cannot be made: {error}")))?;
    output_bytes(&page);
    Ok(Exit::Fine)
}
