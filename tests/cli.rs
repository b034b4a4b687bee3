//! The program as users meet it: every case of `tests/cases` is a command line in a folder, with the
//! output, the exit code and the files that must come of it. `TRYCMD=overwrite cargo test --test cli`
//! accepts what the program prints; read the change before it is committed.

#[test]
fn cases() {
    trycmd::TestCases::new()
        .env("COLUMNS", "100")
        .case("tests/cases/*/*.toml");
}
