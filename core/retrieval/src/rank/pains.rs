//! What users of such systems suffered from, as tests on the ranking: rows of the table of required behaviours.

use super::kit::{Shelf, tool};
use super::{Query, Status, search};
use crate::index::{Bitmap, Hint};
use crate::text::Analyzer;

#[test]
fn p01_a_request_verb_does_not_outrank_what_is_asked_for() {
    let shelf = Shelf::of([
        tool("weather_lookup", "Look up weather forecast for a city"),
        tool("search_docs", "Search project documentation"),
        tool("send_email", "Send an email to a recipient"),
        tool("create_event", "Create a calendar event"),
        tool("list_files", "List files in a directory"),
        tool("read_file", "Read the contents of a file"),
        tool("run_query", "Run a database query"),
        tool("convert_currency", "Convert an amount between currencies"),
        tool("translate_text", "Translate text into another language"),
        tool("play_music", "Play a song or an album"),
    ]);
    assert_eq!(
        shelf.ids("Look for documentation about deployment configuration")[0],
        "search_docs"
    );
}

#[test]
fn p01_a_verb_of_a_hundred_names_does_not_lead() {
    let mut tools: Vec<_> = (0..99)
        .map(|at| tool(&format!("list_thing{at}s"), "List all of them"))
        .collect();
    tools.push(tool("get_pods", "Show the pods of a namespace"));
    let shelf = Shelf::of(tools);
    assert_eq!(shelf.ids("list pods")[0], "get_pods");
}

#[test]
fn p02_identifiers_are_found_by_their_words_and_as_a_whole() {
    let shelf = Shelf::of([
        tool("addActivity_mcp_pipedrive", "Add an activity"),
        tool("addPerson_mcp_pipedrive", "Add a person"),
        tool("canvas_create_edge", "Connect two nodes"),
        tool("canvas_create_node", "Put a node on the canvas"),
    ]);
    for query in ["add person", "addPerson", "addPerson_mcp_pipedrive", "ADD_PERSON"] {
        assert_eq!(shelf.ids(query)[0], "addPerson_mcp_pipedrive", "{query}");
    }
    assert_eq!(shelf.ids("create edge")[0], "canvas_create_edge");
}

#[test]
fn p03_text_without_spaces_is_found() {
    let shelf = Shelf::of([
        tool("search_web", "Search the web for anything"),
        tool("search_laws", "日本の法令を検索します"),
        tool("get_weather", "天気予報を取得します"),
    ]);
    assert_eq!(shelf.ids("法令を調べて")[0], "search_laws");
}

#[test]
fn p04_cyrillic_words_are_found() {
    let shelf = Shelf::of([
        tool("report", "кассовый разрыв 2026"),
        tool("other", "Cash flow 2026"),
    ]);
    assert_eq!(shelf.ids("кассовый разрыв 2026")[0], "report");
}

fn on_call() -> Shelf {
    Shelf::of([
        tool(
            "create_incident",
            "Create an incident and notify the team by email",
        ),
        tool("resolve_incident", "Resolve an incident"),
        tool("list_incidents", "List open incidents with severity"),
        tool(
            "acknowledge_alert",
            "Acknowledge an alert from a pager or an email",
        ),
        tool("escalate_incident", "Escalate an incident to the next responder"),
        tool("get_schedule", "Get who is on call"),
        tool("override_schedule", "Override an on-call shift"),
        tool("add_responder", "Add a responder to an incident by email address"),
        tool("post_status", "Post a status page update"),
        tool("list_services", "List monitored services"),
    ])
}

#[test]
fn p07_one_shared_word_is_no_answer() {
    assert_ne!(on_call().search("send gmail email", 5).status, Status::Ok);
}

#[test]
fn p07_a_foreign_query_has_no_match_and_names_at_most_three() {
    let shelf = on_call();
    for query in [
        "book flight tickets for paris in december",
        "paint my bedroom walls green tomorrow with someone on call",
    ] {
        let ranking = shelf.search(query, 5);
        assert_ne!(ranking.status, Status::Ok, "{query}");
        assert!(ranking.nearest.len() <= 3);
    }
    assert_eq!(
        shelf.search("quantum chromodynamics lattice", 5).status,
        Status::NoMatch
    );
}

#[test]
fn p07_a_fitting_query_is_ok() {
    for query in [
        "who is on call",
        "list open incidents",
        "acknowledge the alert",
        "escalate incident to another responder",
    ] {
        assert_eq!(on_call().search(query, 5).status, Status::Ok, "{query}");
    }
}

#[test]
fn p08_the_name_of_a_server_hides_nothing() {
    for separator in ["_", "__"] {
        let names = [
            "create_issue",
            "list_issues",
            "add_comment",
            "merge_pull_request",
            "list_commits",
            "create_branch",
            "delete_branch",
            "search_code",
            "fork_repository",
            "star_repository",
            "list_releases",
            "get_file",
            "update_issue",
            "add_issue_comment",
        ];
        let mut tools: Vec<_> = names
            .iter()
            .map(|name| tool(&format!("github{separator}{name}"), "Works with a repository"))
            .collect();
        tools.push(tool(
            &format!("github{separator}get_me"),
            "Details of the authenticated user's profile",
        ));
        tools.push(tool("weather", "The weather"));
        let shelf = Shelf::of(tools);
        let me = format!("github{separator}get_me");
        assert!(
            shelf.ids("github profile")[..3].contains(&me.as_str()),
            "{:?}",
            shelf.ids("github profile")
        );
        let found = shelf.ids("get me");
        assert_eq!(found[0], me);
        assert!(found.iter().all(|id| !id.contains("comment")), "{found:?}");
    }
}

#[test]
fn p08_a_server_that_is_asked_for_leads_its_tools_and_no_others() {
    let shelf = Shelf::of([
        tool("a", "Create an issue").server("linear"),
        tool("b", "Create an issue").server("github"),
        tool("c", "Delete a branch").server("github"),
        tool("d", "Show the weather").server("weather"),
    ]);
    assert_eq!(shelf.ids("create an issue on github")[0], "b");
    assert_eq!(shelf.ids("create an issue in linear")[0], "a");
}

#[test]
fn p09_a_bare_noun_finds_the_careful_sibling_first() {
    let tools = [
        tool("remove_iocs", "Indicators of compromise").hint(Hint::Destructive),
        tool("search_iocs", "Indicators of compromise").hint(Hint::ReadOnly),
        tool("update_iocs", "Indicators of compromise"),
        tool("search_iocs_history_archive", "Indicators of compromise").hint(Hint::ReadOnly),
    ];
    let expected = [
        "search_iocs",
        "update_iocs",
        "remove_iocs",
        "search_iocs_history_archive",
    ];
    for turn in 0..4 {
        let mut turned = tools.to_vec();
        turned.rotate_left(turn);
        assert_eq!(Shelf::of(turned).ids("iocs"), expected);
    }
}

#[test]
fn p10_a_named_tool_is_first_in_every_spelling_on_every_server() {
    let mut tools: Vec<_> = (0..60)
        .map(|at| tool(&format!("get_handoff_note{at}"), "Get handoff handoff"))
        .collect();
    tools.push(tool("mcp__agent-tools__get_handoff", "Fetch it"));
    tools.push(tool("mcp__other__get_handoff", "Something else"));
    let shelf = Shelf::of(tools);
    for query in [
        "get_handoff",
        "GET_HANDOFF",
        "getHandoff",
        "get-handoff",
        "get handoff",
        "please run get_handoff now",
    ] {
        let ranking = shelf.search(query, 2);
        let mut found = shelf.page(&ranking);
        found.sort_unstable();
        assert_eq!(
            found,
            ["mcp__agent-tools__get_handoff", "mcp__other__get_handoff"],
            "{query}"
        );
        assert_eq!(ranking.status, Status::Ok);
        assert!(ranking.hits.iter().all(|hit| hit.named));
        let page = Query {
            text: query,
            limit: 1,
            diversify: true,
            ..Query::default()
        };
        assert_eq!(
            search(&shelf.index, &page).hits.len(),
            2,
            "every named hit stands on a model's page"
        );
    }
    assert_eq!(shelf.search("mcp__agent-tools__get_handoff", 1).hits.len(), 1);
    assert_eq!(
        shelf.ids("mcp__agent-tools__get_handoff")[0],
        "mcp__agent-tools__get_handoff"
    );
}

#[test]
fn p10_a_part_of_an_identifier_names_only_where_the_whole_does_not() {
    let shelf = Shelf::of([
        tool("alpha_one/get_items", "One"),
        tool("get_items", "Two"),
        tool("close_issue", "Three"),
    ]);
    let named = |query: &str| {
        let ranking = shelf.search(query, 5);
        let named = ranking.hits.iter().filter(|hit| hit.named);
        named.map(|hit| shelf.id(hit.slot).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named("run alpha_one/get_items"), ["alpha_one/get_items"]);
    assert_eq!(named("run beta_two/get_items"), ["get_items"]);
    assert_eq!(named("run get_items/close_issue"), ["close_issue", "get_items"]);
}

#[test]
fn p02_one_wrong_letter_in_a_word_of_a_name_still_finds_it() {
    let shelf = Shelf::of([
        tool("create_issue", "Opens a ticket"),
        tool("close_board", "Closes it"),
        tool("delete_branch", "Removes a line of work"),
    ]);
    for query in ["creat_isue", "close borad", "delete brnch", "deleet branhc"] {
        assert_eq!(shelf.ids(query)[0][..3], query[..3], "{query}");
    }
    assert!(
        shelf.ids("boats").is_empty(),
        "a word that is known is not corrected"
    );
}

#[test]
fn p06_a_word_that_no_tool_has_is_looked_for_by_its_relations() {
    let shelf = Shelf::of([
        tool("delete_flow", "Delete a flow by id"),
        tool("create_flow", "Create a flow"),
        tool("get_weather", "Current weather"),
    ]);
    assert_eq!(shelf.ids("permanently erase workflow 456")[0], "delete_flow");
}

#[test]
fn a_name_that_many_servers_have_leaves_room_for_others() {
    let mut tools: Vec<_> = (0..6)
        .map(|at| tool(&format!("server{at}__create_issue"), "Create an issue"))
        .collect();
    tools.push(tool("notes__append", "Append an issue to the notes"));
    let shelf = Shelf::of(tools);
    let page = Query {
        text: "an issue, please create it",
        limit: 4,
        diversify: true,
        ..Query::default()
    };
    let ranking = search(&shelf.index, &page);
    assert_eq!(shelf.page(&ranking)[3], "notes__append");
}

#[test]
fn p10_a_plain_word_in_a_sentence_names_nothing() {
    let shelf = Shelf::of([
        tool("now", "The time"),
        tool("find", "Find files"),
        tool("book_table", "Reserve a table in a restaurant"),
    ]);
    let ranking = shelf.search("find me a restaurant and reserve a table now", 5);
    assert!(ranking.hits.iter().all(|hit| !hit.named));
    assert_eq!(shelf.page(&ranking)[0], "book_table");
}

#[test]
fn p11_short_capital_words_are_kept() {
    let shelf = Shelf::of([
        tool("upload", "Upload CI artefacts to S3"),
        tool("other", "Upload a picture to the album"),
    ]);
    assert_eq!(shelf.ids("CI S3"), ["upload"]);
}

#[test]
fn p12_tiny_catalogs_have_sane_scores() {
    let files = Shelf::of([tool("read_file", "Read it"), tool("write_file", "Write it")]);
    assert_eq!(files.ids("read"), ["read_file"]);
    assert_eq!(files.ids("file").len(), 2);
    for count in 1..=3 {
        let shelf =
            Shelf::of((0..count).map(|at| tool(&format!("tool{at}_common"), "common words everywhere")));
        let ranking = shelf.search("common", 10);
        assert_eq!(ranking.hits.len(), count);
        for hit in ranking.hits {
            assert!(hit.score.to_f64() > 0.0 && hit.score.to_f64().is_finite());
        }
    }
}

#[test]
fn p12_a_blank_query_and_a_blank_description_match_nothing() {
    let shelf = Shelf::of([tool("a", ""), tool("read_file", "Read a file")]);
    for query in ["", "   ", "\u{0}", "the of and", "🙂", "\u{200b}\u{202e}"] {
        let ranking = shelf.search(query, 10);
        assert_eq!(
            (ranking.hits.len(), ranking.total, ranking.status),
            (0, 0, Status::NoMatch),
            "{query:?}"
        );
    }
    assert_eq!(shelf.ids("file"), ["read_file"]);
}

#[test]
fn p13_a_replaced_tool_is_found_by_its_new_words_alone() {
    let mut shelf = Shelf::of([tool("x", "Delete a file")]);
    shelf.put(0, tool("x", "Send an email"), &mut Analyzer::default());
    assert_eq!(shelf.index.len(), 1);
    assert!(shelf.ids("delete file").is_empty());
    assert_eq!(shelf.ids("send email"), ["x"]);
}

#[test]
fn p72_every_match_is_reached_by_pages_without_gaps() {
    let shelf = Shelf::of((0..123).map(|at| tool(&format!("list_pods_{at:03}"), "List pods")));
    let mut seen = Vec::new();
    for (offset, expected) in [(0, 50), (50, 50), (100, 23)] {
        let query = Query {
            text: "pods",
            limit: 50,
            offset,
            ..Query::default()
        };
        let ranking = search(&shelf.index, &query);
        assert_eq!((ranking.hits.len(), ranking.total), (expected, 123));
        seen.extend(ranking.hits.iter().map(|hit| shelf.id(hit.slot).to_owned()));
    }
    assert_eq!(seen, shelf.ids("pods"));
}

#[test]
fn what_may_not_be_seen_is_not_counted_named_or_suggested() {
    let shelf = Shelf::of([
        tool("a__run_query", "Run a query"),
        tool("b__run_query", "Run a query"),
        tool("c__stop", "Stop"),
    ]);
    let visible: Bitmap = [1, 2].into_iter().collect();
    assert_eq!(shelf.seen("run_query", &visible), ["b__run_query"]);
    assert_eq!(shelf.seen("query", &visible), ["b__run_query"]);
    assert_eq!(
        super::suggest(&shelf.index, "a__run_qery", 3, Some(&visible)),
        [1]
    );
    let nobody = Bitmap::with_len(3);
    assert!(shelf.seen("run_query", &nobody).is_empty());
}
