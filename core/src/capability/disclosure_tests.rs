//! What one request shows of a catalog, mode by mode. Knows nothing of ranking.

use serde_json::Value;

use super::disclosure::{Disclosed, DisclosureMode, Wishes, disclose};
use super::fixture::World;
use super::{Format, definitions};
use crate::catalog::item::Item;
use crate::error::ErrorCode;

const TOOLS: &str = r#"[
    {"id":"send_mail","description":"Send an e-mail message","inputSchema":{"type":"object","properties":{"to":{"type":"string"}}}},
    {"id":"read file","description":"Read a file from disk"},
    {"id":"list_pods","description":"List the pods of a cluster"}
]"#;

fn wishes(mode: DisclosureMode) -> Wishes<'static> {
    Wishes {
        mode,
        query: Some("read a file"),
        ..Wishes::default()
    }
}

fn ids(disclosed: &Disclosed<'_>) -> Vec<String> {
    let exposed = disclosed.exposed.iter();
    exposed.map(|exposed| exposed.tool.id().to_owned()).collect()
}

fn texts(disclosed: &Disclosed<'_>) -> Vec<String> {
    let definitions = disclosed.definitions.iter();
    definitions
        .map(|definition| definition.get().to_owned())
        .collect()
}

#[test]
fn the_three_stand_first_in_the_same_bytes_whatever_the_mode() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    for format in [Format::Plain, Format::OpenAi, Format::Anthropic, Format::Gemini] {
        let three = definitions(format, false).tools;
        let three: Vec<&str> = three.iter().map(|tool| tool.get()).collect();
        for mode in [
            DisclosureMode::Funnel,
            DisclosureMode::Replace,
            DisclosureMode::Suggest,
            DisclosureMode::Auto,
        ] {
            let disclosed = disclose(
                &context,
                &Wishes {
                    format,
                    ..wishes(mode)
                },
            )
            .unwrap();
            assert_eq!(texts(&disclosed)[..3], three, "{mode:?}");
        }
    }
}

#[test]
fn the_funnel_lists_nothing_else() {
    let world = World::of_tools(TOOLS);
    let disclosed = disclose(&world.context(), &wishes(DisclosureMode::Funnel)).unwrap();
    assert_eq!((ids(&disclosed), disclosed.everything), (vec![], false));
    assert!(disclosed.recall.is_none());
}

#[test]
fn replace_lists_the_best_few_under_names_that_providers_take() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    let disclosed = disclose(&context, &wishes(DisclosureMode::Replace)).unwrap();
    assert_eq!(ids(&disclosed), ["read file"]);
    let definition: Value = serde_json::from_str(disclosed.definitions[3].get()).unwrap();
    assert_eq!(definition["name"], disclosed.exposed[0].name);
    assert!(disclosed.exposed[0].name.starts_with("read_file-x-"));
    let nothing = Wishes {
        query: Some("zzz"),
        ..wishes(DisclosureMode::Replace)
    };
    assert_eq!(ids(&disclose(&context, &nothing).unwrap()), Vec::<String>::new());
}

#[test]
fn suggest_lists_everything_in_the_order_of_registration_and_names_the_best() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    let disclosed = disclose(&context, &wishes(DisclosureMode::Suggest)).unwrap();
    assert_eq!(ids(&disclosed), ["send_mail", "read file", "list_pods"]);
    let recall: Value = serde_json::from_str(disclosed.recall.unwrap().get()).unwrap();
    assert!(
        recall["hint"]
            .as_str()
            .unwrap()
            .contains(&disclosed.exposed[1].name),
        "{recall}"
    );
    let unasked = Wishes {
        query: None,
        ..wishes(DisclosureMode::Suggest)
    };
    let unasked = disclose(&context, &unasked).unwrap();
    assert_eq!((unasked.exposed.len(), unasked.recall.is_none()), (3, true));
}

#[test]
fn auto_lists_everything_up_to_the_limit_and_comes_back_only_well_below_it() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    let at = |context_tokens, everything_before| {
        let wishes = Wishes {
            context_tokens: Some(context_tokens),
            share: Some(1.0),
            everything_before,
            ..wishes(DisclosureMode::Auto)
        };
        disclose(&context, &wishes).unwrap().everything
    };
    let cost = (1..1_000).find(|tokens| at(*tokens, None)).unwrap();
    assert_eq!(
        [None, Some(true), Some(false)].map(|before| at(cost - 1, before)),
        [false; 3]
    );
    assert_eq!(
        [None, Some(true), Some(false)].map(|before| at(cost, before)),
        [true, true, false]
    );
    let back = (cost..1_000).find(|tokens| at(*tokens, Some(false))).unwrap();
    assert_eq!(back, (cost * 5).div_ceil(4));
}

#[test]
fn a_share_outside_its_range_is_the_host_s_mistake() {
    let world = World::of_tools(TOOLS);
    for share in [-0.1, 1.5, f64::NAN] {
        let wishes = Wishes {
            share: Some(share),
            ..wishes(DisclosureMode::Auto)
        };
        assert_eq!(
            disclose(&world.context(), &wishes).unwrap_err().code,
            ErrorCode::InvalidRequest
        );
    }
}

#[test]
fn a_hidden_tool_is_listed_in_no_mode_and_named_in_no_hint() {
    let mut world = World::of_tools(TOOLS);
    world.allow(r#"{"deny":{"ids":["read file"]}}"#);
    let context = world.context();
    for mode in [
        DisclosureMode::Replace,
        DisclosureMode::Suggest,
        DisclosureMode::Auto,
    ] {
        let disclosed = disclose(&context, &wishes(mode)).unwrap();
        assert!(!ids(&disclosed).contains(&"read file".to_owned()), "{mode:?}");
        assert!(disclosed.recall.is_none());
    }
}

#[test]
fn a_listed_tool_is_called_by_the_name_it_is_listed_under() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    let listed = disclose(&context, &wishes(DisclosureMode::Replace)).unwrap();
    let step = super::answer(&context, &listed.exposed[0].name, None);
    let super::Step::Invoke { call } = step else {
        panic!("{step:?}")
    };
    assert_eq!(call.tool_id, "read file");
}

#[test]
fn every_provider_gets_a_definition_in_its_own_words() {
    let world = World::of_tools(TOOLS);
    let context = world.context();
    let last = |format| {
        let wishes = Wishes {
            format,
            query: Some("send_mail"),
            ..wishes(DisclosureMode::Replace)
        };
        texts(&disclose(&context, &wishes).unwrap())[3].clone()
    };
    let schema = r#"{"type":"object","properties":{"to":{"type":"string"}}}"#;
    let about = r#""name":"send_mail","description":"Send an e-mail message""#;
    assert_eq!(
        last(Format::Plain),
        format!(r#"{{{about},"inputSchema":{schema}}}"#)
    );
    assert_eq!(
        last(Format::Anthropic),
        format!(r#"{{{about},"input_schema":{schema}}}"#)
    );
    assert_eq!(
        last(Format::OpenAi),
        format!(r#"{{"type":"function","function":{{{about},"parameters":{schema},"strict":false}}}}"#)
    );
    assert_eq!(
        last(Format::Gemini),
        format!(r#"{{{about},"parametersJsonSchema":{schema}}}"#)
    );
}
