//! What the guards find before anything is loaded.

use super::Rule;
use super::Severity::{Error, Warning};

rules! { GUARDS:
    DRIFT_CANNOT_JUDGE = "drift/cannot-judge", Error,
        "a source could not be compared with its contract",
        "Its relation was not observed, or more was asked than the observation says. What could \
         not be judged never passes: `drift` ends with exit code 2. Observe the relation, or leave \
         its contract out with `--exclude`.";
    DRIFT_REJECTED = "drift/rejected", Error,
        "a source has other columns than its contract and its policy allow",
        "Loading it would fill trusted tables with nulls, zeros or nothing. Repair the source, or \
         publish a version of the contract that says what is there now. A looser policy, in the \
         custom property `dbt.drift_policy` or in `drift.policy`, lets more through.";
    DRIFT_TOLERATED = "drift/tolerated", Warning,
        "a source differs from its contract in a way that its policy lets through",
        "It is loaded all the same. Bring the contract up to what is there, so that the next \
         difference is seen.";
}
