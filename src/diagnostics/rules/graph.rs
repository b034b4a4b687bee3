//! How documents hang together: the references between them, and the lineage that ports give.

use super::Rule;
use super::Severity::{Error, Note, Warning};

rules! { GRAPH:
    LINEAGE_CHANGED_ROLE = "lineage/changed-role", Warning,
        "a contract was a model and becomes a source",
        "What no product outputs comes from outside: its models are orphans from now on, and what was \
         made of them reads a source instead. If the product or its output port is only gone by \
         mistake, restore it.";
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
}
