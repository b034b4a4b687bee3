//! What of a properties file does not come along: the list that no run leaves out.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostics::SourceFile;
use crate::yaml::Span;

/// Something that the contracts do not say, or that dbt will not get back from them as it was.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The file that says it.
    pub file: Arc<SourceFile>,
    /// Where it stands there.
    pub span: Span,
    /// What it is.
    pub what: String,
    /// Why it does not come along.
    pub why: String,
}

impl Loss {
    /// The line that it stands in, from 1.
    pub fn line(&self) -> usize {
        self.file.position(self.span.start()).0
    }
}

/// All losses of a run, each once.
#[derive(Debug, Default)]
pub(super) struct Losses {
    list: Vec<Loss>,
    seen: BTreeSet<(String, usize, String)>,
}

impl Losses {
    /// Adds a loss, unless it is there.
    pub(super) fn add(
        &mut self,
        file: &Arc<SourceFile>,
        span: Span,
        what: impl Into<String>,
        why: impl Into<String>,
    ) {
        let what = what.into();
        let key = (file.path.clone(), span.start(), what.clone());
        if self.seen.insert(key) {
            self.list.push(Loss {
                file: Arc::clone(file),
                span,
                what,
                why: why.into(),
            });
        }
    }

    /// The losses in the order of the files.
    pub(super) fn sorted(mut self) -> Vec<Loss> {
        self.list.sort_by(|one, other| {
            let key = |loss: &Loss| (loss.file.path.clone(), loss.span.start());
            key(one).cmp(&key(other))
        });
        self.list
    }
}
