//! How many single edits lead from one word to another: insert, delete, replace, or swap two neighbours.
//! Knows nothing of words' meanings.

/// The number of edits, when it is at most `most`.
pub fn edits_within(left: &[char], right: &[char], most: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let width = right.len() + 1;
    // Three rows of the table suffice: a swap looks two rows back.
    let (mut before, mut above, mut row) =
        (vec![0; width], (0..width).collect::<Vec<usize>>(), vec![0; width]);
    let mut last_left = None;
    for (at, from) in left.iter().enumerate() {
        let mut last_right: Option<char> = None;
        let mut beside = at + 1;
        let mut least = beside;
        if let Some(first) = row.first_mut() {
            *first = beside;
        }
        for (place, to) in right.iter().enumerate() {
            let cell = |cells: &[usize], place: usize| cells.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut edits = (cell(&above, place) + usize::from(from != to))
                .min(cell(&above, place + 1) + 1)
                .min(beside + 1);
            if place > 0 && last_left == Some(*to) && last_right == Some(*from) {
                edits = edits.min(cell(&before, place - 1) + 1);
            }
            if let Some(target) = row.get_mut(place + 1) {
                *target = edits;
            }
            (beside, last_right) = (edits, Some(*to));
            least = least.min(edits);
        }
        if least > most {
            return None;
        }
        last_left = Some(*from);
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above.last().copied().filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(left: &str, right: &str) -> Option<usize> {
        edits_within(
            &left.chars().collect::<Vec<_>>(),
            &right.chars().collect::<Vec<_>>(),
            3,
        )
    }

    #[test]
    fn each_kind_of_edit_costs_one() {
        for other in ["issues", "isue", "issne", "sisue", "isseu"] {
            assert_eq!(edits("issue", other), Some(1), "{other}");
        }
        assert_eq!(edits("issue", "issue"), Some(0));
        assert_eq!(edits("issue", "sisseu"), Some(2));
        assert_eq!(edits("", "abc"), Some(3));
        assert_eq!(edits("abcd", "wxyz"), None);
    }
}
