//! Puts the best candidates in the order of a judgement from outside. Knows nothing of who judges, nor of how scores come about.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::order::Candidate;
use crate::settled::settled;

/// Orders the candidates that somebody judged, higher first, among the places that they hold together; equal judgements keep
/// their order. Whoever was not judged, or is named, stays in place.
pub(crate) fn reorder(candidates: &mut [Candidate], judged: &[(u32, f64)]) {
    let judged: HashMap<u32, f64> = judged.iter().copied().collect();
    let opinion = |candidate: &Candidate| judged.get(&candidate.slot).filter(|_| !candidate.named).copied();
    let ordered: Vec<(f64, Candidate)> = candidates
        .iter()
        .filter_map(|candidate| Some((opinion(candidate)?, candidate.clone())))
        .collect();
    // Judgements are finite, so any two can be compared.
    let ordered = settled(ordered, &|left, right| {
        right.0.partial_cmp(&left.0).unwrap_or(Ordering::Equal)
    });
    let places = candidates
        .iter_mut()
        .filter(|candidate| opinion(candidate).is_some());
    for (place, (_, candidate)) in places.zip(ordered) {
        *place = candidate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(judged: &[(u32, f64)]) -> Vec<u32> {
        let mut candidates = vec![Candidate::new(7, 1, true)];
        candidates.extend((0..5).map(|slot| Candidate::new(slot, 9, false)));
        reorder(&mut candidates, judged);
        candidates.iter().map(|candidate| candidate.slot).collect()
    }

    #[test]
    fn whoever_was_judged_changes_places_with_others_that_were() {
        assert_eq!(ordered(&[]), [7, 0, 1, 2, 3, 4]);
        assert_eq!(ordered(&[(0, 1.0), (1, 2.0), (2, 3.0)]), [7, 2, 1, 0, 3, 4]);
        assert_eq!(ordered(&[(4, 0.5), (1, -2.0)]), [7, 0, 4, 2, 3, 1]);
    }

    #[test]
    fn equal_judgements_keep_their_order_and_a_named_hit_its_place() {
        assert_eq!(ordered(&[(0, 0.0), (1, -0.0), (2, 0.0)]), [7, 0, 1, 2, 3, 4]);
        assert_eq!(ordered(&[(7, -1.0), (0, 1.0), (1, 2.0)]), [7, 1, 0, 2, 3, 4]);
    }

    #[test]
    fn a_judgement_of_what_is_no_candidate_is_passed_over() {
        assert_eq!(ordered(&[(90, 5.0), (0, 1.0), (1, 2.0)]), [7, 1, 0, 2, 3, 4]);
    }
}
