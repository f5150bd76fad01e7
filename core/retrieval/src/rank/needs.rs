//! One page for several needs: they take turns by rank, so that each is served while there is room.
//! Knows nothing of queries.

use std::collections::HashMap;

use super::{Hit, Ranking, Status};

/// A hit on a page for several needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The hit, as it is in the ranking of the first need that it serves.
    pub hit: Hit,
    /// The needs that it serves, by their places: first the one that brought it, then those whose turn came to it as well.
    pub needs: Vec<usize>,
}

/// The best of several rankings, in turns: the first hit of each, then the second of each. Each must be as long as there is
/// room, or whole. A hit that stands there already takes no room again; a need without an answer takes none.
pub fn take_turns(rankings: &[Ranking], room: usize) -> Vec<Turn> {
    let mut page: Vec<Turn> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    let answered = |ranking: &&Ranking| ranking.status != Status::NoMatch;
    let longest = rankings
        .iter()
        .filter(answered)
        .map(|ranking| ranking.hits.len())
        .max();
    for rank in 0..longest.unwrap_or(0) {
        if page.len() >= room {
            break;
        }
        for (need, ranking) in rankings
            .iter()
            .enumerate()
            .filter(|(_, ranking)| answered(ranking))
        {
            let Some(hit) = ranking.hits.get(rank) else {
                continue;
            };
            if let Some(turn) = places.get(&hit.slot).and_then(|place| page.get_mut(*place)) {
                turn.needs.push(need);
            } else if page.len() < room {
                places.insert(hit.slot, page.len());
                page.push(Turn {
                    hit: *hit,
                    needs: vec![need],
                });
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;
    use proptest::prelude::*;

    fn ranking(status: Status, slots: &[u32]) -> Ranking {
        let hit = |slot: &u32| Hit {
            slot: *slot,
            score: Score(1),
            named: false,
        };
        Ranking {
            evidence: 0,
            status,
            hits: slots.iter().map(hit).collect(),
            total: slots.len(),
            nearest: Vec::new(),
        }
    }

    fn page(rankings: &[Ranking], room: usize) -> Vec<(u32, Vec<usize>)> {
        let turns = take_turns(rankings, room).into_iter();
        turns.map(|turn| (turn.hit.slot, turn.needs)).collect()
    }

    #[test]
    fn needs_take_turns_by_rank() {
        let rankings = [ranking(Status::Ok, &[1, 2, 3]), ranking(Status::Weak, &[7, 8])];
        assert_eq!(
            page(&rankings, 4),
            [(1, vec![0]), (7, vec![1]), (2, vec![0]), (8, vec![1])]
        );
    }

    #[test]
    fn a_hit_of_several_needs_is_there_once_and_makes_room_for_the_next_need() {
        let rankings = [
            ranking(Status::Ok, &[1, 2]),
            ranking(Status::Ok, &[1, 3]),
            ranking(Status::Ok, &[4]),
        ];
        assert_eq!(page(&rankings, 2), [(1, vec![0, 1]), (4, vec![2])]);
        assert_eq!(page(&rankings, 1), [(1, vec![0, 1])]);
    }

    #[test]
    fn a_need_without_an_answer_takes_no_place() {
        let rankings = [ranking(Status::NoMatch, &[5, 6]), ranking(Status::Ok, &[1, 5])];
        assert_eq!(page(&rankings, 9), [(1, vec![1]), (5, vec![1])]);
        assert_eq!(page(&rankings[..1], 9), []);
    }

    fn any_ranking() -> impl Strategy<Value = Ranking> {
        let slots = proptest::sample::subsequence((0u32..12).collect::<Vec<_>>(), 0..12).prop_shuffle();
        (slots, 0usize..3)
            .prop_map(|(slots, at)| ranking([Status::Ok, Status::Weak, Status::NoMatch][at], &slots))
    }

    proptest! {
        #[test]
        fn every_answered_need_has_its_best_hit_on_a_page_with_room_for_all_and_a_longer_page_begins_alike(
            rankings in proptest::collection::vec(any_ranking(), 0..6), room in 0usize..20,
        ) {
            let turns = take_turns(&rankings, room);
            prop_assert!(turns.len() <= room);
            if room >= rankings.len() {
                for (need, ranking) in rankings.iter().enumerate() {
                    let best = ranking.hits.first().filter(|_| ranking.status != Status::NoMatch);
                    let serves = |turn: &Turn| turn.needs.contains(&need);
                    prop_assert_eq!(turns.iter().any(serves), best.is_some());
                    if let Some(best) = best {
                        prop_assert!(turns.iter().any(|turn| turn.hit.slot == best.slot && serves(turn)));
                    }
                }
            }
            let slots = |turns: &[Turn]| turns.iter().map(|turn| turn.hit.slot).collect::<Vec<_>>();
            let longer = take_turns(&rankings, room + 3);
            prop_assert_eq!(slots(&turns), &slots(&longer)[..turns.len()]);
            let mut once = slots(&longer);
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), longer.len());
        }
    }
}
