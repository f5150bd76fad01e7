//! Puts few things in order, equal ones as they were. Knows nothing of what they are.
//!
//! One sort of places for all: the standard library's stable sort is five kilobytes of code for each type that is sorted, and what
//! is sorted here is never long when it has to be fast.

use std::cmp::Ordering;

/// The same things, lesser first.
pub fn settled<T>(things: Vec<T>, compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let places = sorted(
        things.len(),
        &|left, right| match (things.get(left), things.get(right)) {
            (Some(left), Some(right)) => compare(left, right),
            _ => Ordering::Equal,
        },
    );
    let mut rest: Vec<Option<T>> = things.into_iter().map(Some).collect();
    let taken = places.into_iter().filter_map(|place| rest.get_mut(place)?.take());
    taken.collect()
}

fn sorted(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_unstable_by(|left, right| compare(*left, *right).then(left.cmp(right)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_stable_sort(things in proptest::collection::vec((0u8..9, any::<u8>()), 0..60)) {
            let mut expected = things.clone();
            expected.sort_by_key(|thing| thing.0);
            prop_assert_eq!(settled(things, &|left, right| left.0.cmp(&right.0)), expected);
        }
    }
}
