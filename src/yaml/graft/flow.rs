//! Collections in brackets: the changes of one come in, edits between its commas go out.

use super::block::odd;
use super::page::{Page, is_blank, is_missing, property_start};
use super::plan::{Child, Family, children};
use super::{Cut, Editor, Rank};

/// Where a child in brackets stands.
struct Place {
    start: usize,
    end: usize,
    /// Where the comma behind it ends, if there is one.
    comma: Option<usize>,
    /// Whether nothing but comments shares its lines.
    own_lines: bool,
}

impl Editor<'_, '_> {
    /// The changes of a collection in brackets.
    pub(super) fn flow(&mut self, family: &Family<'_>) -> Result<(), String> {
        let children = children(family.node);
        let page = self.page();
        let places = places(page, &children);
        let json = self.edits.json;
        for (&index, fate) in &family.children {
            if let Some(cut) = &fate.replaced {
                let place = places[index].as_ref().ok_or_else(odd)?;
                self.replace_flow(&children[index], place, &cut.flow(json)?)?;
            }
        }
        let bracketed = page.text[family.node.span.range()].starts_with(['[', '{']);
        let replaces_only = family.before.is_empty()
            && family
                .children
                .values()
                .all(|fate| !fate.removed && fate.behind.is_empty());
        if replaces_only {
            return Ok(());
        }
        if !bracketed {
            return Err(odd());
        }
        self.insert_first(family, &children, &places)?;
        for (&index, fate) in &family.children {
            if fate.behind.is_empty() {
                continue;
            }
            let place = places[index].as_ref().ok_or_else(odd)?;
            if fate.removed {
                let text = self.joined(&fate.behind)?;
                self.patch(place.start, place.end, text, Rank::Body);
                continue;
            }
            let next_goes = family.is_gone(index + 1);
            self.insert_behind(place, &fate.behind, next_goes)?;
        }
        self.remove_from(family, &children, &places)
    }

    fn joined(&self, cuts: &[Cut<'_>]) -> Result<String, String> {
        let json = self.edits.json;
        let texts = cuts.iter().map(|cut| cut.flow_child(json));
        Ok(texts.collect::<Result<Vec<String>, String>>()?.join(", "))
    }

    fn insert_first(
        &mut self,
        family: &Family<'_>,
        children: &[Child<'_>],
        places: &[Option<Place>],
    ) -> Result<(), String> {
        if family.before.is_empty() {
            return Ok(());
        }
        if children.is_empty() {
            let at = family.node.span.start() + 1;
            let text = self.joined(&family.before)?;
            self.patch(at, at, text, Rank::Beside);
            return Ok(());
        }
        let first = children.iter().position(|child| !child.is_merged());
        let place = first
            .and_then(|first| places[first].as_ref())
            .ok_or_else(odd)?;
        let page = self.page();
        let separator = if place.own_lines {
            format!(",{}{}", self.edits.line_break, page.lead(place.start))
        } else {
            ", ".to_owned()
        };
        let json = self.edits.json;
        let mut text = String::new();
        for cut in &family.before {
            text += &cut.flow_child(json)?;
            text += &separator;
        }
        self.patch(place.start, place.start, text, Rank::Beside);
        Ok(())
    }

    fn insert_behind(
        &mut self,
        place: &Place,
        cuts: &[Cut<'_>],
        next_goes: bool,
    ) -> Result<(), String> {
        let page = self.page();
        if !place.own_lines || next_goes {
            let text = format!(", {}", self.joined(cuts)?);
            self.patch(place.end, place.end, text, Rank::Beside);
            return Ok(());
        }
        let json = self.edits.json;
        let line = format!("{}{}", self.edits.line_break, page.lead(place.start));
        let mut texts = Vec::new();
        for cut in cuts {
            texts.push(line.clone() + &cut.flow_child(json)?);
        }
        let mut text = texts.join(",");
        if place.comma.is_some() {
            text.push(',');
        } else {
            self.patch(place.end, place.end, ",".to_owned(), Rank::Beside);
        }
        let at = page.line_end(place.comma.unwrap_or(place.end));
        self.patch(at, at, text, Rank::Beside);
        Ok(())
    }

    fn remove_from(
        &mut self,
        family: &Family<'_>,
        children: &[Child<'_>],
        places: &[Option<Place>],
    ) -> Result<(), String> {
        let page = self.page();
        let place = |index: usize| places.get(index).and_then(Option::as_ref).ok_or_else(odd);
        let stays = |index: &usize| !family.is_gone(*index);
        let gone = (0..children.len()).filter(|index| family.is_gone(*index));
        for index in gone {
            let this = place(index)?;
            let stays_before = (0..index).rev().find(stays);
            let stays_behind = (index + 1..children.len()).any(|index| stays(&index));
            if this.own_lines {
                let end = page.line_end(this.comma.unwrap_or(this.end));
                let start = page.line_before(page.line_start(this.start));
                self.patch(start, end, String::new(), Rank::Body);
                // The last of those that go takes the comma of the last one that stays, if it had none.
                if !stays_behind
                    && index + 1 == children.len()
                    && this.comma.is_none()
                    && let Some(before) = stays_before
                {
                    let before = place(before)?;
                    let comma = before.comma.ok_or_else(odd)?;
                    self.patch(comma - 1, comma, String::new(), Rank::Body);
                }
                continue;
            }
            let (start, end) = if stays_before.is_some() {
                (place(index - 1)?.end, this.end)
            } else if stays_behind {
                (this.start, place(index + 1)?.start)
            } else {
                (this.start, this.end)
            };
            if page.has_comment(start, end) {
                return Err(odd());
            }
            self.patch(start, end, String::new(), Rank::Body);
        }
        Ok(())
    }

    fn replace_flow(&mut self, child: &Child<'_>, place: &Place, text: &str) -> Result<(), String> {
        let old = child.value;
        if !is_missing(old) {
            let span = old.place();
            self.patch(span.start(), span.end(), text.to_owned(), Rank::Head);
            return Ok(());
        }
        let key = &child.entry.ok_or_else(odd)?.key;
        let page = self.page();
        match page.colon(key) {
            Some(colon) => self.patch(colon, colon, format!(" {text}"), Rank::Head),
            None => self.patch(place.end, place.end, format!(": {text}"), Rank::Head),
        }
        Ok(())
    }
}

/// Where the children stand; none for those whose text is elsewhere.
fn places(page: Page<'_>, children: &[Child<'_>]) -> Vec<Option<Place>> {
    let place = |child: &Child<'_>| {
        let start = match child.entry {
            Some(entry) if entry.merged => return None,
            Some(entry) => property_start(&entry.key),
            None => property_start(child.value),
        };
        let key_end = child.entry.map_or(start, |entry| {
            page.colon(&entry.key).unwrap_or(entry.key.place().end())
        });
        let end = if is_missing(child.value) && child.value.properties.is_none() {
            key_end
        } else {
            page.end(child.value)
        };
        let comma = comma(page, end);
        let rest_from = comma.unwrap_or(end);
        let rest = &page.text[rest_from..page.line_end(rest_from)];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest_is_empty = is_blank(rest) || page.comment_at(rest_from + blanks).is_some();
        let comma_is_near = !page.text[end..rest_from].contains(['\n', '\r']);
        Some(Place {
            start,
            end,
            comma,
            own_lines: page.is_own_line(start) && rest_is_empty && comma_is_near,
        })
    };
    children.iter().map(place).collect()
}

/// Where the comma behind a byte ends, comments apart.
fn comma(page: Page<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = page.text[at..].trim_start();
        at = page.text.len() - rest.len();
        match page.comment_at(at) {
            Some(comment) if comment.end() > at => at = comment.end(),
            _ => return rest.starts_with(',').then_some(at + 1),
        }
    }
}
