//! Every rule in one table: code, default severity, summary and explanation.
//!
//! Codes are `area/what-is-wrong` and never change once released. `dbt-contracts explain` and the
//! documentation read this table; a new finding is a new row here.

use super::Rule;
use super::Severity::{Error, Note, Warning};

/// Declares the rules as statics and lists them all, in the order of their codes.
macro_rules! rules {
    ($($name:ident = $code:literal, $severity:ident, $summary:literal, $explanation:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $name: Rule = Rule {
                code: $code,
                severity: $severity,
                summary: $summary,
                explanation: $explanation,
            };
        )*

        /// All rules, sorted by code.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

/// The rule of that code.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.code.cmp(code))
        .ok()
        .map(|index| ALL[index])
}

rules! {
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
    LINEAGE_CYCLE = "lineage/cycle", Error,
        "contracts depend on each other in a circle",
        "dbt refuses models that select from each other. Break the circle by naming in \
         `inputContracts` only what an output is really made of.";
    LINEAGE_NO_PORT = "lineage/no-port", Note,
        "a contract is in no port",
        "A contract that no product names is taken for a dbt source, and one of which another version \
         is an output for a model as that is. Name it in an input or output port to say what it is.";
    LINEAGE_SELF_REFERENCE = "lineage/self-reference", Warning,
        "a product reads the contract that it outputs",
        "The contract is an output of the product, so it is a model; a model cannot select \
         from itself, and the input is left out of its SQL.";
    LINEAGE_TWO_PRODUCERS = "lineage/two-producers", Error,
        "two products output the same contract",
        "A contract becomes one model with one owner. Let one product output it, and the \
         other read it through an input port.";
    LINEAGE_UNKNOWN_OUTPUTS = "lineage/unknown-outputs", Warning,
        "a product that cannot be read leaves open what is a source",
        "A contract is a source only where no product outputs it. While a product, or its \
         output ports, cannot be read, a contract that looks like a source may be a model, so \
         neither it nor what is made of it is generated; files that are there stay. An output port \
         that leads to no contract leaves only those open that it may mean: which stand as models, \
         or have a similar id.";
    MAPPING_ACCESS = "mapping/access", Error,
        "a model that may not be read as the contracts say",
        "dbt knows the access `private`, `protected` and `public`, and loads no project in which \
         anything refers to a private model of another group. A contract of another product cannot be \
         made of it; a test that would refer to it is left out with a warning.";
    MAPPING_AMBIGUOUS_ADAPTER = "mapping/ambiguous-adapter", Error,
        "the dbt adapter cannot be told",
        "Types and SQL depend on the adapter. It is `dbt.adapter` in the configuration, else \
         the type of the profile's target, else the one type that all servers share.";
    MAPPING_AMBIGUOUS_SERVER = "mapping/ambiguous-server", Error,
        "a contract has several servers and none is chosen",
        "A source lives in one place. `dbt.server` in the configuration chooses by server \
         name or environment.";
    MAPPING_FRESHER_THAN_INPUT = "mapping/fresher-than-input", Warning,
        "a contract promises fresher data than its input delivers",
        "Data cannot become younger on its way: where an input may be a day old, so may what is made \
         of it. Relax the promise, or have the input's contract promise more.";
    MAPPING_HELD_BACK = "mapping/held-back", Warning,
        "a model waits for a contract that is not generated",
        "The SQL of a model selects from what it is made of, and versions of a model stand in one file. \
         Where one of these contracts has errors or is retired, the model is not generated either; \
         what is on disk stays as it is until the cause is gone.";
    MAPPING_INVALID_RULE = "mapping/invalid-rule", Warning,
        "a quality rule that no test can be made of",
        "The query or implementation of the rule is not what the standard asks for: one query that \
         returns one value, with placeholders such as `{object}` and `{property}`, or a data test as \
         dbt writes it. The promise is not checked until the rule is repaired.";
    MAPPING_JOIN_UNKNOWN = "mapping/join-unknown", Warning,
        "several inputs, and no relationship that joins them",
        "The input that offers most columns is selected from; the others are imported but not \
         joined, since guessing a join would invent rows. Add a relationship to one of the \
         contracts, or write the SQL yourself: an edited file stays yours.";
    MAPPING_MISSING_INPUT_COLUMN = "mapping/missing-input-column", Warning,
        "a column that no input offers",
        "The staging SQL selects a typed null for it. Give the property a `transformLogic`, \
         or name the input that has the column.";
    MAPPING_NAME_COLLISION = "mapping/name-collision", Error,
        "two artifacts want the same dbt name or file",
        "dbt names are global in a project, and file systems may not tell upper from lower \
         case. Give one of them another name with the custom property `dbt.model` or \
         `dbt.source`, or change `naming` in the configuration.";
    MAPPING_NO_COLUMNS = "mapping/no-columns", Warning,
        "an object without properties",
        "Without columns a model promises nothing. Where the model stands with columns, their loss is \
         taken for a mistake: nothing of the contract is written until its properties are back.";
    MAPPING_NO_COUNTERPART = "mapping/no-counterpart", Note,
        "a part of the contract that dbt cannot hold",
        "Nothing is dropped without a word: what has no dbt counterpart is counted, and \
         listed with `-v`.";
    MAPPING_NO_UPSTREAM = "mapping/no-upstream", Warning,
        "a model contract without any input",
        "The contract is an output of a product that reads nothing, so its SQL has no source \
         to select from. It selects typed nulls and no rows until an input port or your own \
         SQL is there.";
    MAPPING_NOT_ENFORCEABLE = "mapping/not-enforceable", Warning,
        "the model contract cannot be enforced",
        "dbt enforces a model contract only where every column has a type and the \
         materialization allows it. The model is generated without; its tests carry the \
         promises.";
    MAPPING_PACKAGES = "mapping/packages", Warning,
        "a package test is used whose package is not ready",
        "The test comes from a package that `packages.yml` or `dependencies.yml` lists; it \
         needs `dbt deps`, and dbt_expectations needs the variable `dbt_date:time_zone`.";
    MAPPING_SOURCE_WITHOUT_SERVER = "mapping/source-without-server", Warning,
        "nothing says where a source lives",
        "Without a server, dbt looks for the tables in a schema that is named like the \
         source. Add a server to the contract, or the custom properties `dbt.database` and \
         `dbt.schema`.";
    MAPPING_TEMPLATE = "mapping/template", Error,
        "a template could not be rendered",
        "The template of that name, embedded or your own in `contracts/templates/`, failed. \
         The message is the template engine's, with the line.";
    MAPPING_TRANSFORM_NOT_SQL = "mapping/transform-not-sql", Warning,
        "`transformLogic` is not a SQL expression",
        "Only a single expression can stand in the column list. Whole statements and prose \
         are kept as a comment beside a typed null or the input's column of that name.";
    MAPPING_UNKNOWN_TYPE = "mapping/unknown-type", Warning,
        "a type that the adapter's table does not know",
        "The `logicalType` decides instead. Where that says nothing either, no type is guessed: \
         the column gets no `data_type`. Use a `logicalType` with options, or a \
         `physicalType` that the dialect of the contract's server knows.";
    MAPPING_UNQUOTABLE_NAME = "mapping/unquotable-name", Error,
        "a name that dbt cannot put into SQL",
        "dbt puts quotes around the names of columns and relations and escapes nothing in them, \
         so a name that is empty or contains the quotes of the adapter breaks every query. Give \
         it another `physicalName`.";
    MAPPING_UNSAFE_PATH = "mapping/unsafe-path", Error,
        "an artifact would be written outside the project",
        "Layout and names may not lead out of the project directory or to a name that some \
         file systems reserve.";
    MAPPING_UNSTATED_PRECISION = "mapping/unstated-precision", Warning,
        "a number without precision",
        "The standard gives `number` no precision, and a default of the warehouse may round. \
         A physicalType such as `decimal(12,2)`, or the option `format`, says what is meant; \
         `types.number` sets the rule for all.";
    MERGE_BLOCKED = "merge/blocked", Error,
        "a generated file cannot stand at its path",
        "A folder stands where the file belongs, a file where its folder belongs, a symbolic \
         link leads outside the project, or the file cannot be read. Not even `--force` writes \
         there. Move what is in the way, or change `layout` in the configuration.";
    MERGE_EDITED = "merge/edited", Warning,
        "a file that a person changed, or that was never generated",
        "The file is yours and stays as it is. Where the contract's side has not changed since, \
         that is all. Where it has, or where the file was never generated, it is a conflict and an \
         error until somebody decides: `dbt-contracts sync --force` takes the contract's side, \
         `dbt-contracts sync --keep-mine` records it as seen and leaves yours.";
    MERGE_LOCK = "merge/lock", Error,
        "the lock file cannot be used",
        "`contracts/dbt-contracts.lock` records what was generated. It is written by the tool \
         and should be committed, not edited. With git conflict markers in it, take either \
         side and run `dbt-contracts sync`.";
    MERGE_ORPHANED = "merge/orphaned", Warning,
        "a generated file that no contract asks for any more",
        "Its contract was removed or renamed. `dbt-contracts sync --prune` deletes it, unless \
         it was changed by hand; then it is left to you.";
    REFERENCE_AMBIGUOUS = "reference/ambiguous", Error,
        "a reference that several things answer to",
        "Names must be unique where they are referred to. Refer by id, or rename one of them.";
    REFERENCE_DUPLICATE_CONTRACT = "reference/duplicate-contract", Error,
        "two files hold the same contract",
        "A contract is known by its id and version; two files with the same pair cannot both \
         be right. Give one a new version, or remove it.";
    REFERENCE_DUPLICATE_PRODUCT = "reference/duplicate-product", Error,
        "two files hold the same product",
        "A product is known by its id and version; two files with the same pair cannot both \
         be right.";
    REFERENCE_PORT_WITHOUT_CONTRACT = "reference/port-without-contract", Warning,
        "a port names no contract",
        "Nothing can be generated for a port without `contractId`.";
    REFERENCE_UNDECLARED_INPUT = "reference/undeclared-input", Warning,
        "an output depends on a contract that is no input port",
        "`inputContracts` names a contract that the product neither lists among its input \
         ports nor outputs itself. It counts for lineage; declare it as an input port.";
    REFERENCE_UNKNOWN_CONTRACT = "reference/unknown-contract", Error,
        "a port names a contract that is not there",
        "No document in the workspace has that id. Ids are compared exactly, letter by \
         letter. `validation.cross_reference` sets how much this weighs.";
    REFERENCE_UNKNOWN_PROPERTY = "reference/unknown-property", Warning,
        "a reference to a property or object that is not there",
        "A relationship leads to a schema object or property that the contract does not have, so \
         no test can be made of it; everything else of the contract still holds. Names are \
         `object.property`; ids are `schema/<id>/properties/<id>`.";
    REFERENCE_UNKNOWN_VERSION = "reference/unknown-version", Error,
        "a port names a version that is not there",
        "The contract exists, but not in a version of that major number.";
    REFERENCE_VERSION_DIFFERS = "reference/version-differs", Warning,
        "a port names a version that differs from the contract's",
        "The port's version is the version of the contract behind it. The contract is used \
         all the same, since the major number agrees.";
    RULE_BOUND_KIND = "rule/bound-kind", Error,
        "a bound of a date or time that is none",
        "`minimum` and its kin of a date, timestamp or time are values of that type, written as \
         ISO 8601 does. The generated tests compare with them, which would fail in the \
         warehouse. Where the property has a `format` of its own, it is a warning.";
    RULE_CONTRADICTING_BOUNDS = "rule/contradicting-bounds", Error,
        "two bounds that leave no value",
        "A least value above the greatest one, or an exclusive bound that is the other bound, \
         is kept by no row at all. Correct one of the two.";
    RULE_CUSTOM_PROPERTY = "rule/custom-property", Warning,
        "a custom property without a name, or given twice",
        "Custom properties become entries of `meta`, where each name stands once. Of two with one \
         name the last one counts.";
    RULE_DIFFERING_VALUES = "rule/differing-values", Warning,
        "two lists of the only values that a property may have",
        "`enum` and the `validValues` of a quality rule say which values a property may have. Where \
         they differ, only what stands in both lists passes all tests.";
    RULE_DUPLICATE_ID = "rule/duplicate-id", Warning,
        "an id stands twice in one list",
        "The standard asks for ids that are unique in their list, since references go by \
         them.";
    RULE_DUPLICATE_NAME = "rule/duplicate-name", Error,
        "two siblings have one name",
        "Objects, and the properties of one object, are told apart by their names: in \
         references, in dbt and in the warehouse. Names that differ in case only are a warning, \
         since most warehouses do not tell them apart, and so are two servers of one name.";
    RULE_DUPLICATE_PORT = "rule/duplicate-port", Warning,
        "two ports have one name and version",
        "A port is known by its name and version. The same name with another version is \
         another port.";
    RULE_EMPTY_ID = "rule/empty-id", Error,
        "a contract or product whose id is empty",
        "Ports, lineage and generated files know a document by its id. An empty one, or one of \
         blanks, names nothing; give it a text that stays the same over all versions.";
    RULE_INVALID_ALLOW = "rule/invalid-allow", Warning,
        "a comment that is meant to silence findings and cannot",
        "`# dbt-contracts: allow(code)`, at the end of a line or on a line of its own directly above, \
         silences findings of that code on that line. Several codes are separated by commas, and a \
         reason may follow the bracket. Errors of pass 1, in the areas `yaml` and `schema`, and \
         circles of contracts cannot be silenced.";
    RULE_INVALID_DATE = "rule/invalid-date", Warning,
        "a date of the contract or its team that is none",
        "`contractCreatedTs`, `dateIn` and `dateOut` are dates as ISO 8601 writes them. Who \
         owns the data today is told from them.";
    RULE_INVALID_PATTERN = "rule/invalid-pattern", Error,
        "a pattern that is no regular expression",
        "Patterns are regular expressions of ECMA-262. One that cannot be read fails in the \
         warehouse too. What ECMA-262 does not have and other dialects do, such as `(?i)`, is a \
         warning.";
    RULE_KEY_POSITION = "rule/key-position", Warning,
        "positions in a key that give no order",
        "`primaryKeyPosition` and `partitionKeyPosition` count from 1, and stand on the \
         properties of the key: on all or on none, each number once. Otherwise the order in \
         the file decides.";
    RULE_METRIC_ARGUMENTS = "rule/metric-arguments", Warning,
        "a metric lacks an argument, or has one that it does not know",
        "`invalidValues` takes `validValues` or `pattern`, `missingValues` may list \
         `missingValues`, and `duplicateValues` on an object takes `properties`. A misspelt \
         argument would silently do nothing.";
    RULE_METRIC_LEVEL = "rule/metric-level", Warning,
        "a metric stands where it cannot be measured",
        "Rows are counted on an object; null, missing and invalid values on a property.";
    RULE_METRIC_UNIT = "rule/metric-unit", Warning,
        "a unit that a metric does not have",
        "Metrics are counted in rows or in percent of all rows; the number of rows itself is \
         no share of them.";
    RULE_NULLABLE_KEY = "rule/nullable-key", Note,
        "a part of the primary key may be null",
        "A primary key is never null. `required: false` beside `primaryKey: true` contradicts \
         that; the key wins, and the property is tested for nulls.";
    RULE_QUERY_WITHOUT_RELATION = "rule/query-without-relation", Note,
        "a query that is about no object of the contract",
        "The query of a quality rule names neither its object nor a placeholder for it, so it \
         may not check what it stands on.";
    RULE_RELATIONSHIP_LENGTH = "rule/relationship-length", Error,
        "a relationship pairs unequal numbers of properties",
        "The properties in `from` and `to` are paired in order; without a partner, one of them \
         says nothing. A relationship on a property starts at that property alone.";
    RULE_RELATIONSHIP_START = "rule/relationship-start", Error,
        "a relationship starts at another object",
        "A relationship belongs to the object that it starts at; nothing is generated for it \
         elsewhere.";
    RULE_RELATIONSHIP_TARGET = "rule/relationship-target", Warning,
        "a relationship leads to no property, to itself or to several objects",
        "Values are compared with the values of properties, all of one object and not the ones that \
         they are themselves. Nothing is tested until the relationship names them.";
    RULE_RELATIONSHIP_TO_NO_KEY = "rule/relationship-to-no-key", Note,
        "a relationship leads to a property that is no key",
        "A foreign key refers to something that is unique. The test works all the same, but a \
         join would multiply rows where the property is not unique.";
    RULE_RELATIONSHIP_TYPES = "rule/relationship-types", Warning,
        "a relationship compares properties of different types",
        "Warehouses refuse to compare values of different types, or convert them in a way of \
         their own. Give both properties one `logicalType`.";
    RULE_REPEATED_VALUE = "rule/repeated-value", Warning,
        "an allowed value is listed twice",
        "A value in `enum` or `validValues` stands once; two labels for it would contradict \
         each other.";
    RULE_SEMANTIC_TYPE = "rule/semantic-type", Warning,
        "a promise about stored values on a measure or dimension",
        "Measures and dimensions are computed on reading and are no columns. Keys and \
         constraints on them are not generated.";
    RULE_SERVICE_LEVEL_ELEMENT = "rule/service-level-element", Warning,
        "a service level is measured on nothing",
        "`element` names an object, or a property as `object.property`; several are separated \
         by commas, and the object may be left out.";
    RULE_SERVICE_LEVEL_PROPERTY = "rule/service-level-property", Note,
        "a service level that the standard does not name",
        "The standard gives a meaning to some names, such as `latency`, `frequency`, \
         `retention` or `endOfLife`. Others are kept and not acted on, but for `freshness`, which is \
         read as `latency`; a misspelt one is a warning.";
    RULE_SERVICE_LEVEL_UNIT = "rule/service-level-unit", Warning,
        "a unit of time that is none",
        "Latency, frequency, retention and reaction times are lengths of time, in days, years \
         or another unit of time.";
    RULE_SERVICE_LEVEL_VALUE = "rule/service-level-value", Warning,
        "a service level that needs a date has none",
        "General availability, end of support and end of life are dates as ISO 8601 writes \
         them.";
    RULE_THRESHOLD = "rule/threshold", Error,
        "a threshold that a metric can never keep, or never break",
        "A number of rows is never negative, and a share lies between 0 and 100 percent. A \
         rule that can never hold is an error; one that always holds, one with the greater \
         number first, and one whose threshold is no number are warnings.";
    RULE_UNKNOWN_TIMEZONE = "rule/unknown-timezone", Warning,
        "a time zone that is none",
        "`defaultTimezone` is a name of the IANA database, such as `Europe/Paris` or `UTC`.";
    RULE_UNRESOLVED_VARIABLE = "rule/unresolved-variable", Error,
        "a variable that has no value",
        "`${NAME}` in a text stands for the variable of that name in the environment, since ODCS \
         v3.2.0 and ODPS v1.1.0. One that is unset or empty is never taken for an empty text: give it a \
         value, or the reference a default as in `${NAME:-default}`. In the part of a server that \
         nothing is generated from, such as `host` and `port`, it is a warning.";
    RULE_UNUSED_ALLOW = "rule/unused-allow", Warning,
        "a comment silences findings that are not there",
        "What `# dbt-contracts: allow(code)` was written for is gone, or stands on another line. \
         Left where it is, it would hide the next finding of that code. Codes of `mapping` are only \
         judged by commands that generate.";
    RULE_VALUE_TYPE = "rule/value-type", Error,
        "an allowed value that is not of the property's type",
        "No value of the property can ever be equal to it, and the generated test would fail \
         in the warehouse. A number in the list of a text property is a warning: in quotes it \
         is read as it is written. So are lists of several types.";
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
    STATUS_BELOW_MINIMUM = "status/below-minimum", Error,
        "a status lower than the project asks for",
        "`validation.min_status` sets the least status: proposed, draft or active. A retired \
         contract is never active.";
    STATUS_DEPRECATED = "status/deprecated", Warning,
        "a contract is deprecated",
        "It is still generated; its readers should move on.";
    STATUS_OUTPUT_NOT_ACTIVE = "status/output-not-active", Warning,
        "an active product outputs a contract that is not in force",
        "A product that is active promises its outputs, and a contract that is proposed, a \
         draft or retired promises nothing yet or any more. Raise the contract's status, or \
         lower the product's.";
    STATUS_RETIRED = "status/retired", Warning,
        "a contract is retired",
        "Nothing new is generated for it; what exists is kept.";
    STATUS_RETIRED_INPUT = "status/retired-input", Warning,
        "a retired contract is still read",
        "A port or output still depends on a contract that is no longer in force. Move on to \
         what replaces it.";
    STATUS_UNKNOWN = "status/unknown", Warning,
        "a status that is none of the known words",
        "Known are proposed, draft, active, deprecated and retired. From older examples of the \
         standard, production and current count as active, development and test as draft, \
         without a finding. Any other word counts as draft, with this one.";
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
}

#[cfg(test)]
mod tests;
