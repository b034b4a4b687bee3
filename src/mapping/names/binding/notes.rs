//! What is told of objects that the project has already.

use super::key;
use crate::diagnostics::{Diagnostic, rules};
use crate::mapping::names::template::Setting;
use crate::mapping::names::{Named, Naming, Relation, of_object};
use crate::odcs::SchemaObject;
use crate::plan::is_generated;

impl Naming<'_> {
    /// The notes that objects are something that the project has, and how the two were found to be the
    /// same.
    pub(in crate::mapping::names) fn bound(&self, own: &Named) -> Vec<Diagnostic> {
        let objects = self.contract.objects.iter().zip(&own.relations);
        let notes = objects
            .enumerate()
            .filter_map(|(place, (object, relation))| {
                let sql = own.staging.get(place).map_or("", String::as_str);
                self.bound_object(object, relation, [&own.properties, sql])
            });
        notes.collect()
    }

    /// The note on one object, unless it is in one of these files, which are made for it.
    fn bound_object(
        &self,
        object: &SchemaObject,
        relation: &Relation,
        made: [&str; 2],
    ) -> Option<Diagnostic> {
        let (source, name) = key(relation);
        let (words, setting) = match source {
            None => (&self.project.models, "dbt.model"),
            Some(_) => (&self.project.tables, "dbt.table"),
        };
        let of_source = source.and_then(|_| self.source_stated(object));
        let mut known = words.names.get(name)?.iter();
        let known = known.find(|known| known.source == source)?;
        let home = self.project.home(relation);
        // Without a lock, only its first line tells that a file was generated.
        if made.contains(&known.path) || home.is_some_and(|home| is_generated(&home.file.text)) {
            return None;
        }
        let by = if self.custom(object, setting).is_some() {
            format!("its `{setting}`")
        } else if of_source.is_some() {
            "its `dbt.source`".to_owned()
        } else if let Relation::Source { location, .. } = relation {
            let rendered = self.table_name(object).ok()?;
            let met = self.meet_table(object, &rendered, location).ok()?;
            met.map_or("its naming", |(level, _)| level).to_owned()
        } else {
            let rendered = self.render(Setting::Model, of_object(object)).ok()?;
            let (level, _) = self.meet_model(object, &rendered).ok()??;
            level.to_owned()
        };
        let what = match source {
            None => format!("model `{name}`"),
            Some(source) => format!("source table `{source}.{name}`"),
        };
        let message = format!(
            "the object `{}` is the {what} of `{}`, by {by}",
            object.name.value, known.path
        );
        let document = &self.contract.document;
        let finding = document.finding(&rules::MAPPING_BOUND, object.name.span, message);
        let finding = match home {
            Some(home) => finding.label(&home.file, home.span, "this one"),
            None => finding,
        };
        Some(finding.contract(self.contract.id.value.clone()))
    }
}
