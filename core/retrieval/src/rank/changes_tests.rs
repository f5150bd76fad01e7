//! A catalog whose words become frequent and rare again, in three blocks of slots: it answers as one that was made afresh.

use proptest::prelude::*;

use super::kit::{Shelf, Tool, tool};
use super::{Explainer, Query, Ranking, search, suggest};
use crate::index::{Bitmap, Hint};
use crate::text::Analyzer;

const WORDS: [&str; 8] = [
    "weather", "calendar", "message", "harbour", "lantern", "orchard", "pumpkin", "violin",
];
/// Of a hundred documents so many have a word.
const SHARES: [u32; 6] = [0, 1, 6, 30, 85, 100];
const QUERIES: [&str; 5] = [
    "weather calendar message",
    "harbour lantern orchard pumpkin violin",
    "weathr of the harbor",
    "orchard",
    "server2 t17 violin",
];
/// Where documents stand, and how many: the first block may have a column.
const PLACES: [(u32, u32); 3] = [(0, 430), (4_080, 40), (9_000, 20)];

/// Numbers that look like chance, and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap() % sides
    }

    fn slot(&mut self) -> u32 {
        let mut left = self.roll(PLACES.iter().map(|place| place.1).sum());
        for (first, count) in PLACES {
            if left < count {
                return first + left;
            }
            left -= count;
        }
        0
    }

    /// A document at a slot; each word weighs differently in it.
    fn document(&mut self, slot: u32, shares: &[u32]) -> Tool {
        let mut text = String::new();
        for (word, share) in WORDS.iter().zip(shares) {
            if self.roll(100) < *share {
                (0..=self.roll(3)).for_each(|_| text.extend([" ", word]));
            }
        }
        let mut made = tool(&format!("server{}__t{slot}", slot % 3), &text);
        made.hint = [Hint::ReadOnly, Hint::Neutral, Hint::Destructive][slot as usize % 3];
        made
    }
}

/// All that is said of what is found, without slots: of the even ones alone, too.
fn answers(shelf: &Shelf) -> Vec<String> {
    let even: Bitmap = (0..)
        .zip(&shelf.tools)
        .filter(|(_, tool)| {
            tool.as_ref()
                .is_some_and(|tool| tool.id.ends_with(['0', '2', '4', '6', '8']))
        })
        .map(|(slot, _)| slot)
        .collect();
    let mut said = Vec::new();
    for text in QUERIES {
        let asked = Query {
            text,
            limit: 1_000,
            ..Query::default()
        };
        let explained = Explainer::new(&shelf.index, &asked);
        let all = search(&shelf.index, &asked);
        for hit in &all.hits {
            let parts = explained.contributions(hit.slot);
            said.push(format!("{} {:?} {parts:?}", shelf.id(hit.slot), hit.score));
        }
        let page = |ranking: &Ranking| {
            format!(
                "{:?} {} {} {:?}",
                ranking.status,
                ranking.evidence,
                ranking.total,
                shelf.page(ranking)
            )
        };
        said.push(page(&all));
        said.push(page(&search(
            &shelf.index,
            &Query {
                visible: Some(&even),
                ..asked.clone()
            },
        )));
        said.push(page(&search(
            &shelf.index,
            &Query {
                limit: 7,
                offset: 3,
                diversify: true,
                ..asked
            },
        )));
        for visible in [None, Some(&even)] {
            let near = suggest(&shelf.index, text, 5, visible);
            said.push(format!(
                "{:?}",
                near.into_iter().map(|slot| shelf.id(slot)).collect::<Vec<_>>()
            ));
        }
    }
    said
}

/// The same documents in another order, at other slots.
fn afresh(shelf: &Shelf, first: u32) -> Shelf {
    let (mut fresh, mut analyzer) = (Shelf::default(), Analyzer::default());
    let left = shelf.tools.iter().flatten().rev().cloned();
    left.zip(first..)
        .for_each(|(tool, slot)| fresh.put(slot, tool, &mut analyzer));
    fresh
}

/// What is stored, and loaded again.
fn loaded(shelf: &Shelf) -> Shelf {
    let slots: Vec<u32> = (0..)
        .zip(&shelf.tools)
        .filter(|(_, tool)| tool.is_some())
        .map(|(slot, _)| slot)
        .collect();
    let tools: Vec<Option<Tool>> = shelf
        .tools
        .iter()
        .filter(|tool| tool.is_some())
        .cloned()
        .collect();
    let ids: Vec<&str> = tools.iter().flatten().map(|tool| tool.id.as_str()).collect();
    let index = shelf.index.save(&slots).load(&ids).unwrap();
    Shelf { index, tools }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]
    #[test]
    fn words_that_become_frequent_and_rare_again_are_found_as_if_they_had_always_been(seed in any::<u64>()) {
        let (mut dice, mut analyzer) = (Dice(seed), Analyzer::default());
        let (mut shelf, mut held) = (Shelf::default(), Vec::new());
        for phase in 0..4 {
            let shares: Vec<u32> = WORDS.iter().map(|_| SHARES[dice.roll(6) as usize]).collect();
            let goes = [5, 5, 70, 30][phase];
            let changes = [700, 300, 500, 300][phase];
            for change in 0..changes {
                let slot = dice.slot();
                if dice.roll(100) < goes {
                    shelf.take(slot);
                } else {
                    let document = dice.document(slot, &shares);
                    shelf.put(slot, document, &mut analyzer);
                }
                if change == changes / 2 {
                    held.push((shelf.clone(), answers(&shelf)));
                }
            }
            let now = answers(&shelf);
            prop_assert_eq!(&now, &answers(&afresh(&shelf, [0, 4_000, 0, 70_000][phase])));
            let again = loaded(&shelf);
            prop_assert_eq!(&now, &answers(&again));
            if phase == 1 { shelf = again; }
        }
        for (published, then) in &held { prop_assert_eq!(&answers(published), then); }
        for (slot, tool) in (0..).zip(shelf.tools.clone()) { if tool.is_some() { shelf.take(slot); } }
        prop_assert!(shelf.index.is_empty() && answers(&shelf) == answers(&Shelf::default()));
    }
}
