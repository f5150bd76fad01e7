//! What a store of vectors promises: the scan finds what exact arithmetic finds, and rows come and go with their texts.

use super::*;

/// Numbers that look random, the same on every machine.
struct Dice(u64);

impl Dice {
    /// About normal: the sum of twelve even throws.
    fn throw(&mut self) -> f32 {
        (0..12).fold(-6.0, |sum, _| {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sum + (self.0 >> 40) as f32 / (1u32 << 24) as f32
        })
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| self.throw()).collect()
    }
}

fn model(dimensions: u32) -> Arc<Model> {
    Arc::new(Model {
        id: "m".to_owned(),
        revision: String::new(),
        dimensions,
        scripts: None,
        is_english: false,
    })
}

fn passage(model: &Model, text: &str) -> Passage {
    Passage {
        key: Some(model.key(text)),
        foreign: false,
    }
}

/// A store with a text for each vector, slot by slot.
fn filled(vectors: &[Vec<f32>]) -> Vectors {
    let model = model(u32::try_from(vectors[0].len()).unwrap());
    let mut store = Vectors::of(Arc::clone(&model));
    for (slot, vector) in (0..).zip(vectors) {
        let text = format!("text {slot}");
        store.put(slot, passage(&model, &text));
        assert!(store.store(model.key(&text), vector).unwrap());
    }
    store
}

fn normal(vector: &[f32]) -> Vec<f64> {
    let length = vector
        .iter()
        .map(|value| f64::from(*value).powi(2))
        .sum::<f64>()
        .sqrt();
    vector.iter().map(|value| f64::from(*value) / length).collect()
}

fn cosine(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The part of the ten nearest by exact arithmetic that the scan finds when its best `again` are looked at with all bits.
fn recall(vectors: &[Vec<f32>], queries: &[Vec<f32>], again: usize) -> f64 {
    let store = filled(vectors);
    let exact: Vec<Vec<f64>> = vectors.iter().map(|vector| normal(vector)).collect();
    let mut found = 0;
    for query in queries {
        let truth = normal(query);
        let cosines: Vec<f64> = exact.iter().map(|vector| cosine(vector, &truth)).collect();
        let mut nearest: Vec<usize> = (0..vectors.len()).collect();
        nearest.sort_by(|left, right| cosines[*right].total_cmp(&cosines[*left]));
        let probe = Probe::new(query, query.len()).unwrap();
        let scanned = store.similarities(&probe);
        let mut best: Vec<u32> = (0..).take(vectors.len()).collect();
        best.sort_by_key(|slot| std::cmp::Reverse(scanned[*slot as usize]));
        best.truncate(again);
        best.sort_by_key(|slot| std::cmp::Reverse(store.similarity(&probe, *slot)));
        found += best[..10]
            .iter()
            .filter(|slot| nearest[..10].contains(&(**slot as usize)))
            .count();
    }
    found as f64 / (10 * queries.len()) as f64
}

#[test]
fn of_random_vectors_the_nearest_are_found() {
    let mut dice = Dice(1);
    let vectors: Vec<Vec<f32>> = (0..3_000).map(|_| dice.vector(96)).collect();
    let queries: Vec<Vec<f32>> = (0..40).map(|_| dice.vector(96)).collect();
    let found = recall(&vectors, &queries, 40);
    assert!(found >= 0.995, "{found}");
}

#[test]
fn of_vectors_in_narrow_clusters_the_nearest_are_found() {
    let mut dice = Dice(2);
    let centres: Vec<Vec<f32>> = (0..20).map(|_| dice.vector(96)).collect();
    let mut near =
        |centre: &[f32]| -> Vec<f32> { centre.iter().map(|value| value + 0.3 * dice.throw()).collect() };
    let vectors: Vec<Vec<f32>> = (0..3_000).map(|at| near(&centres[at % 20])).collect();
    let queries: Vec<Vec<f32>> = (0..40).map(|at| near(&centres[at % 20])).collect();
    let found = recall(&vectors, &queries, 40);
    assert!(found >= 0.995, "{found}");
}

#[test]
fn a_similarity_is_near_to_the_cosine_and_ten_times_as_near_with_all_bits() {
    let mut dice = Dice(3);
    for dimensions in [1, 2, 7, 64, 65, 384, 1_025] {
        let vectors: Vec<Vec<f32>> = (0..20).map(|_| dice.vector(dimensions)).collect();
        let store = filled(&vectors);
        for query in &vectors {
            let probe = Probe::new(query, dimensions).unwrap();
            let scanned = store.similarities(&probe);
            for (slot, vector) in (0..).zip(&vectors) {
                let exact = cosine(&normal(vector), &normal(query));
                let off = |similarity: i32| (f64::from(similarity) / f64::from(ONE) - exact).abs();
                assert!(off(scanned[slot as usize]) < 6e-3, "{dimensions}");
                assert!(
                    off(store.similarity(&probe, slot).unwrap()) < 5e-4,
                    "{dimensions}"
                );
            }
        }
    }
}

#[test]
fn a_vector_of_one_large_number_and_one_of_many_equal_ones_fit_their_integers() {
    for dimensions in [3usize, 384, 4_096, 40_000] {
        let mut spike = vec![0.0; dimensions];
        spike[1] = f32::MAX;
        let even = vec![-1e-30; dimensions];
        let store = filled(&[spike.clone(), even.clone()]);
        for (slot, vector) in [(0, &spike), (1, &even)] {
            let probe = Probe::new(vector, dimensions).unwrap();
            for similarity in [
                store.similarities(&probe)[slot as usize],
                store.similarity(&probe, slot).unwrap(),
            ] {
                assert!(
                    (f64::from(similarity) / f64::from(ONE) - 1.0).abs() < 2e-3,
                    "{dimensions}: {similarity}"
                );
            }
        }
    }
}

#[test]
fn what_has_no_direction_or_another_length_is_refused() {
    let mut store = filled(&[vec![1.0, 2.0, 3.0]]);
    let key = model(3).key("text 0");
    let expected = [
        (
            vec![1.0, 2.0],
            Unfit::Length {
                expected: 3,
                found: 2,
            },
        ),
        (
            vec![],
            Unfit::Length {
                expected: 3,
                found: 0,
            },
        ),
        (vec![1.0, f32::NAN, 0.0], Unfit::NotFinite(1)),
        (vec![1.0, 0.0, f32::NEG_INFINITY], Unfit::NotFinite(2)),
        (vec![0.0, -0.0, 0.0], Unfit::Zero),
    ];
    for (vector, unfit) in expected {
        assert_eq!(store.store(key, &vector), Err(unfit));
        assert_eq!(Probe::new(&vector, 3), Err(unfit));
    }
}

#[test]
fn a_row_takes_less_than_half_of_its_f32() {
    let unit = Unit::new(&vec![1.0; 384], 384).unwrap();
    // Beside the numbers: the scale, the head of the row, the passage of the slot, its place, and two entries of a trie.
    let beside = 4 + size_of::<Head>() + size_of::<Passage>() + 4 + 2 * 8;
    assert!(unit.coarse.len() + unit.fine.len() + beside <= 384 * 4 / 2);
}

#[test]
fn documents_of_one_text_share_a_row_and_a_text_that_comes_back_has_its_vector() {
    let model = model(2);
    let mut store = Vectors::of(Arc::clone(&model));
    let key = model.key("same");
    (0..3).for_each(|slot| store.put(slot, passage(&model, "same")));
    assert_eq!(
        (store.wanted(), store.embedded(), store.missing(1)),
        (3, 0, Some(key))
    );
    assert!(store.store(key, &[1.0, 0.0]).unwrap());
    assert!(
        !store.store(key, &[0.0, 1.0]).unwrap(),
        "nobody waits for it any more"
    );
    assert_eq!((store.embedded(), store.span, store.missing(1)), (3, 1, None));
    (0..3).for_each(|slot| store.remove(slot));
    assert_eq!((store.wanted(), store.embedded()), (0, 0));
    store.put(9, passage(&model, "same"));
    assert_eq!(store.embedded(), 1);
    let probe = Probe::new(&[2.0, 0.0], 2).unwrap();
    assert_eq!(store.similarities(&probe)[9], ONE);
    assert!(store.idle.is_empty());
}

#[test]
fn of_texts_that_are_gone_the_last_ones_are_kept_and_no_more() {
    let model = model(1);
    let mut store = Vectors::of(Arc::clone(&model));
    let most = u32::try_from(IDLE_MOST).unwrap();
    for number in 0..most + 10 {
        store.put(0, passage(&model, &number.to_string()));
        store.store(model.key(&number.to_string()), &[1.0]).unwrap();
    }
    store.remove(0);
    assert_eq!((store.idle.size(), store.span), (IDLE_MOST, most + 1));
    store.put(0, passage(&model, "9"));
    assert_eq!(store.embedded(), 0, "the tenth went");
    store.put(0, passage(&model, "10"));
    assert_eq!(store.embedded(), 1, "the eleventh is the oldest that is left");
}

#[test]
fn a_clone_shares_every_chunk_but_the_one_that_was_changed() {
    // So long that a chunk has 32 rows.
    let vector = |at: u8| {
        let mut vector = vec![0.0; 3_072];
        vector[0] = 1.0;
        vector[1] = f32::from(at);
        vector
    };
    let vectors: Vec<Vec<f32>> = (0..100).map(vector).collect();
    let store = filled(&vectors);
    let mut next = store.clone();
    let model = model(3_072);
    next.put(7, passage(&model, "new"));
    next.store(model.key("new"), &vector(200)).unwrap();
    let shared: Vec<bool> = (0..100)
        .step_by(32)
        .map(|row| Arc::ptr_eq(store.table.chunk(row).unwrap(), next.table.chunk(row).unwrap()))
        .collect();
    assert_eq!(
        shared,
        [true, true, true, false],
        "row 100 is new, in the last chunk"
    );
    let probe = Probe::new(&vector(7), 3_072).unwrap();
    assert!(store.similarities(&probe)[7] > next.similarities(&probe)[7]);
}
