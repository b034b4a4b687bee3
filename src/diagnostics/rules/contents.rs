//! What the text of the standards asks of a document beyond its schema, and its status.

use super::Rule;
use super::Severity::{Error, Note, Warning};

rules! { CONTENTS:
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
}
