//! Thrift's compact protocol, as far as the schema in a Parquet footer needs it: bytes come in, the
//! structs of one list of the outermost struct go out. What nobody asked for is passed over unread.
//!
//! No count that the bytes claim reserves memory, and how deep structs nest is limited.

/// What is read of one struct: its fields by their ids, each at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Struct<'a> {
    fields: Vec<(i16, Value<'a>)>,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value<'a> {
    /// Numbers of all widths; 1 and 0 for true and false.
    Number(i64),
    Bytes(&'a [u8]),
    Struct(Struct<'a>),
}

impl<'a> Struct<'a> {
    /// A number.
    pub(super) fn number(&self, id: i16) -> Option<i64> {
        match self.value(id)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Bytes.
    pub(super) fn bytes(&self, id: i16) -> Option<&'a [u8]> {
        match self.value(id)? {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// What a union holds: the id of its one field, and the struct that stands there.
    pub(super) fn union(&self, id: i16) -> Option<(i16, &Self)> {
        match self.value(id)? {
            Value::Struct(union) => match union.fields.first()? {
                (kind, Value::Struct(held)) => Some((*kind, held)),
                _ => None,
            },
            _ => None,
        }
    }

    fn value(&self, id: i16) -> Option<&Value<'a>> {
        let found = self.fields.iter().find(|(known, _)| *known == id);
        found.map(|(_, value)| value)
    }
}

/// Why bytes could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// They end before what they announce.
    Ends,
    /// They are something else.
    Other,
}

/// Fields with higher ids than a schema has are passed over.
const MOST_FIELDS: i16 = 20;

/// How deep structs and lists may nest.
const DEPTH: u8 = 16;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// The structs in the list that is the field `id` of the outermost struct; nothing where it has none.
/// Bytes behind that list are not looked at.
pub(super) fn list(
    bytes: &[u8],
    id: i16,
    most: usize,
) -> Result<Option<Vec<Struct<'_>>>, Unreadable> {
    let mut reader = Reader { rest: bytes };
    let mut last = 0;
    while let Some((kind, field)) = reader.field(last)? {
        if (kind, field) != (LIST, id) {
            reader.skip(kind, DEPTH)?;
            last = field;
            continue;
        }
        let (kind, count) = reader.list()?;
        if kind != STRUCT || count > most {
            return Err(Unreadable::Other);
        }
        let mut structs = Vec::new();
        for _ in 0..count {
            structs.push(reader.structure(DEPTH)?);
        }
        return Ok(Some(structs));
    }
    Ok(None)
}

/// The bytes that are still to be read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Unreadable> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Unreadable::Ends)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Unreadable> {
        self.take(1)?.first().copied().ok_or(Unreadable::Ends)
    }

    /// A number in groups of seven bits, the lowest first.
    fn unsigned(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Unreadable::Other)
    }

    /// The same, with the sign in the lowest bit.
    fn signed(&mut self) -> Result<i64, Unreadable> {
        let number = self.unsigned()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn length(&mut self) -> Result<usize, Unreadable> {
        usize::try_from(self.unsigned()?).map_err(|_| Unreadable::Ends)
    }

    /// The kind and id of the next field; nothing at the end of a struct.
    fn field(&mut self, last: i16) -> Result<Option<(u8, i16)>, Unreadable> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let id = match head >> 4 {
            0 => i16::try_from(self.signed()?).ok(),
            step => last.checked_add(step.into()),
        };
        Ok(Some((head & 0x0f, id.ok_or(Unreadable::Other)?)))
    }

    /// The kind and number of the items of a list.
    fn list(&mut self) -> Result<(u8, usize), Unreadable> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.length()?,
            count => count.into(),
        };
        Ok((head & 0x0f, count))
    }

    fn structure(&mut self, depth: u8) -> Result<Struct<'a>, Unreadable> {
        let depth = depth.checked_sub(1).ok_or(Unreadable::Other)?;
        let mut read = Struct::default();
        let mut last = 0;
        while let Some((kind, id)) = self.field(last)? {
            last = id;
            let value = match kind {
                TRUE => Value::Number(1),
                FALSE => Value::Number(0),
                I8 => Value::Number(i64::from(self.byte()?.cast_signed())),
                ..=I64 => Value::Number(self.signed()?),
                BINARY => {
                    let length = self.length()?;
                    Value::Bytes(self.take(length)?)
                }
                STRUCT => Value::Struct(self.structure(depth)?),
                _ => {
                    self.skip(kind, depth)?;
                    continue;
                }
            };
            let known = read.fields.iter().any(|(known, _)| *known == id);
            if (1..=MOST_FIELDS).contains(&id) && !known {
                read.fields.push((id, value));
            }
        }
        Ok(read)
    }

    /// Passes over a value.
    fn skip(&mut self, kind: u8, depth: u8) -> Result<(), Unreadable> {
        let depth = depth.checked_sub(1).ok_or(Unreadable::Other)?;
        match kind {
            TRUE | FALSE => {}
            I8 => drop(self.byte()?),
            ..=I64 => drop(self.signed()?),
            DOUBLE => drop(self.take(8)?),
            UUID => drop(self.take(16)?),
            BINARY => {
                let length = self.length()?;
                self.take(length)?;
            }
            LIST | SET => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    self.item(kind, depth)?;
                }
            }
            MAP => {
                let count = self.length()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                for _ in 0..count {
                    self.item(kinds >> 4, depth)?;
                    self.item(kinds & 0x0f, depth)?;
                }
            }
            STRUCT => {
                let mut last = 0;
                while let Some((kind, id)) = self.field(last)? {
                    last = id;
                    self.skip(kind, depth)?;
                }
            }
            _ => return Err(Unreadable::Other),
        }
        Ok(())
    }

    /// Passes over an item of a list, where even true and false take a byte, so that no count is
    /// gone through without bytes.
    fn item(&mut self, kind: u8, depth: u8) -> Result<(), Unreadable> {
        match kind {
            TRUE | FALSE => self.byte().map(drop),
            kind => self.skip(kind, depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_of_structs_is_read_behind_other_fields() {
        // 1: i32 7; 3: list of two structs {1: i32 -1, 4: "ab"} and {1: true}; then anything.
        let bytes = [
            0x15, 14, 0x29, 0x2c, 0x15, 1, 0x38, 2, b'a', b'b', 0, 0x11, 0, 0xff,
        ];
        let structs = list(&bytes, 3, 10).unwrap().unwrap();
        assert_eq!(structs.len(), 2);
        assert_eq!(structs[0].number(1), Some(-1));
        assert_eq!(structs[0].bytes(4), Some(&b"ab"[..]));
        assert_eq!(structs[1].number(1), Some(1));
        assert_eq!(list(&bytes, 3, 1), Err(Unreadable::Other));
        assert_eq!(list(&bytes[..8], 3, 10), Err(Unreadable::Ends));
        assert_eq!(list(&[0x15, 14, 0], 3, 10), Ok(None));
    }

    #[test]
    fn what_nests_without_end_is_refused() {
        let deep = [&[0x2c][..], &[0x1c; 1000]].concat();
        assert_eq!(list(&deep, 3, 10), Err(Unreadable::Other));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = list(&bytes, 2, 50);
            let headed = [&[0x15, 2, 0x19, 0xfc, 0x7f][..], &bytes].concat();
            let _ = list(&headed, 2, 500);
        }
    }
}
