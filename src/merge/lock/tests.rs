//! What is written to the lock file, and what is read of it.

use super::*;
use crate::dbt::properties::Identity;
use proptest::prelude::*;

fn lock(files: &[(&str, &[&str])]) -> Lock {
    let files = files.iter().map(|(path, contracts)| {
        let contracts: Vec<String> = contracts.iter().map(ToString::to_string).collect();
        ((*path).to_owned(), Entry::new("text\n", &contracts))
    });
    Lock::default().with_files(files.collect())
}

fn failure(text: &str) -> (String, String, String) {
    let error = Lock::parse(text.as_bytes()).unwrap_err();
    assert_eq!(error.rule.code, "merge/lock");
    (
        error.message,
        error.place.unwrap().display(),
        error.help.unwrap(),
    )
}

#[test]
fn one_line_for_each_file_sorted_by_path() {
    let text = lock(&[("b.sql", &["z@2", "a b:c\n%@1", "z@2"]), ("a x/ü.yml", &[])]).render();
    let hash = Fingerprint::of(b"text\n");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        lines,
        [
            "version = 1".to_owned(),
            format!("file {hash} a%20x/ü.yml"),
            format!("file {hash} b.sql a%20b:c%0A%25@1 z@2"),
        ]
    );
}

#[test]
fn the_text_is_written_only_when_it_says_something_new() {
    assert_eq!(Lock::default().update(), None);
    let text = lock(&[("a", &["c@1"])]).update().unwrap();
    assert_eq!(Lock::parse(text.as_bytes()).unwrap().update(), None);
    let checked_out = Lock::parse(text.replace('\n', "\r\n").as_bytes()).unwrap();
    assert_eq!(checked_out.update(), None);
    let emptied = checked_out.with_files(BTreeMap::new()).update().unwrap();
    assert!(emptied.ends_with("version = 1\r\n"));
}

#[test]
fn a_broken_lock_is_an_error_with_its_place_and_cure() {
    let head = "# x\nversion = 1\n";
    let hash = "0123456789abcdef";
    let (message, place, help) = failure(&format!(
        "{head}<<<<<<< HEAD\nfile {hash} a\n=======\n>>>>>>> b\n"
    ));
    assert!(message.contains("conflict markers") && help.contains("dbt-contracts sync"));
    assert_eq!(place, format!("{LOCK_PATH}:3:1"));
    let (message, place, _) = failure("version = 2\nfile x\n");
    assert!(message.contains("unknown version `2`"), "{message}");
    assert_eq!(place, format!("{LOCK_PATH}:1:1"));
    for line in [
        "file",
        "file x",
        "file 0123 a",
        "key 0123456789abcdef a",
        "file 0123456789abcdef ",
        "file 0123456789abcdef ../x",
        "file 0123456789abcdef /etc/passwd",
        "file 0123456789abcdef a%2",
        "file 0123456789abcdef a%FF",
        "file 0123456789abcdef a%+1",
        "file 0123456789abcdef a  b",
        "file 0123456789abcdef .git/config",
        "file 0123456789ABCDEF a",
        "file 0123456789abcdef= a",
        "file 0123456789abcdef=0123456789ABCDEF a",
        "file =0123456789abcdef a",
        "file 0123456789abcdef contracts/dbt-contracts.lock",
    ] {
        let (_, place, help) = failure(&format!("{head}{line}\n"));
        assert_eq!(place, format!("{LOCK_PATH}:3:1"), "{line}");
        assert!(help.contains("sync"));
    }
    let twice = failure(&format!("{head}file {hash} a\nfile {hash} a x@1\n"));
    assert!(twice.0.contains("twice") && twice.1.ends_with(":4:1"));
    for text in ["", "\n# nothing\n", "file 0123456789abcdef a\n"] {
        assert!(failure(text).0.contains("version = 1"), "{text:?}");
    }
    let error = Lock::parse(b"version = 1\nfile 0123456789abcdef a\xff\n").unwrap_err();
    assert!(error.message.contains("UTF-8") && error.place.unwrap().display().ends_with(":2:1"));
}

#[test]
fn a_project_without_a_lock_has_an_empty_one() {
    let project = tempfile::tempdir().unwrap();
    let lock = Lock::read(project.path()).unwrap();
    assert_eq!((lock.files().count(), lock.seen()), (0, None));
    fs::create_dir_all(project.path().join(LOCK_PATH)).unwrap();
    let error = Lock::read(project.path()).unwrap_err();
    assert!(error.message.contains("is a folder"), "{}", error.message);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        path in "[a-z\u{e4} %]{1,4}xx/y",
        contracts in proptest::collection::vec("\\PC{1,9}|[ \t\r\n\u{85}\u{2028}%@:#]{1,5}", 0..4),
    ) {
        let entry = Entry::new("t", &contracts);
        let lock = Lock::default().with_files([(path.clone(), entry.clone())].into());
        let read = Lock::parse(lock.render().as_bytes()).unwrap();
        prop_assert_eq!(read.get(&path), Some(&entry));
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut text = format!("{VERSION}\nfile ").into_bytes();
        let _ = Lock::parse(&bytes);
        text.extend(bytes);
        let _ = Lock::parse(&text);
    }
}

/// What was written of two resources, one of them with columns.
fn parts() -> Base {
    Base::of(
        "models:\n  - name: orders\n    description: x\n    config: {meta: {owner: me, 'a b=@': 1}, tags: [t]}\n    \
         columns:\n      - name: id\n        data_type: integer\n        data_tests: [unique, {low: {arguments: {a: 1}}}]\n      \
         - name: 'd'\n  - name: '@x'\nsources:\n  - name: raw\n    tables:\n      - name: t\n        columns: [{name: c}]\n",
        None,
    )
}

#[test]
fn below_a_properties_file_stands_a_line_for_each_resource_and_column() {
    let mut parts = parts();
    let column = ["models/orders", "columns/id"].map(str::to_owned);
    let identity = Identity {
        id: Some("#1".to_owned()),
        renamed_from: None,
    };
    parts.identify(&[(column.to_vec(), identity)]);
    let entry = Entry {
        recipe: Some(Recipe::of("values")),
        parts: parts.clone().into(),
        ..Entry::new("t", &[])
    };
    let orders = ["models/orders".to_owned()];
    parts.own(&orders, "orders@1.0.0");
    let group = parts.at_mut(&orders).unwrap();
    group.adopted = true;
    group.adopted_values.insert("tags/t".to_owned());
    let lock = Lock::default()
        .with_files([("a.yml".to_owned(), entry.clone())].into())
        .with_bound([("b.yml".to_owned(), parts.clone())].into());
    let text = lock.render();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('+')).collect();
    let words: Vec<String> = lines
        .iter()
        .map(|line| {
            let words = line.split(' ').map(|word| {
                word.rsplit_once(['=', '~'])
                    .filter(|(key, _)| !key.is_empty())
                    .map_or(word, |(key, _)| key)
            });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(
        words[words.len() / 2..],
        [
            "+ models/@x",
            "+ models/orders @orders@1.0.0 ~ d meta/a%20b=@ meta/owner tags/t",
            "++ :d",
            "++ :id ##1 t ?low(HASH) ?unique",
            "+ sources/raw",
            "++ tables/t",
            "+++ :c",
        ]
        .map(|line| line.replace("HASH", &hash_of_low(&words)))
    );
    let read = Lock::parse(text.as_bytes()).unwrap();
    assert_eq!(read.get("a.yml"), Some(&entry));
    assert_eq!(read.bound().get("b.yml"), Some(&parts));
    assert_eq!(read.update(), None);
}

/// The hash of the arguments of the one test that has some.
fn hash_of_low(words: &[String]) -> String {
    let line = words.iter().find(|line| line.contains("?low(")).unwrap();
    let (_, rest) = line.split_once("?low(").unwrap();
    rest.split(')').next().unwrap().to_owned()
}

#[test]
fn a_broken_line_of_a_part_is_an_error() {
    let head = format!("{VERSION}\nfile 0123456789abcdef a.yml\n");
    for lines in [
        "++ :id", "+ b\n+ a", "+ a\n+ a", "+ a d=x", "+ a d", "+ a %2", "+",
    ] {
        let (message, ..) = failure(&format!("{head}{lines}\n"));
        assert!(message.contains("part"), "{lines}: {message}");
    }
    failure(&format!("{VERSION}\n+ a\n"));
    failure(&format!("{VERSION}\nbound a.yml b\n"));
    failure(&format!("{VERSION}\nbound a.yml\nbound a.yml\n"));
}
