//! A search that asks for nothing but the best hits, and a registration of tools, read without a detour over structs: the requests
//! that are sent most often, and the longest.
//!
//! Must not know how hits are found. Whatever else a request asks for, or whatever is wrong with it, is left to the operations
//! `search` and `register`, which answer the same where both can.

use std::borrow::Cow;

use serde::Serialize;

use super::envelope;
use super::search::MAX_TOP_K;
use crate::catalog::batch::Items;
use crate::catalog::item::{Item, Kind};
use crate::catalog::tool::Tool;
use crate::catalog::{Catalog, Changes};
use crate::error::Result;
use crate::rank::Ranking;
use crate::text::Scanner;

/// What such a search asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain<'a> {
    pub(super) kind: Kind,
    pub(super) query: Cow<'a, str>,
    pub(super) top_k: Option<usize>,
    /// The conversation whose visibility applies.
    pub(super) session: Option<&'a str>,
}

/// Digits of a number of hits; a longer one is left to others.
const DIGITS_MOST: usize = 6;

impl<'a> Plain<'a> {
    /// The request, if it is such a one: an object with a kind, a query, and perhaps a positive number and a conversation.
    pub(super) fn read(request: &'a str) -> Option<Self> {
        let mut rest = Rest(request);
        let (mut kind, mut query, mut top_k, mut session) = (None, None, None, None);
        rest.take("{")?;
        loop {
            let key = rest.string()?;
            rest.take(":")?;
            match key {
                "kind" if kind.is_none() => kind = Some(kind_of(rest.string()?)?),
                "query" if query.is_none() => query = Some(rest.text()?),
                "topK" if top_k.is_none() => top_k = Some(rest.number()?),
                "session" if session.is_none() => {
                    session = Some(rest.string().filter(|session| !session.is_empty())?);
                }
                _ => return None,
            }
            if rest.take(",").is_none() {
                break;
            }
        }
        rest.take("}")?;
        rest.skip_space();
        let whole = Self {
            kind: kind?,
            query: query?,
            top_k,
            session,
        };
        rest.0.is_empty().then_some(whole)
    }

    /// The most hits that are wanted.
    pub(super) fn limit(&self, default: usize) -> usize {
        self.top_k.unwrap_or(default).min(MAX_TOP_K)
    }
}

/// The tools of a registration that says its kind first, and then nothing but its items.
pub(super) fn tools(request: &str, changes: &mut Changes) -> Option<Items<Tool>> {
    let mut scanner = Scanner::new(request);
    let is_of_tools = scanner.takes(b'{')
        && scanner.plain_string()? == "kind"
        && scanner.takes(b':')
        && scanner.plain_string()? == "tool"
        && scanner.takes(b',')
        && scanner.plain_string()? == "items"
        && scanner.takes(b':');
    if !is_of_tools {
        return None;
    }
    let items = Items::scan(&mut scanner, changes)?;
    (scanner.takes(b'}') && scanner.is_at_end()).then_some(items)
}

fn kind_of(text: &str) -> Option<Kind> {
    match text {
        "tool" => Some(Kind::Tool),
        "skill" => Some(Kind::Skill),
        "fact" => Some(Kind::Fact),
        _ => None,
    }
}

/// What is left of a request.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip_space(&mut self) {
        if self.0.starts_with([' ', '\n', '\t', '\r']) {
            self.0 = self.0.trim_start_matches([' ', '\n', '\t', '\r']);
        }
    }

    /// Passes over a sign, and space before it.
    fn take(&mut self, sign: &str) -> Option<()> {
        self.skip_space();
        self.0 = self.0.strip_prefix(sign)?;
        Some(())
    }

    /// A string that stands there as it is meant.
    fn string(&mut self) -> Option<&'a str> {
        self.take("\"")?;
        let (text, rest) = self.0.split_once('"')?;
        self.0 = rest;
        is_literal(text).then_some(text)
    }

    /// A string, and what its escapes stand for.
    fn text(&mut self) -> Option<Cow<'a, str>> {
        let before = self.0;
        if let Some(text) = self.string() {
            return Some(Cow::Borrowed(text));
        }
        self.0 = before;
        self.skip_space();
        let mut is_escaped = false;
        let end = self.0.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let (text, rest) = self.0.split_at_checked(end? + 2)?;
        self.0 = rest;
        serde_json::from_str(text).ok().map(Cow::Owned)
    }

    /// A number that is positive.
    fn number(&mut self) -> Option<usize> {
        self.skip_space();
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        // What goes on after the digits is found to be no comma and no end.
        if number.starts_with('0') || digits > DIGITS_MOST {
            return None;
        }
        number.parse().ok()
    }
}

/// Whether a text is the same in JSON, between quotes.
fn is_literal(text: &str) -> bool {
    let special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    !text.bytes().fold(false, |found, byte| found | special(byte))
}

/// The answer: what `SearchResponse` is written as.
pub(super) fn answer<I: Item>(catalog: &Catalog<I>, ranking: &Ranking) -> Result<String> {
    let mut text = Vec::with_capacity(64 + 96 * ranking.hits.len());
    text.extend_from_slice(envelope::BEGINNING);
    text.extend_from_slice(b"{\"status\":");
    write(&mut text, &ranking.status)?;
    text.extend_from_slice(b",\"hits\":[");
    let mut before: &[u8] = b"{\"id\":";
    for (rank, hit) in ranking.hits.iter().enumerate() {
        let Some(item) = catalog.at(hit.slot) else {
            continue;
        };
        text.extend_from_slice(before);
        if is_literal(item.id()) {
            text.push(b'"');
            text.extend_from_slice(item.id().as_bytes());
            text.push(b'"');
        } else {
            write(&mut text, item.id())?;
        }
        text.extend_from_slice(b",\"score\":");
        write(&mut text, &hit.score.to_f64())?;
        text.extend_from_slice(b",\"rank\":");
        write(&mut text, &rank)?;
        text.push(b'}');
        before = b",{\"id\":";
    }
    text.extend_from_slice(b"],\"total\":");
    write(&mut text, &ranking.total)?;
    text.push(b'}');
    envelope::end(text)
}

fn write<T: Serialize + ?Sized>(text: &mut Vec<u8>, value: &T) -> Result<()> {
    serde_json::to_writer(text, value).map_err(envelope::unwritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_a_query_and_a_number_are_read_in_any_order_and_with_any_space() {
        let asked = Plain {
            kind: Kind::Tool,
            query: "größe, 日本".into(),
            top_k: Some(7),
            session: None,
        };
        for request in [
            r#"{"kind":"tool","query":"größe, 日本","topK":7}"#,
            " { \"topK\" : 7 ,\n\t\"query\": \"größe, 日本\",\r \"kind\" :\"tool\" } \n",
        ] {
            assert_eq!(Plain::read(request).as_ref(), Some(&asked), "{request}");
        }
        let all = Plain::read(r#"{"query":"","kind":"fact"}"#).unwrap();
        assert_eq!((all.kind, &*all.query, all.limit(5)), (Kind::Fact, "", 5));
        let many = Plain::read(r#"{"query":"","kind":"skill","topK":999999}"#).unwrap();
        assert_eq!((many.kind, many.limit(5)), (Kind::Skill, 1_000));
        let one = Plain::read(r#"{"session":"a é","kind":"tool","query":""}"#).unwrap();
        assert_eq!(one.session, Some("a é"));
    }

    #[test]
    fn escapes_of_a_query_stand_for_what_they_stand_for() {
        for (written, meant) in [
            (r#"say \"x\""#, "say \"x\""),
            (r"a\\", "a\\"),
            (r"\u65e5\n\ud83d\ude80", "日\n🚀"),
        ] {
            let request = format!(r#"{{"kind":"tool","query": "{written}","topK":7}}"#);
            let asked = Plain::read(&request).unwrap();
            assert_eq!((&*asked.query, asked.top_k), (meant, Some(7)));
        }
    }

    #[test]
    fn tools_are_read_where_kind_and_items_are_all_there_is() {
        let read = |request: &str| Some(tools(request, &mut Changes::default())?.len());
        let item = r#"{"id":"a"}"#;
        for request in [
            format!(r#"{{"kind":"tool","items":[{item}]}}"#),
            format!(" {{ \"kind\" : \"tool\" ,\n\"items\" : [ {item} ] }} \n"),
        ] {
            assert_eq!(read(&request), Some(1), "{request}");
        }
        for request in [
            "".to_owned(),
            "{}".to_owned(),
            format!(r#"{{"kind":"skill","items":[{item}]}}"#),
            format!(r#"{{"items":[{item}],"kind":"tool"}}"#),
            format!(r#"{{"kind":"tool","items":[{item}],"more":1}}"#),
            format!(r#"{{"kind":"tool","items":[{item}]"#),
            format!(r#"{{"kind":"tool","items":[{item}]}} x"#),
            format!(r#"{{"kind":"tool","items":[{item},]}}"#),
            format!(r#"{{"kind":"tool","items":[{item},7]}}"#),
            format!(r#"{{"kind":"tool","items":[{item}{item}]}}"#),
            r#"{"kind":"tool","items":[]}"#.to_owned(),
            r#"{"kind":"tool","items":null}"#.to_owned(),
        ] {
            assert_eq!(read(&request), None, "{request}");
        }
    }

    #[test]
    fn everything_else_is_left_to_others() {
        for request in [
            "",
            "{}",
            "[]",
            r#"{"kind":"tool"}"#,
            r#"{"query":"x"}"#,
            r#"{"kind":"tools","query":"x"}"#,
            r#"{"kind":"tool","query":"x","kind":"tool"}"#,
            r#"{"kind":"tool","query":"x","query":"x"}"#,
            r#"{"kind":"tool","query":"x","topK":1,"topK":1}"#,
            r#"{"kind":"tool","query":"x","explain":true}"#,
            r#"{"kind":"tool","query":"\ud83d"}"#,
            r#"{"kind":"tool","query":"\x"}"#,
            r#"{"kind":"tool","query":"x\"}"#,
            r#"{"kind":"tool","query":7}"#,
            r#"{"kind":"tool","query":"x","session":""}"#,
            r#"{"kind":"tool","query":"x","session":null}"#,
            r#"{"kind":"tool","query":"x","session":"\n"}"#,
            "{\"kind\":\"tool\",\"query\":\"x\ny\"}",
            r#"{"kind":"tool","query":"x","topK":0}"#,
            r#"{"kind":"tool","query":"x","topK":07}"#,
            r#"{"kind":"tool","query":"x","topK":-7}"#,
            r#"{"kind":"tool","query":"x","topK":7.0}"#,
            r#"{"kind":"tool","query":"x","topK":7e3}"#,
            r#"{"kind":"tool","query":"x","topK":7777777}"#,
            r#"{"kind":"tool","query":"x","topK":"7"}"#,
            r#"{"kind":"tool","query":"x","topK":null}"#,
            r#"{"kind":"tool","query":"x",}"#,
            r#"{"kind":"tool","query":"x"} x"#,
            r#"{"kind":"tool","query":"x""#,
            r#"{"kind":"tool","query":"x"#,
            r#"{"kind":"tool" "query":"x"}"#,
            r#"{"k\u0069nd":"tool","query":"x"}"#,
        ] {
            assert_eq!(Plain::read(request), None, "{request}");
        }
    }
}
