//! Where strings of a JSON text end, and what is alike in names of members at a glance.
//!
//! Must not know what they mean. The text was found to be JSON when it came in; of any other text this makes no sense, and makes
//! it within bounds.

/// Where the string ends whose first quotation mark stands there (the place of the last one), and whether it has escapes.
#[inline]
pub(super) fn string_end(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut end = start + 1;
    let mut has_escapes = false;
    loop {
        end += plain(bytes.get(end..)?);
        if *bytes.get(end)? == b'"' {
            return Some((end, has_escapes));
        }
        has_escapes = true;
        end += 2;
    }
}

/// The place after white space.
#[inline]
pub(super) fn after_space(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// A bit for the name of a member, by a look at it: two names with one bit may be the same.
#[inline]
pub(super) fn name_bit(name: &[u8]) -> u64 {
    let byte = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
    1 << ((byte(name.first()) + 7 * byte(name.last()) + 31 * name.len()) % 64)
}

pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// How many of the first bytes are neither a quotation mark nor a backslash, eight at a time.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & HIGH;
    let mut count = 0;
    while let Some(eight) = bytes.get(count..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        let found = zeros(eight ^ (ONES * u64::from(b'"'))) | zeros(eight ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return count + found.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    let rest = bytes.get(count..).unwrap_or_default();
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
    count + found.unwrap_or(rest.len())
}
