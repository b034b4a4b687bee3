//! What becomes of contracts in dbt: how they are mapped, and merged with what is there.

use super::Rule;
use super::Severity::{Error, Note, Warning};

rules! { OUTPUT:
    MAPPING_ACCESS = "mapping/access", Error,
        "a model that may not be read as the contracts say",
        "dbt knows the access `private`, `protected` and `public`, and loads no project in which \
         anything refers to a private model of another group. A contract of another product cannot be \
         made of it; a test that would refer to it is left out with a warning.";
    MAPPING_AMBIGUOUS_BINDING = "mapping/ambiguous-binding", Error,
        "an object may be more than one model or source table of the project",
        "What the project has already for an object is described where it stands, and not made anew. \
         Objects are found by `meta.data_contract`, by their name, their naming, their physical name \
         and these in another case, in that order. Where one of them leads to two, say which one is \
         meant with `dbt.model`, or `dbt.source` and `dbt.table`. One that is described in two places \
         is refused too, as by dbt itself: put both entries together.";
    MAPPING_AMBIGUOUS_ADAPTER = "mapping/ambiguous-adapter", Error,
        "the dbt adapter cannot be told",
        "Types and SQL depend on the adapter. It is `dbt.adapter` in the configuration, else \
         the type of the profile's target, else the one type that all servers share.";
    MAPPING_BOUND = "mapping/bound", Note,
        "an object is something that the project has already",
        "What a person has described, or written the SQL of, is not made again: what the contract says \
         goes where it stands. The first that matches counts: `dbt.model` or `dbt.table`, \
         `meta.data_contract`, the name of the object, its naming, its physical name, its name in \
         another case.";
    MAPPING_BOUND_DIFFERS = "mapping/bound-differs", Warning,
        "a model that a person describes is set up in another way than its contract has it",
        "How a model is built and who may read it stays with its author: its alias, schema, database, \
         materialization, access, group, enforcement, what it does with new columns, and whether dbt \
         builds it at all. `dbt.alias`, `dbt.schema`, `dbt.database`, `dbt.materialized`, `dbt.access` \
         and `dbt.enforced` have the contract decide after all.";
    MAPPING_AMBIGUOUS_SERVER = "mapping/ambiguous-server", Error,
        "a contract has several servers and none is chosen",
        "A source lives in one place. `dbt.server` in the configuration chooses by server \
         name or environment.";
    MAPPING_DBT_VERSION = "mapping/dbt-version", Note,
        "the release of dbt that is written for is open",
        "dbt 1.10.8 and later want the arguments of tests under `arguments`, and what describes sources \
         and columns under `config`; releases before it read neither. `dbt.version` in the configuration \
         says which one is written for, else the oldest that `require-dbt-version` lets in, else one of \
         today.";
    MAPPING_FOREIGN_SQL = "mapping/foreign-sql", Warning,
        "a quality rule in the SQL of another warehouse",
        "Queries of contracts are in the dialect of the server that the contract names, and run on the \
         one that dbt is connected to. The test is written as it stands and stops with an error \
         there. Write the query so that both read it, or generate for the other adapter.";
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
    MAPPING_NO_OBJECTS = "mapping/no-objects", Warning,
        "a contract without objects",
        "The standard does not require a `schema`, and without one there is nothing to make models or \
         sources of. For a contract that is in no output port it is a note.";
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
    MAPPING_OTHER_VERSION = "mapping/other-version", Warning,
        "a port gets another version than it names",
        "A source is one table and has one contract: of several versions the one that input ports name, \
         and the highest of them that is in force where ports name several. So has a model that a \
         person has as one: the version that an output port names. Let all ports name the \
         version that the table follows.";
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
         there. Move what is in the way, or change `layout` in the configuration. What a file of yours \
         describes stays as it is as long as the file cannot be read.";
    MERGE_EDITED = "merge/edited", Warning,
        "something that a person changed, or that was never generated",
        "It is yours and stays as it is: a description, type, test or other value of a properties file, or \
         another file as a whole. Where the contract's side has not changed since, that is all. Where it \
         has, or where it was never generated and differs, it is a conflict and an error until somebody \
         decides: `dbt-contracts sync --force` takes the contract's side, `dbt-contracts sync --keep-mine` \
         records it as seen and leaves yours. A value that an anchor or a merge key shares with others is \
         told and never edited. A changed file that the contract now asks for at another path is such a \
         conflict too: you may also move it there.";
    MERGE_HELD = "merge/held", Warning,
        "a file waits for another one of its contract that is in conflict",
        "dbt reads the files of a contract together: with new columns in the properties and the old \
         SQL beside them, a build breaks. As long as one is in conflict, the others stay as they are.";
    MERGE_LOCK = "merge/lock", Error,
        "the lock file cannot be used",
        "`contracts/dbt-contracts.lock` records what was generated. It is written by the tool \
         and should be committed, not edited. With git conflict markers in it, take either \
         side and run `dbt-contracts sync`.";
    MERGE_ORPHANED = "merge/orphaned", Warning,
        "something generated that no contract asks for any more",
        "Its contract or object is gone, or is called otherwise. `dbt-contracts sync --prune` deletes it, unless \
         it was changed by hand; then it is left to you. In a properties file of yours it takes out what was \
         generated and leaves the entry itself.";
}
