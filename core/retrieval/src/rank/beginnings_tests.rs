//! Words that are not English, found by what they begin with, in whole searches.

use super::Query;
use super::explain::Explainer;
use super::kit::{Shelf, Tool, tool};
use super::plan::Way;
use super::status::Status;

fn german() -> Vec<Tool> {
    vec![
        tool("search_flights", "Sucht Flugverbindungen zwischen zwei Flughäfen"),
        tool("get_balance", "Fragt den Kontostand ab"),
        tool(
            "transfer_money",
            "Führt eine Überweisung auf ein anderes Konto aus",
        ),
        tool("restart_server", "Startet einen Server neu"),
        tool("share_sheet", "Gibt eine Tabelle für andere frei"),
        tool(
            "list_issues",
            "Lists the issues of a project and of all the others",
        ),
    ]
}

fn ways(shelf: &Shelf, query: &str) -> Vec<Way> {
    let best = shelf.search(query, 1).hits.first().map(|hit| hit.slot);
    let query = Query {
        text: query,
        ..Query::default()
    };
    let parts = best.map(|slot| Explainer::new(&shelf.index, &query).contributions(slot));
    parts
        .unwrap_or_default()
        .into_iter()
        .map(|part| part.way)
        .collect()
}

#[test]
fn another_form_of_a_word_is_found_by_its_beginning_in_any_language() {
    let shelf = Shelf::of(german());
    assert_eq!(shelf.ids("günstige Flüge nach Rom")[..1], ["search_flights"]);
    assert_eq!(ways(&shelf, "günstige Flüge nach Rom"), [Way::Beginning]);
    for (description, query) in [
        ("Dosyayı başka bir klasöre taşır", "klasörden"),
        ("Переносит встречу на другое время", "перенеси"),
        ("Zwraca listę spotkań z podanego okresu", "spotkanie"),
        ("Παίζει ένα τραγούδι", "τραγουδιού"),
    ] {
        let shelf = Shelf::of([tool("x", description), tool("other", "Something else")]);
        assert_eq!(shelf.ids(query), ["x"], "{query}");
    }
}

#[test]
fn a_compound_is_found_by_its_last_part_and_an_umlaut_may_be_two_letters() {
    let shelf = Shelf::of(german());
    assert_eq!(shelf.ids("Budgettabelle"), ["share_sheet"]);
    assert_eq!(shelf.ids("ueberweise")[..1], ["transfer_money"]);
}

#[test]
fn the_word_itself_stands_before_what_only_begins_like_it() {
    let shelf = Shelf::of([
        tool("a", "Zeigt die Kontonummer eines Kunden an"),
        tool("b", "Zeigt das Konto eines Kunden an"),
    ]);
    assert_eq!(shelf.ids("Konto"), ["b", "a"]);
}

#[test]
fn english_texts_have_no_beginnings_and_english_requests_ask_for_none() {
    let english = Shelf::of([
        tool("a", "Schedules all of the meetings"),
        tool("b", "The scheme of a database"),
    ]);
    assert!(english.ids("schematic").is_empty());
    let shelf = Shelf::of(german());
    assert!(shelf.ids("show the flugzeug that is there for me").is_empty());
    assert!(shelf.ids("issuance").is_empty());
}

#[test]
fn a_beginning_beside_its_word_is_no_evidence_of_its_own() {
    let others = |rest: &str| {
        [
            tool("y", &format!("Gamma {rest}")),
            tool("z", &format!("Delta {rest}")),
        ]
    };
    let evidence = |text: &str, rest: &str| {
        let mut tools = vec![tool("x", text)];
        tools.extend(others(rest));
        shelf_evidence(&Shelf::of(tools), "konto reise")
    };
    // As many words of content, and as rare.
    let german = evidence("Konto der Reise und das", "der und das");
    let english = evidence("Konto of the Reise with the", "of the with the");
    assert!(german > 0);
    assert_eq!(german, english);
}

#[test]
fn what_only_begins_alike_is_never_certain_by_one_word() {
    let shelf = Shelf::of(german());
    let ranking = shelf.search("Konten", 9);
    assert_eq!(ranking.status, Status::Weak);
    assert!(ranking.evidence < shelf.search("Konto", 9).evidence);
}

fn shelf_evidence(shelf: &Shelf, query: &str) -> u32 {
    shelf.search(query, 9).evidence
}

#[test]
fn the_longest_request_is_answered_though_few_of_its_parts_are_looked_for() {
    let shelf = Shelf::of(german());
    let words: Vec<String> = (0..2_000)
        .map(|at| format!("unbekannt{}flugzeug", "xy".repeat(at % 40)))
        .collect();
    assert!(!shelf.ids(&words.join(" ")).is_empty());
}

#[test]
fn what_only_begins_like_the_words_is_never_certain() {
    let shelf = Shelf::of(german());
    for query in ["Konturen Überzug", "Flughafenbus Flugzeuge"] {
        let found = shelf.search(query, 3);
        assert!(!found.hits.is_empty(), "{query}");
        assert_ne!(
            Status::of(found.evidence, super::Thresholds::default()),
            Status::Ok,
            "{query}"
        );
    }
}

#[test]
fn the_order_of_a_query_s_words_does_not_tell_how_sure_its_answer_is() {
    let shelf = Shelf::of(german());
    let evidence = |query: &str| shelf.search(query, 3).evidence;
    assert_eq!(
        evidence("Tabelle Tabellenblatt"),
        evidence("Tabellenblatt Tabelle")
    );
}

#[test]
fn where_words_are_looked_for_in_part_less_evidence_makes_an_answer_possible() {
    let shelf = Shelf::of(german());
    let judged = |query: &str| {
        let found = shelf.search(query, 3);
        (found.evidence, found.status)
    };
    let sixth = "Kontonummer Hamburg Temperatur Donnerstag Nachmittag Vergangenheit";
    assert_eq!(judged(sixth), (200, Status::Weak));
    let (evidence, status) = judged(&format!("{sixth} Mittelmeer Holzbein Quantenfeld Bergwerk"));
    assert!((1..200).contains(&evidence), "{evidence}");
    assert_eq!(status, Status::NoMatch);
    assert_eq!(judged("Quantenfeld Gitterrechnung"), (0, Status::NoMatch));
}

#[test]
fn a_short_text_of_which_no_word_is_known_in_english_is_in_another_language() {
    for (description, query) in [
        ("Elimina archivos", "eliminar"),
        ("Rechnungen erstellen", "erstelle"),
        ("Envoyer facture", "envoie"),
        ("Fatura gönder", "faturam"),
    ] {
        let shelf = Shelf::of([tool("x", description), tool("other", "Restart server")]);
        assert_eq!(shelf.ids(query), ["x"], "{query}");
        // What is English is found by its words only.
        assert!(shelf.ids("servus restanten").is_empty());
    }
    // One known word is enough to doubt it, and one word is too little to tell.
    for description in ["Envoyer message", "Rechnungen"] {
        let shelf = Shelf::of([tool("x", description)]);
        assert!(shelf.ids("envoie rechnungswesen").is_empty(), "{description}");
    }
}

#[test]
fn a_beginning_that_two_words_share_stands_for_the_same_one_in_any_order() {
    let shelf = Shelf::of([
        tool("a", "Borra la nota de un proyecto"),
        tool("b", "Guarda la nota para borrar"),
        tool("c", "Muestra los borradores"),
        tool("d", "Lista los proyectos"),
    ]);
    for words in [["borra", "borrar"], ["borra", "borrador"], ["borrasca", "borrar"]] {
        let [one, two] = words;
        let judged = |query: String| {
            let found = shelf.search(&query, 9);
            (found.hits, found.evidence)
        };
        assert_eq!(
            judged(format!("{one} {two} nota")),
            judged(format!("nota {two} {one}")),
            "{words:?}"
        );
    }
}

#[test]
fn a_word_in_another_script_that_nobody_has_makes_no_english_query_more_certain() {
    let things = [
        "copper", "walnut", "lantern", "velvet", "thunder", "orchard", "pepper", "harbor",
    ];
    let shelf = Shelf::of((0..).zip(things).map(|(at, thing)| {
        let id = format!("t{at}");
        tool(&id, &format!("What there is of the {thing}"))
    }));
    let evidence = |query: &str| shelf.search(query, 3).evidence;
    let asked = format!("what is there of the {}", things.join(" and "));
    let plain = evidence(&asked);
    assert!((1..200).contains(&plain), "{plain}");
    let quoted = evidence(&format!("{asked} as in \"漢字\""));
    assert!(quoted < plain, "{quoted} {plain}");
}

#[test]
fn a_long_text_is_not_found_by_what_its_words_begin_with() {
    let short = "Переносит встречу на другое время и сообщает об этом участникам";
    let long = format!(
        "{short} {}",
        "снова и снова другими словами рассказывает ".repeat(12)
    );
    let shelf = Shelf::of([tool("short", short), tool("long", &long)]);
    assert_eq!(shelf.ids("перенеси"), ["short"]);
    // By the words themselves it is.
    assert!(shelf.ids("переносит встречу").contains(&"long"));
}
