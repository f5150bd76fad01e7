//! Twenty families of ten look-alikes (`families.json`): how much of a page one family takes, and whether every need of a
//! query is served, with look-alikes in their plain order and with the surplus moved behind. Prints one line of JSON.

use std::error::Error;

use honeyguide::catalog::item::Item as _;
use honeyguide::catalog::tool::Tool;
use honeyguide::rank::Query;
use honeyguide_bench_kit::corpus::Random;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::to_raw_value;

use crate::ours::Ours;
use crate::sets;

const FAMILIES: &str = include_str!("../families.json");
/// Hits that a model is shown when it does not say how many.
const PAGE: usize = 5;
/// Queries with two needs.
const PAIRS: usize = 200;
const SEED: u64 = 4;
const STREAM: u64 = 5;

#[derive(Deserialize)]
struct Families {
    families: Vec<Family>,
}

/// Look-alikes: things for one verb of a server, verbs for one thing of a server, or servers for one name.
#[derive(Deserialize)]
struct Family {
    server: Option<String>,
    verb: Option<String>,
    noun: Option<String>,
    name: Option<String>,
    of: String,
    members: Vec<String>,
}

/// One tool, what a person wants of it, and its family.
struct Sibling {
    id: String,
    need: String,
    family: usize,
}

/// What a page was like.
#[derive(Default, Serialize)]
struct Pages {
    /// The share of the page that its largest family takes, mean over pages.
    largest_family: f64,
    /// The share of the needs whose own tool is on the page.
    needs_served: f64,
    /// Queries with every need served.
    all_served: f64,
}

/// Asks for one need of every tool, and for pairs of needs of two families.
pub fn run() -> Result<(), Box<dyn Error>> {
    let families: Families = serde_json::from_str(FAMILIES)?;
    let (mut siblings, mut tools) = (Vec::new(), Vec::new());
    for (number, family) in families.families.iter().enumerate() {
        for member in &family.members {
            let (sibling, tool) = family.sibling(number, member);
            tools.push(sets::Tool {
                id: sibling.id.clone(),
                line: to_raw_value(&tool)?,
                has_body: false,
            });
            siblings.push(sibling);
        }
    }
    let ours = Ours::<Tool>::of(&tools)?;
    let alone: Vec<Vec<&Sibling>> = siblings.iter().map(|sibling| vec![sibling]).collect();
    let pairs: Vec<Vec<&Sibling>> = (0..PAIRS).map(|number| pair(&siblings, number)).collect();
    let of = |queries: &[Vec<&Sibling>]| {
        let both = [false, true].map(|diversify| pages(&ours, &siblings, queries, diversify));
        let [plain, diverse] = both;
        json!({"queries": queries.len(), "plain": plain, "diverse": diverse})
    };
    let report = json!({
        "families": families.families.len(), "tools": tools.len(), "page": PAGE,
        "one need": of(&alone), "two needs": of(&pairs),
    });
    println!("{report}");
    Ok(())
}

impl Family {
    fn sibling(&self, family: usize, member: &str) -> (Sibling, serde_json::Value) {
        let of = &self.of;
        let (server, name, does) = match (&self.server, &self.verb, &self.noun, &self.name) {
            (Some(server), Some(verb), _, _) => (
                server.as_str(),
                format!("{verb} {member}"),
                format!("{verb} the {member}"),
            ),
            (Some(server), _, Some(noun), _) => (
                server.as_str(),
                format!("{member} {noun}"),
                format!("{member} the {noun}"),
            ),
            (_, _, _, name) => {
                let name = name.clone().unwrap_or_default();
                (member, name.clone(), format!("{name} with {member}"))
            }
        };
        let name = name.replace(' ', "_");
        let id = format!("{server}__{name}");
        let tool = json!({
            "id": id, "name": name, "server": server,
            "description": format!("{does}: works on one {of} at a time and answers with what it did."),
            "inputSchema": {"type": "object", "properties": {
                "scope": {"type": "string", "description": format!("The {of} to work on.")},
            }},
        });
        let need = format!("{does} of my {of}");
        (Sibling { id, need, family }, tool)
    }
}

/// Two needs of two families.
fn pair(siblings: &[Sibling], number: usize) -> Vec<&Sibling> {
    let mut random = Random::new(SEED, STREAM, number);
    let first = &siblings[random.below(siblings.len())];
    let others: Vec<&Sibling> = siblings
        .iter()
        .filter(|sibling| sibling.family != first.family)
        .collect();
    vec![first, others[random.below(others.len())]]
}

fn pages(ours: &Ours<Tool>, siblings: &[Sibling], queries: &[Vec<&Sibling>], diversify: bool) -> Pages {
    let (mut pages, mut needs) = (Pages::default(), 0);
    for wanted in queries {
        let text: Vec<&str> = wanted.iter().map(|sibling| sibling.need.as_str()).collect();
        let ranking = ours.catalog.search(&Query {
            text: &text.join(", and then "),
            limit: PAGE,
            diversify,
            ..Query::default()
        });
        let hits = ranking.hits.iter();
        let page: Vec<&str> = hits
            .filter_map(|hit| Some(ours.catalog.at(hit.slot)?.id()))
            .collect();
        let mut counts = vec![0_usize; siblings.len()];
        for sibling in siblings
            .iter()
            .filter(|sibling| page.contains(&sibling.id.as_str()))
        {
            counts[sibling.family] += 1;
        }
        let largest = counts.into_iter().max().unwrap_or_default();
        let served = wanted
            .iter()
            .filter(|sibling| page.contains(&sibling.id.as_str()))
            .count();
        pages.largest_family += largest as f64 / page.len().max(1) as f64;
        pages.needs_served += served as f64;
        pages.all_served += f64::from(u8::from(served == wanted.len()));
        needs += wanted.len();
    }
    pages.largest_family /= queries.len() as f64;
    pages.needs_served /= needs as f64;
    pages.all_served /= queries.len() as f64;
    pages
}
