//! What an unquoted scalar means: its text comes in, a typed value goes out.
//!
//! The rules are PyYAML's, YAML 1.1 with its own limits (`1e3` is text, a float needs a point and a signed
//! exponent), because that is what dbt reads. The one departure: dates and timestamps stay text.

use super::node::Data;

/// The words that are booleans.
const BOOLEANS: [(&str, bool); 6] = [
    ("yes", true),
    ("no", false),
    ("true", true),
    ("false", false),
    ("on", true),
    ("off", false),
];

/// The value of a plain scalar without a tag, when it is not text.
pub(super) fn typed(text: &str) -> Option<Data> {
    word(text).or_else(|| number(text))
}

/// What YAML 1.2 makes of a plain scalar that is the number `data` here, where that is something else.
pub(super) fn otherwise(text: &str, data: &Data) -> Option<String> {
    let digits = text.trim_start_matches(['-', '+']);
    let value = match data {
        Data::Int(value) => value,
        Data::Float(_) if digits.contains([':', '_']) => return Some("text".to_owned()),
        _ => return None,
    };
    if digits.contains([':', '_']) || digits.starts_with("0b") {
        return Some("text".to_owned());
    }
    let decimal: i128 = text.strip_prefix('+').unwrap_or(text).parse().ok()?;
    (decimal != *value).then(|| decimal.to_string())
}

/// The number that YAML 1.2 makes of a plain scalar that is text here: `08` is no octal number.
pub(super) fn number_elsewhere(text: &str) -> Option<i128> {
    if !matches!(text.as_bytes().first(), Some(b'0' | b'-' | b'+')) {
        return None;
    }
    let digits = text.trim_start_matches(['-', '+']);
    let is_padded = digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_padded.then(|| text.parse().ok()).flatten()
}

/// Whether a plain scalar is a number only since its parts are taken to base 60: a time of day.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    text.contains(':') && matches!(number(text), Some(Data::Int(_) | Data::Float(_)))
}

/// The value of a scalar tagged `!!<tag>`; `None` when the text is not of that type. Tags that say
/// nothing of a scalar's type leave text.
pub(super) fn resolve_tagged(tag: &str, text: &str) -> Option<Data> {
    match tag {
        "null" => Some(Data::Null),
        "bool" => {
            let lower = text.to_ascii_lowercase();
            BOOLEANS
                .iter()
                .find(|(name, _)| *name == lower)
                .map(|&(_, value)| Data::Bool(value))
        }
        "int" => number(text).filter(|data| matches!(data, Data::Int(_)) || !text.contains('.')),
        "float" => match number(text) {
            Some(Data::Int(_)) | None => text.replace('_', "").parse().ok().map(Data::Float),
            float => float,
        },
        _ => Some(Data::String(text.to_owned())),
    }
}

/// Booleans and null, each in lower case, in capitals or with one capital.
fn word(text: &str) -> Option<Data> {
    if text.is_empty() || text == "~" {
        return Some(Data::Null);
    }
    if !(2..=5).contains(&text.len()) {
        return None;
    }
    let (first, rest) = text.as_bytes().split_at(1);
    let lower = rest.iter().all(u8::is_ascii_lowercase);
    let upper = first[0].is_ascii_uppercase() && rest.iter().all(u8::is_ascii_uppercase);
    if !lower && !upper {
        return None;
    }
    if text.eq_ignore_ascii_case("null") {
        return Some(Data::Null);
    }
    let boolean = BOOLEANS
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name));
    boolean.map(|&(_, value)| Data::Bool(value))
}

fn number(text: &str) -> Option<Data> {
    if !matches!(
        text.as_bytes().first(),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.')
    ) {
        return None;
    }
    let (negative, digits) = match text.as_bytes()[0] {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if !digits.contains('.') {
        return integer(digits, negative);
    }
    let signed = digits.len() < text.len();
    float(digits, signed).map(|value| Data::Float(if negative { -value } else { value }))
}

/// `0b101`, `0x1f`, `017`, `1_000` and `1:30:00`, without the sign.
fn integer(text: &str, negative: bool) -> Option<Data> {
    let all = |digits: &str, allowed: fn(&u8) -> bool| {
        !digits.is_empty() && digits.bytes().all(|byte| byte == b'_' || allowed(&byte))
    };
    let places = if let Some(binary) = text.strip_prefix("0b") {
        all(binary, |byte| matches!(byte, b'0' | b'1')).then(|| digits(binary, 2))?
    } else if let Some(hex) = text.strip_prefix("0x") {
        all(hex, u8::is_ascii_hexdigit).then(|| digits(hex, 16))?
    } else if let Some(octal) = text.strip_prefix('0') {
        (octal.is_empty() || all(octal, |byte| matches!(byte, b'0'..=b'7')))
            .then(|| digits(text, 8))?
    } else {
        let (whole, sixtieths) = text
            .split_once(':')
            .map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let valid = text.starts_with(|first: char| first.is_ascii_digit())
            && all(whole, u8::is_ascii_digit);
        let places = valid.then(|| digits(whole, 10))?;
        match sixtieths {
            Some(rest) => places?.sexagesimal(rest),
            None => places,
        }
    }?;
    Some(match places.exact {
        Some(value) => Data::Int(if negative { -value } else { value }),
        None => Data::Float(if negative {
            -places.nearest
        } else {
            places.nearest
        }),
    })
}

/// A whole number: exact while it fits, and the nearest float in any case.
struct Places {
    exact: Option<i128>,
    nearest: f64,
}

impl Places {
    fn push(&mut self, radix: u32, digit: u32) {
        self.exact = self.exact.and_then(|value| {
            value
                .checked_mul(i128::from(radix))?
                .checked_add(i128::from(digit))
        });
        self.nearest = self.nearest * f64::from(radix) + f64::from(digit);
    }

    /// Adds places to base 60, each one or two digits below 60.
    fn sexagesimal(mut self, rest: &str) -> Option<Self> {
        for place in rest.split(':') {
            self.push(60, sixtieth(place)?);
        }
        Some(self)
    }
}

/// Digits with underscores between them; `None` when there are only underscores.
fn digits(text: &str, radix: u32) -> Option<Places> {
    let mut places = Places {
        exact: Some(0),
        nearest: 0.0,
    };
    let mut any = false;
    for digit in text
        .chars()
        .filter_map(|character| character.to_digit(radix))
    {
        places.push(radix, digit);
        any = true;
    }
    any.then_some(places)
}

fn sixtieth(place: &str) -> Option<u32> {
    let valid = match place.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [ten, digit] => matches!(ten, b'0'..=b'5') && digit.is_ascii_digit(),
        _ => false,
    };
    valid.then(|| place.parse().ok())?
}

/// `1.5`, `.5`, `1.5e+3`, `.inf`, `.nan` and `1:30.5`, without the sign.
fn float(text: &str, signed: bool) -> Option<f64> {
    match text {
        ".inf" | ".Inf" | ".INF" => return Some(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if !signed => return Some(f64::NAN),
        _ => {}
    }
    let (whole, fraction) = text.split_once('.')?;
    let digits_only = |part: &str| {
        part.bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_digit())
    };
    if let Some((first, rest)) = whole.split_once(':') {
        if !first.starts_with(|c: char| c.is_ascii_digit())
            || !digits_only(first)
            || !digits_only(fraction)
        {
            return None;
        }
        let whole = digits(first, 10)?.sexagesimal(rest)?;
        let fraction: f64 = format!("0.{}", fraction.replace('_', "")).parse().ok()?;
        return Some(whole.nearest + fraction);
    }
    let (fraction, exponent) = match fraction.find(['e', 'E']) {
        Some(at) => (&fraction[..at], Some(&fraction[at + 1..])),
        None => (fraction, None),
    };
    let starts_with_digit = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    let mantissa = if whole.is_empty() {
        !signed && starts_with_digit(fraction)
    } else {
        starts_with_digit(whole)
    };
    let signed_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let valid = mantissa && signed_exponent && digits_only(whole) && digits_only(fraction);
    valid.then(|| text.replace('_', "").parse().ok())?
}
