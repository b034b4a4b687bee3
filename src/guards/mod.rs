//! Guards: questions about data and SQL that a contract answers before anything is loaded.
//!
//! [`drift`] asks whether what arrives still has the shape of its contract, [`assess`] for every
//! relation. What arrives is read by [`observed`], types are compared by [`types`], and what becomes
//! of a difference is the table of [`policy`]. [`adopt`] brings the contract up to what is there.

pub mod adopt;
pub mod assess;
pub mod drift;
pub mod observed;
pub mod policy;
pub mod types;
