//! That narrowing finds what a look at every item would find, without that look.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use serde_json::value::RawValue;

use super::Narrowing;
use crate::catalog::Catalog;
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;
use crate::text::Analyzer;

/// Labels that share words, that are stop words, and that have no word at all.
const LABELS: [&str; 14] = [
    "github",
    "GitHub",
    "git hub",
    "gitHub",
    "the",
    "US",
    "us it",
    "日本語",
    "🔥",
    "__",
    "café",
    "issues",
    "issue",
    "a/b.c",
];

fn register(catalog: &mut Catalog<Tool>, items: &[serde_json::Value]) {
    let batch: Vec<Box<RawValue>> = items
        .iter()
        .map(|item| RawValue::from_string(item.to_string()).unwrap())
        .collect();
    assert_eq!(
        catalog.register(&batch, &mut Analyzer::new()).rejected,
        Vec::<u32>::new()
    );
}

/// The same by looking at every item.
fn looked_at(catalog: &Catalog<Tool>, narrowing: &Narrowing<'_>) -> Vec<u32> {
    let named = |wanted: Option<&[String]>, label: &str| {
        wanted.is_none_or(|wanted| wanted.iter().any(|name| name == label))
    };
    catalog
        .select(|tool| {
            let says = tool.flags().iter().any(|flag| flag.0 == "readOnlyHint" && flag.1);
            named(narrowing.ids, tool.id())
                && named(narrowing.servers, tool.group())
                && (narrowing.tags.is_none() || tool.tags().iter().any(|tag| named(narrowing.tags, tag)))
                && narrowing.read_only.is_none_or(|wanted| says == wanted)
        })
        .iter()
        .collect()
}

fn labels() -> impl Strategy<Value = Vec<String>> {
    let label = prop_oneof![4 => select(&LABELS[..]).prop_map(str::to_owned), 1 => "\\PC{1,8}"];
    prop::collection::vec(label, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn it_keeps_exactly_what_a_look_at_every_item_would_keep(
        tools in prop::collection::vec((labels(), labels(), any::<bool>(), any::<bool>()), 1..40),
        ids in prop::option::of(prop::collection::vec(0usize..50, 0..5)),
        servers in prop::option::of(labels()), tags in prop::option::of(labels()), read_only in prop::option::of(any::<bool>()),
    ) {
        let mut catalog = Catalog::default();
        let items: Vec<_> = tools.iter().enumerate().map(|(at, (servers, tags, says, gone))| json!({
            "id": format!("{}tool{at}", if *gone { "github__" } else { "" }), "server": servers.first(), "tags": tags,
            "annotations": {"readOnlyHint": says, "destructiveHint": gone},
        })).collect();
        register(&mut catalog, &items);
        catalog.remove("tool0");
        let ids: Option<Vec<String>> = ids.map(|ids| ids.iter().map(|at| format!("tool{at}")).collect());
        let narrowing = Narrowing { ids: ids.as_deref(), servers: servers.as_deref(), tags: tags.as_deref(), read_only };
        prop_assert_eq!(catalog.narrow(&narrowing).iter().collect::<Vec<_>>(), looked_at(&catalog, &narrowing));
    }
}

#[test]
fn only_what_a_label_can_stand_on_is_looked_at() {
    let mut catalog = Catalog::default();
    let items: Vec<_> = (0..2_000)
        .map(|at| json!({"id": format!("server{}__tool{at}", at / 10), "tags": [format!("team{}", at / 20)]}))
        .collect();
    register(&mut catalog, &items);
    let text = |text: &str| vec![text.to_owned()];
    let (ids, servers, tags) = (text("server7__tool71"), text("server7"), text("team3"));
    let count = |narrowing: Narrowing<'_>| catalog.candidates(&narrowing).len();
    let none = Narrowing::default();
    assert_eq!(count(none), 2_000);
    assert_eq!(
        count(Narrowing {
            ids: Some(&ids),
            ..none
        }),
        1
    );
    assert_eq!(
        count(Narrowing {
            servers: Some(&servers),
            ..none
        }),
        10
    );
    assert_eq!(
        count(Narrowing {
            tags: Some(&tags),
            ..none
        }),
        20
    );
    let all = Narrowing {
        ids: Some(&ids),
        servers: Some(&servers),
        tags: Some(&tags),
        read_only: Some(true),
    };
    assert_eq!(count(all), 1);
    let unknown = text("nobody");
    assert_eq!(
        count(Narrowing {
            servers: Some(&unknown),
            ..none
        }),
        0
    );
}
