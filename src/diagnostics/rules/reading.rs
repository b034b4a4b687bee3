//! What keeps files from being read: the configuration, the documents that are found, their YAML, and
//! the schema of their version.

use super::Rule;
use super::Severity::{Error, Note, Warning};

rules! { READING:
    CONFIG_INVALID_VALUE = "config/invalid-value", Error,
        "a setting has a value that it cannot take",
        "Each setting of `contracts/config.yaml` takes one kind of value, some only a few \
         words. The message names what the setting takes.";
    CONFIG_UNKNOWN_KEY = "config/unknown-key", Error,
        "the configuration has a key that nothing reads",
        "A misspelt setting would silently do nothing, so every key must be known. \
         `dbt-contracts schema config` prints all of them.";
    DISCOVERY_FOREIGN_CONTRACT = "discovery/foreign-contract", Error,
        "a contract of another maker",
        "The file says `kind: DataContract`, but neither its `apiVersion` nor its keys are \
         those of ODCS, so nothing can be checked or generated from it. Convert it to ODCS, \
         or move it out of the listed folders.";
    DISCOVERY_IGNORED = "discovery/ignored", Note,
        "a YAML or JSON file that is neither a contract nor a product",
        "Files in the listed folders are told apart by their `kind`: `DataContract` is an \
         ODCS contract, `DataProduct` an ODPS product. Anything else is left alone.";
    DISCOVERY_KIND_AND_NAME = "discovery/kind-and-name", Warning,
        "a file is named as one kind of document and is the other",
        "The `kind` in the file decides, never its name. Rename the file so that readers are \
         not misled.";
    DISCOVERY_LEGACY_CONTRACT = "discovery/legacy-contract", Error,
        "a contract of an older standard",
        "The Data Contract Specification (`dataContractSpecification:`) and ODCS before v3 \
         (`dataset:`, `uuid:`) came before ODCS v3 and have another structure. Convert the \
         file to ODCS v3 first.";
    DISCOVERY_LINK_LOOP = "discovery/link-loop", Warning,
        "a symbolic link leads back into a folder above it",
        "Following the link would never end, so it is not followed.";
    DISCOVERY_NOTHING_FOUND = "discovery/nothing-found", Error,
        "no contracts or products in the listed folders",
        "`paths.contracts` and `paths.products` in `contracts/config.yaml` say where \
         documents are looked for. `dbt-contracts init` makes the default folders.";
    DISCOVERY_TEMPLATE = "discovery/template", Error,
        "a template rather than a document",
        "The file holds placeholders such as `{{title}}` where YAML needs values; it has to \
         be filled in before it can be read. Move templates out of the listed folders.";
    DISCOVERY_TOO_LARGE = "discovery/too-large", Error,
        "a file is larger than any contract",
        "Documents of more than 32 MiB are not read, so that one stray file cannot exhaust \
         the memory.";
    DISCOVERY_UNFINISHED = "discovery/unfinished", Warning,
        "a file that may be a contract or product and says too little",
        "An empty file, or keys of a contract without `kind`, are what a broken merge or a crashed \
         editor leaves. Nothing is generated from the file, and as long as nobody knows what it was, \
         no generated file is taken for an orphan.";
    DISCOVERY_UNREADABLE = "discovery/unreadable", Error,
        "a file or folder could not be read",
        "The file system refused, or the file is not UTF-8 text. All other files are still \
         read.";
    YAML_ALIAS = "yaml/alias", Error,
        "an alias or merge key that leads nowhere",
        "An alias `*name` needs an anchor `&name` before it, and `<<` takes a mapping or a \
         list of mappings.";
    YAML_AMBIGUOUS_BOOLEAN = "yaml/ambiguous-boolean", Warning,
        "a word that YAML 1.1 reads as true or false",
        "dbt's reader takes `yes`, `no`, `on` and `off` for booleans, other readers for text. \
         Write `true` or `false`, or put the word in quotes.";
    YAML_AMBIGUOUS_NUMBER = "yaml/ambiguous-number", Warning,
        "a number that YAML 1.1 and YAML 1.2 read differently",
        "To dbt's reader `010` is eight, `1_000` a thousand and `12:30:00` the 45,000 of its seconds; \
         other readers see ten and text. The schema judges what dbt's reader sees. Everywhere else a \
         time of day counts as the text that it is written as. Put it in quotes, or write the number \
         in plain digits.";
    YAML_DUPLICATE_KEY = "yaml/duplicate-key", Error,
        "a key stands twice in one mapping",
        "Most readers silently keep one of the two. In dbt's own files, which dbt reads with \
         the last one winning, it is a warning.";
    YAML_KEY = "yaml/key", Error,
        "a key that is not a single value",
        "Lists and mappings cannot be keys here.";
    YAML_LIMIT = "yaml/limit", Error,
        "a document that is too deep or too large",
        "Nesting, the number of values, and what aliases expand to are limited, so that no \
         document can exhaust the memory.";
    YAML_SEVERAL_DOCUMENTS = "yaml/several-documents", Error,
        "several documents in one file",
        "A file holds one contract or product; what follows `---` would be read by some tools \
         and ignored by others. Put each into a file of its own.";
    YAML_SYNTAX = "yaml/syntax", Error,
        "text that is not YAML",
        "The reader could not go on at this place.";
    SCHEMA_INVALID_VALUE = "schema/invalid-value", Error,
        "a value that the standard does not allow",
        "The standard lists or limits what may stand here. The message names what was \
         expected.";
    SCHEMA_MISSING_KEY = "schema/missing-key", Error,
        "a required key is missing",
        "The standard requires the key here.";
    SCHEMA_NEWER_KEY = "schema/newer-key", Error,
        "a key that came with a later version of the standard",
        "The document says by its `apiVersion` which version it follows, and that version \
         does not know the key yet. Raise `apiVersion`, or leave the key out.";
    SCHEMA_OPERATOR = "schema/operator", Error,
        "a quality rule needs exactly one operator",
        "Since ODCS v3.1.0 a library or sql rule compares with exactly one of the `mustBe…` \
         operators.";
    SCHEMA_UNKNOWN_KEY = "schema/unknown-key", Error,
        "a key that the standard does not know",
        "Keys outside the standard are rejected, since a misspelt one would silently do \
         nothing. Your own settings belong into `customProperties`.";
    SCHEMA_UNKNOWN_VERSION = "schema/unknown-version", Error,
        "an `apiVersion` that is not known",
        "The document's `apiVersion` chooses the schema that it is checked against: v3.0.0 to \
         v3.2.0 for contracts, v0.9.0 to v1.1.0 for products.";
    SCHEMA_WRONG_TYPE = "schema/wrong-type", Error,
        "a value of the wrong type",
        "The standard asks for another type here, for example text instead of a number. Text \
         that looks like a number or a boolean needs quotes in YAML.";
}
