//! Events to trees: the events of the parser come in, documents and problems collect.

use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, StructureStyle, Tag,
};

use super::anchor::{Anchors, Measure, Target};
use super::mapping::{Entry, Mapping};
use super::node::{Data, Node, Properties, Span, Style};
use super::parse::{Limits, Parsed, Problem, ProblemKind};
use super::{extent, merge, scalar, syntax};

/// The parser over a text.
pub(super) type Events<'text> = Parser<'text, StrInput<'text>>;

pub(super) struct Builder<'text> {
    text: &'text str,
    limits: &'text Limits,
    pub(super) parsed: Parsed,
    /// The collections that are open, the innermost last.
    frames: Vec<Frame>,
    /// The finished children of all open sequences, those of the innermost last. Each sequence takes its
    /// own when it is closed, so that its list has the room that it needs and was never moved.
    items: Vec<Node>,
    /// The same of all open mappings.
    entries: Vec<Entry>,
    root: Option<Node>,
    anchors: Anchors<'text>,
    /// Values read so far.
    nodes: usize,
    /// The end of the last token of a node, where the search for a block scalar's `|` begins.
    cursor: usize,
}

/// A collection under construction.
struct Frame {
    children: Children,
    /// Where the first and last children stand so far; for brackets, where they do.
    span: Option<Span>,
    style: Style,
    head: Head,
    measure: Measure,
}

/// What a collection holds so far: all that is finished from the place `first` on.
enum Children {
    Sequence { first: usize },
    Mapping { first: usize, key: Option<Node> },
}

/// What stands before a value.
struct Head {
    properties: Option<Box<Properties>>,
    /// The number of its anchor, when an alias may name it.
    anchor: Option<usize>,
}

impl<'text> Builder<'text> {
    pub(super) fn new(text: &'text str, limits: &'text Limits) -> Self {
        Self {
            text,
            limits,
            parsed: Parsed::default(),
            frames: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            root: None,
            anchors: Anchors::new(text, limits.alias_nodes),
            nodes: 0,
            cursor: 0,
        }
    }

    /// Takes all events, or those up to a problem that ends the reading.
    pub(super) fn read(&mut self, events: &mut Events<'text>) -> Result<(), Problem> {
        while let Some(event) = events.next_event() {
            let (event, span) = event.map_err(|error| self.rejected(&error))?;
            let place = extent::of(span);
            match event {
                Event::Comment(..) => {
                    self.parsed.comments.push(place);
                    continue;
                }
                // Its span may be that of the first value, so it says nothing of what has been passed.
                Event::DocumentStart(false, _) => continue,
                Event::Scalar(value, style, anchor, tag) => {
                    let head = self.head(anchor, span, events);
                    let place = self.scalar_extent(place, style);
                    let data = self.scalar(value.into_owned(), style, tag.as_deref(), place);
                    let node = Node {
                        span: place,
                        data,
                        style: style.into(),
                        properties: head.properties,
                    };
                    self.add(node, Measure::SCALAR, head.anchor)?;
                }
                Event::SequenceStart(style, anchor, _) => {
                    let head = self.head(anchor, span, events);
                    let first = self.items.len();
                    self.open(Children::Sequence { first }, style, place, head)?;
                }
                Event::MappingStart(style, anchor, _) => {
                    let head = self.head(anchor, span, events);
                    let first = self.entries.len();
                    let children = Children::Mapping { first, key: None };
                    self.open(children, style, place, head)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(place)?,
                Event::Alias(id) => self.alias(id, place)?,
                Event::UnresolvedAlias(name) => {
                    let problem = format!("no anchor `&{name}` comes before this alias");
                    self.undefined(place, &problem)?;
                }
                Event::DocumentEnd => {
                    self.parsed.documents.extend(self.root.take());
                    self.anchors.clear();
                }
                _ => {}
            }
            self.cursor = self.cursor.max(place.end());
        }
        Ok(())
    }

    /// The tag of a node and its anchor, whose event follows the node's.
    fn head(
        &mut self,
        anchor: usize,
        span: granit_parser::Span,
        events: &mut Events<'text>,
    ) -> Head {
        let mut properties = Properties {
            tag: span.tag_span().map(extent::of),
            ..Properties::default()
        };
        let mut wanted = None;
        if anchor != 0
            && let Some(Ok((Event::Anchor(_, name), span))) = events.next_event()
        {
            properties.anchor = Some(extent::of(span));
            wanted = self.anchors.may_be_used(&name).then_some(anchor);
        }
        let properties = (properties != Properties::default()).then(|| Box::new(properties));
        Head {
            properties,
            anchor: wanted,
        }
    }

    fn scalar_extent(&self, place: Span, style: ScalarStyle) -> Span {
        let after_key = matches!(
            self.frames.last().map(|frame| &frame.children),
            Some(Children::Mapping { key: Some(_), .. })
        );
        match style {
            ScalarStyle::Literal | ScalarStyle::Folded => {
                extent::block_scalar(self.text, self.cursor, place)
            }
            ScalarStyle::Plain if after_key && place.start() == place.end() => {
                extent::missing_value(self.text, place)
            }
            _ => place,
        }
    }

    fn scalar(&mut self, value: String, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Data {
        let plain = style == ScalarStyle::Plain;
        // The parser gives a missing value the text `~`.
        let value = if plain && span.start() == span.end() {
            String::new()
        } else {
            value
        };
        match tag {
            None if plain => {
                let Some(data) = scalar::typed(&value) else {
                    if let Some(number) = scalar::number_elsewhere(&value) {
                        let message = format!(
                            "`{value}` is text to YAML 1.1 readers such as dbt and {number} to YAML \
                             1.2 readers; put it in quotes"
                        );
                        self.problem(ProblemKind::AmbiguousNumber, span, None, message);
                    }
                    return Data::String(value);
                };
                if let Data::Bool(meaning) = data {
                    self.check_boolean(meaning, span);
                } else if let Some(otherwise) = scalar::otherwise(&value, &data) {
                    self.ambiguous_number(&value, &data, &otherwise, span);
                }
                data
            }
            None => Data::String(value),
            Some(tag) => {
                let Some(suffix) = tag.core_suffix() else {
                    return Data::String(value);
                };
                scalar::resolve_tagged(suffix, &value).unwrap_or_else(|| {
                    let message = format!(
                        "this is not a value of type `!!{suffix}`; correct it, or remove the tag"
                    );
                    self.problem(ProblemKind::InvalidTag, span, None, message);
                    Data::String(value)
                })
            }
        }
    }

    fn check_boolean(&mut self, meaning: bool, span: Span) {
        let word = &self.text[span.range()];
        if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") {
            return;
        }
        let message = format!(
            "`{word}` is {meaning} to YAML 1.1 readers such as dbt and text to YAML 1.2 readers; \
             write `{meaning}`, or put it in quotes"
        );
        self.problem(ProblemKind::AmbiguousBoolean, span, None, message);
    }

    fn ambiguous_number(&mut self, word: &str, data: &Data, otherwise: &str, span: Span) {
        let meaning = match data {
            Data::Int(value) => value.to_string(),
            Data::Float(value) => value.to_string(),
            _ => return,
        };
        let plainly = if word.contains(':') {
            String::new()
        } else {
            format!("write `{meaning}`, or ")
        };
        let message = format!(
            "`{word}` is {meaning} to YAML 1.1 readers such as dbt and {otherwise} to YAML 1.2 readers; \
             {plainly}put it in quotes"
        );
        self.problem(ProblemKind::AmbiguousNumber, span, None, message);
    }

    fn open(
        &mut self,
        children: Children,
        style: StructureStyle,
        place: Span,
        head: Head,
    ) -> Result<(), Problem> {
        if self.frames.len() >= self.limits.depth {
            return Err(self.too_deep(place));
        }
        let bracket = self.text[place.range()].starts_with(['[', '{']);
        let style = style.into();
        let span = (style == Style::Flow && bracket).then_some(place);
        self.frames.push(Frame {
            children,
            span,
            style,
            head,
            measure: Measure::COLLECTION,
        });
        Ok(())
    }

    fn close(&mut self, place: Span) -> Result<(), Problem> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let mut span = frame.span.unwrap_or(place);
        if self.text[place.range()].starts_with([']', '}']) {
            span = Span::new(span.start(), place.end());
        }
        let data = match frame.children {
            Children::Sequence { first } => Data::Sequence(self.items.drain(first..).collect()),
            Children::Mapping { first, .. } => {
                let entries = self.entries.drain(first..).collect();
                Data::Mapping(self.mapping(entries))
            }
        };
        let properties = frame.head.properties;
        let node = Node {
            span,
            data,
            style: frame.style,
            properties,
        };
        self.add(node, frame.measure, frame.head.anchor)
    }

    fn mapping(&mut self, entries: Vec<Entry>) -> Mapping {
        let (entries, invalid) = merge::resolve(entries);
        for span in invalid {
            let message =
                "`<<` takes a mapping or a list of mappings; give it one, or quote the key";
            self.problem(ProblemKind::InvalidMerge, span, None, message.to_owned());
        }
        let (mapping, duplicates) = Mapping::new(entries);
        for duplicate in duplicates {
            let message = format!(
                "the key `{}` is given twice; remove one, the last one counts",
                duplicate.name
            );
            self.problem(
                ProblemKind::DuplicateKey,
                duplicate.again,
                Some(duplicate.first),
                message,
            );
        }
        mapping
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, node: Node, measure: Measure, anchor: Option<usize>) -> Result<(), Problem> {
        let place = node.place();
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = format!(
                "the file has more than {} values; split it",
                self.limits.nodes
            );
            return Err(fatal(ProblemKind::TooLarge, place, message));
        }
        if let Some(anchor) = anchor {
            self.anchors.keep(anchor, &node, measure);
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        frame.measure.include(measure);
        let span = frame.span.get_or_insert(place);
        *span = Span::new(span.start(), span.end().max(place.end()));
        match &mut frame.children {
            Children::Sequence { .. } => self.items.push(node),
            Children::Mapping { key, .. } => match key.take() {
                None => *key = Some(node),
                Some(key) => match Entry::new(key, node, self.text) {
                    Ok(entry) => self.entries.push(entry),
                    Err(key) => self.not_a_key(&key),
                },
            },
        }
        Ok(())
    }

    fn alias(&mut self, id: usize, place: Span) -> Result<(), Problem> {
        let name = self.text[place.range()].to_owned();
        if self
            .frames
            .iter()
            .any(|frame| frame.head.anchor == Some(id))
        {
            return self.undefined(
                place,
                &format!("`{name}` stands inside the value that it names"),
            );
        }
        match self.anchors.copy(id, place) {
            Target::Copy(node, measure) => {
                if self.frames.len() + measure.depth > self.limits.depth {
                    return Err(self.too_deep(place));
                }
                self.add(node, measure, None)
            }
            Target::TooLarge => {
                let limit = self.limits.alias_nodes;
                let message =
                    format!("the file's aliases stand for more than {limit} values; write fewer");
                Err(fatal(ProblemKind::TooLarge, place, message))
            }
        }
    }

    fn undefined(&mut self, place: Span, problem: &str) -> Result<(), Problem> {
        let message = format!("{problem}; name an earlier anchor, or put the text in quotes");
        self.problem(ProblemKind::UndefinedAlias, place, None, message);
        let mut node = Node {
            span: place,
            data: Data::Null,
            style: Style::Plain,
            properties: None,
        };
        node.set_alias(place);
        self.add(node, Measure::SCALAR, None)
    }

    fn not_a_key(&mut self, key: &Node) {
        let place = key.place();
        let template =
            self.text[..place.start()].ends_with('{') && self.text[place.range()].starts_with('{');
        let message = if template {
            "`{{` begins a mapping inside a mapping here; put the template in quotes"
        } else {
            "a key is text, not a list or mapping; put it in quotes"
        };
        self.problem(ProblemKind::NotAMappingKey, place, None, message.to_owned());
    }

    fn problem(&mut self, kind: ProblemKind, span: Span, related: Option<Span>, message: String) {
        self.parsed.problems.push(Problem {
            kind,
            span,
            related,
            message,
        });
    }

    fn too_deep(&self, place: Span) -> Problem {
        let message = format!(
            "lists and mappings are nested more than {} deep",
            self.limits.depth
        );
        fatal(ProblemKind::TooDeep, place, message)
    }

    fn rejected(&self, error: &ScanError) -> Problem {
        let span = extent::of_error(error, self.text);
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => self.too_deep(span),
            _ => fatal(
                ProblemKind::Syntax,
                span,
                syntax::message(error, self.text, span.start()),
            ),
        }
    }
}

fn fatal(kind: ProblemKind, span: Span, message: String) -> Problem {
    Problem {
        kind,
        span,
        related: None,
        message,
    }
}
