//! Tests of the places.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn read(store: &Store, place: Place) -> Vec<(u32, u8)> {
    let mut all = Vec::new();
    let postings = store.read(place.kind, &place.value);
    postings.for_each(&mut |slot, impact| all.push((slot, impact)));
    assert_eq!(postings.count() as usize, all.len());
    all
}

fn words(map: &BTreeMap<u32, u8>) -> Vec<u32> {
    map.iter()
        .map(|(slot, impact)| slot << 8 | u32::from(*impact))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn they_read_like_a_sorted_map_and_a_clone_keeps_what_it_had(
        seed in any::<u64>(), steps in 1usize..6_000, width in 1u32..60_000, grow in 45u32..100, waiting in prop::sample::select(&[0u32, 50, 95, 100][..]),
    ) {
        let mut state = seed | 1;
        let mut next = move |below: u32| { state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); ((state >> 33) as u32) % below };
        let (mut store, mut place, mut map, mut scratch) = (Store::default(), Place::VACANT, BTreeMap::new(), Vec::new());
        let mut old = (store.clone(), place, Vec::new());
        for step in 0..steps {
            if step == steps / 2 { old = (store.clone(), place, map.iter().map(|(k, v)| (*k, *v)).collect()); }
            let slot = next(width);
            // A catalog becomes large, and small again.
            let may_wait = next(100) < waiting;
            if next(200) == 0 {
                let more: BTreeMap<u32, u8> = (0..next(40)).map(|_| (next(width), 3)).filter(|entry| !map.contains_key(&entry.0)).collect();
                if !more.is_empty() { place = store.merge(place, &words(&more), &mut scratch); }
                map.extend(more);
            } else if next(100) < grow {
                let impact = u8::try_from(next(255) + 1).unwrap();
                store.warm([place, Place::VACANT].into_iter(), slot);
                place = match map.insert(slot, impact) {
                    None => store.insert(place, slot, impact, may_wait),
                    Some(_) => store.set(place, slot, impact, may_wait),
                };
            } else if let Some((slot, _)) = map.range(slot..).next().map(|(slot, impact)| (*slot, *impact)) {
                place = store.remove(place, slot, may_wait);
                map.remove(&slot);
            }
        }
        let expected: Vec<_> = map.iter().map(|(k, v)| (*k, *v)).collect();
        prop_assert_eq!(&read(&store, place), &expected);
        let mut builder = StoreBuilder::default();
        let built = builder.put(&words(&map));
        prop_assert_eq!(read(&builder.build(), built), expected);
        let postings = store.read(place.kind, &place.value);
        for slot in (0..width).step_by(1 + width as usize / 300) { prop_assert_eq!(postings.impact(slot), map.get(&slot).copied().unwrap_or(0)); }
        prop_assert_eq!(read(&old.0, old.1), old.2);
        for slot in map.keys().copied().collect::<Vec<_>>() { place = store.remove(place, slot, next(100) < waiting); }
        prop_assert_eq!(place.kind, Kind::Vacant);
    }

    #[test]
    fn what_is_added_at_once_reads_like_what_is_added_one_by_one(
        map in proptest::collection::btree_map(0u32..20_000, 1u8.., 0..1_500), cuts in proptest::collection::vec(0u32..20_000, 0..6), many in 0usize..600,
    ) {
        let (mut store, mut place, mut scratch) = (Store::default(), Place::VACANT, Vec::new());
        // Each part lies among the others, or behind them.
        let parts = cuts.iter().map(|cut| cut % 7).collect::<std::collections::BTreeSet<_>>();
        let of = |slot: u32| if many < 300 { slot / 3_000 } else { slot % 7 };
        for part in parts {
            let more = map.iter().filter(|entry| of(*entry.0) == part).map(|(k, v)| (*k, *v)).collect();
            place = store.merge(place, &words(&more), &mut scratch);
        }
        let expected: Vec<_> = map.iter().map(|(k, v)| (*k, *v))
            .filter(|entry| cuts.iter().any(|cut| cut % 7 == of(entry.0))).collect();
        prop_assert_eq!(read(&store, place), expected);
    }
}

#[test]
fn a_weight_that_stays_as_it_was_copies_nothing() {
    for count in [1, 2, 3, 7, 16, 300, 600, 5_000] {
        let (mut store, mut place) = (Store::default(), Place::VACANT);
        (0..count).for_each(|slot| place = store.insert(place, slot, 7, false));
        let published = store.clone();
        let at = |store: &Store| match store.read(place.kind, &place.value).pieces {
            Pieces::Words(words) => words.as_ptr() as usize,
            Pieces::List(list) => std::ptr::from_ref(list) as usize,
        };
        assert_eq!(store.set(place, count / 2, 7, false), place);
        assert!(place.kind == Kind::One || at(&store) == at(&published));
        let now = store.set(place, count / 2, 9, false);
        assert_eq!(store.read(now.kind, &now.value).impact(count / 2), 9);
        assert_eq!(published.read(place.kind, &place.value).impact(count / 2), 7);
    }
}

#[test]
fn a_term_that_comes_and_goes_takes_no_more_places() {
    let mut store = Store::default();
    for round in 0..200 {
        let mut place = Place::VACANT;
        for slot in 0..40 {
            place = store.insert(place, slot, 1 + round, round % 2 == 0);
        }
        for slot in 0..40 {
            place = store.remove(place, slot, round % 2 == 0);
        }
        assert_eq!(place.kind, Kind::Vacant);
    }
    let used = [
        store.twos.used(),
        store.fours.used(),
        store.eights.used(),
        store.sixteens.used(),
    ];
    assert_eq!((used, store.longs.used()), ([1; 4], 1));
}

#[test]
fn a_change_that_may_wait_leaves_the_pieces_alone_until_there_are_as_many_as_have_room() {
    for count in [300, 600, 5_000] {
        let (mut store, mut place) = (Store::default(), Place::VACANT);
        (0..count).for_each(|slot| place = store.insert(place, 2 * slot, 7, false));
        let published = store.clone();
        let all = |store: &Store, place: Place| {
            let mut pieces = Vec::new();
            store
                .read(place.kind, &place.value)
                .pieces
                .for_each(&mut |slot, impact| pieces.push((slot, impact)));
            pieces
        };
        let room = u32::try_from(late::LATE_MOST).unwrap();
        for change in 0..room {
            place = match change % 3 {
                0 => store.insert(place, 2 * change + 1, 9, true),
                1 => store.remove(place, 2 * change, true),
                _ => store.set(place, 2 * change, 9, true),
            };
            // The same slot again takes no room.
            place = store.set(place, 1, 5, true);
        }
        assert_eq!(all(&store, place), all(&published, place));
        let waiting = read(&store, place);
        place = store.insert(place, 2 * count + 1, 9, true);
        assert_eq!(all(&store, place), [waiting, vec![(2 * count + 1, 9)]].concat());
        assert!(store.read(place.kind, &place.value).late.is_empty());
        assert_eq!(published.read(place.kind, &place.value).count(), count);
    }
}
