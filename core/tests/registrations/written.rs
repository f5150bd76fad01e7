//! Texts of items as anybody might write them, and as nobody should. Knows nothing of what is made of them.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::Union;

use super::IDS;

/// What stands between signs: white space of JSON mostly.
fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        400 => Just(""),
        80 => select(&[" ", "\n", "\t", "\r\n", "  \n\t\r "][..]),
        1 => select(&["\u{a0}", "\u{b}", "\u{c}", "\u{feff}", "\u{2028}", "\0", "//\n", "/**/"][..]),
    ]
}

/// Parts of a string as they are written.
const LETTERS: [&str; 26] = [
    "read",
    "a file",
    " ",
    "é",
    "日本語",
    "🙂",
    "\u{200b}",
    "\u{e0041}",
    "\u{feff}",
    "\u{7f}",
    "\u{2028}",
    r"\n",
    r"\t",
    r#"\""#,
    r"\\",
    r"\/",
    r"\u00e9",
    r"\u0061",
    r"\u0000",
    r"\u200b",
    r"\u200B",
    r"\ud83d\ude00",
    r"\udb40\udc41",
    r"\ufeff",
    r"\\u200b",
    "createIssue",
];
/// Parts that are JSON and no text.
const HALVES: [&str; 6] = [
    r"\ud83d",
    r"\udc00",
    r"\udb40",
    r"\ude00\ud83d",
    r"\ud83d\n",
    r"\ud83dx",
];
/// Parts that no string may have.
const BROKEN: [&str; 8] = [
    r"\x", r"\u12", r"\u+123", r"\U0061", "\u{1}", "\n", "\0", "\u{1f}",
];

fn letters() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        400 => select(&LETTERS[..]),
        6 => select(&HALVES[..]),
        1 => select(&BROKEN[..]),
    ];
    prop::collection::vec(part, 0..7).prop_map(|parts| parts.concat())
}

fn string() -> impl Strategy<Value = String> {
    let long = (select(&LETTERS[..]), select(&[500_usize, 1_200, 9_000][..]));
    prop_oneof![
        60 => letters(),
        1 => long.prop_map(|(part, count)| part.repeat(count)),
    ]
    .prop_map(|letters| format!("\"{letters}\""))
}

fn scalar() -> impl Strategy<Value = String> {
    let right = [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "1.5",
        "1e5",
        "1E+5",
        "1e-999",
        "1e999",
        "-0.0",
        "0e0",
        "123456789012345678901234567890",
        "3.141592653589793238462643383279",
    ];
    let wrong = [
        "01",
        "-",
        "+1",
        ".5",
        "1.",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "nul",
        "True",
        "truee",
        "'a'",
        "undefined",
        "",
        "--1",
        "1_0",
        "-01",
        "1.e5",
        "1.5.5",
    ];
    prop_oneof![
        100 => string(),
        100 => select(right.to_vec()).prop_map(str::to_owned),
        1 => select(wrong.to_vec()).prop_map(str::to_owned),
    ]
}

/// An object or an array of members that were drawn, with any space, a comma too much now and then.
fn enclosed(
    begin: &'static str,
    members: impl Strategy<Value = Vec<String>>,
    end: &'static str,
) -> impl Strategy<Value = String> {
    let comma = prop_oneof![500 => Just(","), 1 => select(&["", ",,", ";", ", ,"][..])];
    let last = prop_oneof![500 => Just(""), 1 => Just(",")];
    (members, space(), space(), comma, last).prop_map(move |(members, before, after, comma, last)| {
        let comma = format!("{before}{comma}{after}");
        format!("{begin}{before}{}{last}{after}{end}", members.join(&comma))
    })
}

fn member(
    name: impl Strategy<Value = String>,
    value: impl Strategy<Value = String>,
) -> impl Strategy<Value = String> {
    let colon = prop_oneof![500 => Just(":"), 1 => select(&["", "::", "=", ","][..])];
    (name, space(), colon, space(), value)
        .prop_map(|(name, before, colon, after, value)| format!("\"{name}\"{before}{colon}{after}{value}"))
}

fn one_of(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(names).prop_map(str::to_owned)
}

/// A value of any kind. What is private to serde stands among the names.
fn value() -> BoxedStrategy<String> {
    let names = || {
        one_of(&[
            "a",
            "a",
            "b",
            "title",
            "description",
            "",
            r"\u0061",
            r"a\ud800",
            "$serde_json::private::RawValue",
            "$serde_json::private::Number",
            "readOnlyHint",
            "destructiveHint",
            "日本",
        ])
    };
    let deeper = move |inner: BoxedStrategy<String>| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let members = prop::collection::vec(member(names(), inner), 0..4);
        prop_oneof![enclosed("[", list, "]"), enclosed("{", members, "}")]
    };
    scalar().prop_recursive(3, 12, 4, deeper).boxed()
}

/// A nest as deep as the scanner goes, as a parser goes, and a level more.
fn nest() -> impl Strategy<Value = String> {
    let around = [
        ("[", "]"),
        (r#"{"a":"#, "}"),
        (r#"{"properties":{"p":"#, "}}"),
        (r#"{"items":{"description":"d","anyOf":["#, "]}}"),
    ];
    let depth = [
        7_usize, 8, 11, 12, 23, 24, 25, 29, 30, 31, 57, 58, 59, 60, 61, 62, 63, 64, 124, 125, 126, 127, 128,
        129, 200,
    ];
    let inner = ["1", "{}", "[]", r#"{"title":"t"}"#, "\"s\""];
    (
        select(around.to_vec()),
        select(depth.to_vec()),
        select(inner.to_vec()),
    )
        .prop_map(|((begin, end), depth, inner)| {
            format!("{}{inner}{}", begin.repeat(depth), end.repeat(depth))
        })
}

/// A schema, with names that stand twice, escapes in names, references, and words that mean nothing.
fn schema() -> BoxedStrategy<String> {
    let names = || {
        one_of(&[
            "type",
            "title",
            "description",
            "description",
            "properties",
            "enum",
            "const",
            "items",
            "anyOf",
            "$ref",
            "$defs",
            "$id",
            "not",
            "required",
            "additionalProperties",
            "patternProperties",
            r"descri\u0070tion",
            r"t\u0069tle",
            "x",
            "",
            r"\ud800",
        ])
    };
    let leaf = prop_oneof![
        8 => scalar(),
        2 => one_of(&[r##""#/$defs/x""##, r#"["a",1e3,-0,true,{"k":[null]}]"#]),
    ];
    let deeper = move |inner: BoxedStrategy<String>| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let members = prop::collection::vec(member(names(), inner), 0..5);
        prop_oneof![1 => enclosed("[", list, "]"), 4 => enclosed("{", members, "}")]
    };
    leaf.prop_recursive(4, 20, 5, deeper).boxed()
}

fn id() -> impl Strategy<Value = String> {
    let strange = one_of(&[
        "\"\"",
        "\"invoke_tool\"",
        "\"Invoke-Tool\"",
        r#""\u0061""#,
        r#""a\u0000""#,
        r#""a\n""#,
        "\"a\u{200b}\"",
        r#""a\u200b""#,
        "\"\u{7f}\"",
        r#""\ud800""#,
        "\"!\"",
        "null",
        "7",
        "[]",
        "{}",
    ]);
    prop_oneof![
        30 => select(&IDS[..]).prop_map(|id| format!("\"{id}\"")),
        1 => select(&[512_usize, 513][..]).prop_map(|length| format!("\"{}\"", "i".repeat(length))),
        3 => strange,
    ]
}

/// A member that says something of a tool.
fn known_member() -> impl Strategy<Value = String> {
    let of = |name: &'static str, value: BoxedStrategy<String>| member(Just(name.to_owned()), value).boxed();
    let tags = enclosed("[", prop::collection::vec(string(), 0..3), "]").boxed();
    Union::new_weighted(vec![
        (8, of("description", string().boxed())),
        (4, of("name", string().boxed())),
        (3, of("title", string().boxed())),
        (3, of("server", string().boxed())),
        (3, of("searchText", string().boxed())),
        (4, of("tags", tags)),
        (9, of("inputSchema", schema())),
        (3, of("inputSchema", nest().boxed())),
        (2, of("outputSchema", prop_oneof![schema(), nest()].boxed())),
        (4, of("annotations", value())),
        (
            3,
            of("requiresApproval", one_of(&["true", "false", "null"]).boxed()),
        ),
    ])
}

/// A member that says nothing, says it in another style, says it with escapes, or says something that is no such thing.
fn strange_member() -> impl Strategy<Value = String> {
    let names = one_of(&[
        "x",
        "",
        "Description",
        "requires_approval",
        "requireApproval",
        "input_schema",
        r"input\u0053chema",
        r"\u0069d",
        r"i\u0064",
        r"descri\u0070tion",
        "$refused",
        "$serde_json::private::RawValue",
        "$serde_json::private::Number",
        r"x\ud800",
        "id\u{200b}",
        r"description\u200b",
        "a/b~c",
    ]);
    let known = one_of(&[
        "id",
        "name",
        "title",
        "description",
        "server",
        "searchText",
        "tags",
        "inputSchema",
        "outputSchema",
        "annotations",
        "requiresApproval",
    ]);
    let refusal = one_of(&[r#"{"id":"a","path":"/x","reason":"cycle","message":"m"}"#]);
    prop_oneof![
        member(names, prop_oneof![value(), refusal, nest()]),
        member(known, value()),
    ]
}

fn item() -> impl Strategy<Value = String> {
    let more = prop_oneof![12 => known_member(), 1 => strange_member()];
    let id = member(Just("id".to_owned()), id());
    let members = (id, prop::collection::vec(more, 0..6), any::<Index>(), 0..40_u8);
    let members = members.prop_map(|(id, mut members, place, rare)| {
        if rare != 0 {
            members.insert(place.index(members.len() + 1), id);
        }
        members
    });
    prop_oneof![
        30 => enclosed("{", members, "}"),
        1 => value(),
    ]
}

/// How the text of the items is hurt after it was made.
#[derive(Debug, Clone)]
enum Hurt {
    Without(Index),
    With(Index, char),
    Instead(Index, char),
    Cut(Index),
    Twice(Index, Index),
}

fn hurt() -> impl Strategy<Value = Option<Hurt>> {
    const SIGNS: &str = "\"\\{}[],: \n0-.e+tfn\u{1}\0\u{7f}u/é\u{feff}";
    let sign = || select(SIGNS.chars().collect::<Vec<_>>());
    prop_oneof![
        12 => Just(None),
        1 => any::<Index>().prop_map(|at| Some(Hurt::Without(at))),
        1 => (any::<Index>(), sign()).prop_map(|(at, sign)| Some(Hurt::With(at, sign))),
        1 => (any::<Index>(), sign()).prop_map(|(at, sign)| Some(Hurt::Instead(at, sign))),
        1 => any::<Index>().prop_map(|at| Some(Hurt::Cut(at))),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Some(Hurt::Twice(from, to))),
    ]
}

fn hurt_text(text: String, hurt: Option<Hurt>) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    match hurt {
        None => return text,
        Some(Hurt::Without(at)) => drop(letters.remove(at.index(letters.len()))),
        Some(Hurt::With(at, sign)) => letters.insert(at.index(letters.len() + 1), sign),
        Some(Hurt::Instead(at, sign)) => {
            let at = at.index(letters.len());
            letters[at] = sign;
        }
        Some(Hurt::Cut(at)) => letters.truncate(at.index(letters.len())),
        Some(Hurt::Twice(from, to)) => {
            let (from, to) = (from.index(letters.len()), to.index(letters.len()));
            let part = letters[from.min(to)..from.max(to)].to_vec();
            letters.splice(to..to, part);
        }
    }
    letters.into_iter().collect()
}

/// The text of the items of a registration, of no more than a few.
/// The text of some items, whole or hurt.
pub(crate) fn items() -> impl Strategy<Value = String> {
    let items = enclosed("[", prop::collection::vec(item(), 0..6), "]");
    (items, hurt()).prop_map(|(text, hurt)| hurt_text(text, hurt))
}
