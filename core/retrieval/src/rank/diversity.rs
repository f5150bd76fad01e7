//! Keeps look-alikes from filling a page: the surplus of a family moves behind the other hits. Knows nothing of scores.
//!
//! A family is what one server offers under one leading or one trailing name word (`list_pods`, `list_nodes`; `create_issue`,
//! `delete_issue`), and what several servers offer under the same leading and trailing word (`create_issue` on five of them).
//! Nothing is removed, and named hits stay where they are.

use crate::index::Index;

use super::order::Candidate;

/// How many of a family stand in their place: three on a page of five, and as large a part of a longer one.
const FAMILY_LEAST: usize = 3;
const PAGE: usize = 5;
/// Stands for a word where a family is not one server's.
const EVERYWHERE: u32 = u32::MAX;

/// Moves the surplus of each family behind the page's other hits; both parts keep their order.
pub(crate) fn diversify(index: &Index, page: &mut Vec<Candidate>, limit: usize) {
    let family_most = FAMILY_LEAST.max(limit.saturating_mul(FAMILY_LEAST) / PAGE);
    let mut seen: Vec<(u64, u32, usize)> = Vec::new();
    let mut count = |group: u64, word: u32| {
        if word == 0 {
            return 0;
        }
        match seen.iter_mut().find(|entry| entry.0 == group && entry.1 == word) {
            Some(entry) => {
                entry.2 += 1;
                entry.2
            }
            None => {
                seen.push((group, word, 1));
                1
            }
        }
    };
    let mut surplus = Vec::new();
    page.retain(|candidate| {
        let Some(record) = index.record(candidate.slot) else {
            return true;
        };
        let (lead, trail) = record.name_ends();
        let leading = count(record.group(), lead);
        // A leading and a trailing word are different families even when they are the same word.
        let trailing = count(!record.group(), trail);
        let everywhere = match lead {
            0 => 0,
            _ => count(u64::from(lead) << 32 | u64::from(trail), EVERYWHERE),
        };
        let most = leading.max(trailing).max(everywhere);
        let stays = candidate.named || most <= family_most;
        if !stays {
            surplus.push(candidate.clone());
        }
        stays
    });
    page.append(&mut surplus);
}
