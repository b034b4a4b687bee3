//! The program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    dbt_contracts::commands::run(std::env::args_os()).into()
}
