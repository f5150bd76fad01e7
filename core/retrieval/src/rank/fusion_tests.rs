//! What the formulas promise: words keep their score, meaning is measured against a query's documents, and an arm that says
//! nothing adds nothing.

use super::*;
use crate::rank::dense::Dense;

fn dense(cosines: &[f64]) -> Dense {
    Dense::of(cosines.iter().copied().map(similarity).collect())
}

#[allow(clippy::cast_possible_truncation, reason = "a cosine is at most 1")]
fn similarity(cosine: f64) -> i32 {
    (cosine * f64::from(ONE)).round() as i32
}

fn hybrid(sums: &[i32], spread: &Dense) -> Fusion {
    Fusion::new(Method::Hybrid, Formula::Sum, sums, sums.len(), spread)
}

fn units(steps: i32) -> f64 {
    f64::from(steps) / f64::from(STEPS)
}

#[test]
fn words_keep_their_score_and_a_deviation_of_meaning_adds_two_and_two_fifths() {
    // A thousand documents whose cosines are 0.1 and 0.3 in turns: mean 0.2, deviation 0.1.
    let cosines: Vec<f64> = (0..1_000).map(|at| if at % 2 == 0 { 0.1 } else { 0.3 }).collect();
    let spread = dense(&cosines);
    let fusion = hybrid(&[700, 0], &spread);
    let near = fusion.parts(700, spread.get(1));
    assert_eq!(near.words, 700);
    assert!((units(near.meaning) - 2.4).abs() < 0.05, "{near:?}");
    assert_eq!(
        fusion.parts(700, spread.get(0)),
        Parts {
            words: 700,
            meaning: 0
        }
    );
}

#[test]
fn a_cosine_in_a_catalog_of_one_is_worth_what_it_is_worth_among_unrelated_texts() {
    let alone = hybrid(&[5], &dense(&[0.6]));
    let mut cosines: Vec<f64> = (0..2_000)
        .map(|at| if at % 2 == 0 { -0.013 } else { 0.153 })
        .collect();
    cosines.push(0.6);
    let many = hybrid(&[5], &dense(&cosines));
    let similarity = Some(similarity(0.6));
    let [few, many] = [&alone, &many].map(|fusion| units(fusion.parts(5, similarity).meaning));
    assert!((many - 15.3).abs() < 0.5, "{many}");
    assert!(few > 0.7 * many && few < many, "{few} {many}");
}

#[test]
fn a_model_that_sees_all_texts_alike_is_measured_by_its_own_spread() {
    // The second one says of every two texts that they are near, and spreads them a third as much.
    let wide: Vec<f64> = (0..4_000).map(|at| f64::from(at % 10) * 0.05).collect();
    let narrow: Vec<f64> = wide.iter().map(|cosine| 0.7 + cosine / 3.0).collect();
    let meanings = [wide, narrow].map(|cosines| {
        let spread = dense(&cosines);
        units(hybrid(&[5], &spread).parts(5, spread.get(9)).meaning)
    });
    assert!((meanings[0] - meanings[1]).abs() < 0.1, "{meanings:?}");
}

#[test]
fn meaning_adds_nothing_below_the_mean_and_nothing_without_a_vector() {
    let spread = dense(&[-0.4, 0.1, 0.3, 0.2]);
    let fusion = hybrid(&[5, 0, 0, 0], &spread);
    for similarity in [None, spread.get(0)] {
        assert_eq!(fusion.parts(5, similarity), Parts { words: 5, meaning: 0 });
    }
    assert_eq!(fusion.lift(None), None);
}

#[test]
fn documents_that_are_all_alike_are_told_apart_by_their_words() {
    let spread = dense(&[0.4; 40]);
    for formula in [Formula::Sum, Formula::Deviations, Formula::Ranks] {
        let fusion = Fusion::new(Method::Hybrid, formula, &[9, 5, 0], 40, &spread);
        let [best, second, none] = [9, 5, 0].map(|words| fusion.parts(words, spread.get(0)));
        assert_eq!([best.meaning, second.meaning], [none.meaning; 2], "{formula:?}");
        assert!(
            best.words > second.words && second.words > none.words,
            "{formula:?}"
        );
    }
}

#[test]
fn equal_documents_share_a_rank_and_the_first_of_both_arms_scores_two() {
    let spread = dense(&[0.5, 0.2, 0.2, 0.1]);
    let fusion = Fusion::new(Method::Hybrid, Formula::Ranks, &[8, 8, 3, 0], 4, &spread);
    let parts: Vec<Parts> = [8, 8, 3, 0]
        .into_iter()
        .zip(0..)
        .map(|(words, slot)| fusion.parts(words, spread.get(slot)))
        .collect();
    assert_eq!(units(parts[0].sum()), 2.0);
    assert_eq!(parts[0].words, parts[1].words);
    assert_eq!(parts[1].meaning, parts[2].meaning);
    assert!((units(parts[2].words) - 61.0 / 63.0).abs() < 1e-5);
    assert_eq!(parts[3].words, 0);
    assert!((units(parts[3].meaning) - 61.0 / 64.0).abs() < 1e-5);
}

#[test]
fn with_deviations_an_arm_counts_by_how_far_a_document_stands_out_in_it() {
    let sums = [900_000, 0, 0, 0];
    let spread = dense(&[0.2, 0.2, 0.6, 0.2]);
    let fusion = Fusion::new(Method::Hybrid, Formula::Deviations, &sums, 4, &spread);
    // One of four stands out in either arm, so both are worth the same: 1 / (sqrt(3) / 4).
    let words = fusion.parts(900_000, Some(spread.least));
    let meaning = fusion.parts(0, spread.get(2));
    assert_eq!((words.meaning, meaning.words), (0, 0));
    assert!(
        (words.words - meaning.meaning).abs() < STEPS / 1_000,
        "{words:?} {meaning:?}"
    );
    assert!((units(words.words) - 2.309).abs() < 0.02);
}

#[test]
fn meaning_alone_must_stand_out_unless_there_are_no_words_to_go_by() {
    let mut cosines = vec![0.1; 30];
    cosines.extend([0.5, 0.13]);
    let spread = dense(&cosines);
    let mut sums = vec![0; 32];
    let wordless = hybrid(&sums, &spread);
    sums[0] = 5;
    let fusion = hybrid(&sums, &spread);
    assert!(fusion.is_hit(0, spread.get(30)) && !fusion.is_hit(0, spread.get(31)) && !fusion.is_hit(0, None));
    assert!(fusion.is_hit(5, spread.get(0)) && fusion.is_hit(5, None));
    assert!(wordless.is_hit(0, spread.get(31)));
    assert_eq!(units(wordless.parts(0, spread.get(30)).sum()), 0.5);
}

#[test]
fn eight_imagined_documents_stand_beside_a_single_one() {
    // Their mean is 0.07 and their deviation 0.083, so that of all nine 0.12889 and 0.07825.
    let fusion = hybrid(&[5], &dense(&[0.6]));
    let meaning = units(fusion.parts(5, Some(similarity(0.6))).meaning);
    assert!(
        (meaning - 2.4 * (0.6 - 0.128_89) / 0.078_25).abs() < 0.01,
        "{meaning}"
    );
    assert_eq!(fusion.lift(Some(similarity(0.6))), Some(471));
    assert_eq!(fusion.lift(Some(similarity(0.0))), Some(-128));
}

#[test]
fn a_meaning_that_no_word_supports_is_a_hit_from_two_deviations_on() {
    let cosines: Vec<f64> = (0..1_000).map(|at| f64::from(at % 10) * 0.05).collect();
    let mut sums = vec![0; 1_000];
    sums[0] = 5;
    let fusion = hybrid(&sums, &dense(&cosines));
    let above = |deviations: i64| i32::try_from(fusion.mean + deviations * fusion.deviation / 100).unwrap();
    assert!(fusion.is_hit(0, Some(above(200))));
    assert!(!fusion.is_hit(0, Some(above(200) - 1)));
    let exactly = Fusion {
        mean: 0,
        deviation: 1_000,
        ..fusion
    };
    assert!(exactly.is_hit(0, Some(2_000)) && !exactly.is_hit(0, Some(1_999)));
}

#[test]
fn without_words_to_go_by_a_hit_is_what_is_nearer_than_a_right_angle() {
    let fusion = hybrid(&[0, 0], &dense(&[0.0, 0.2]));
    assert_eq!(
        [-1, 0, 1].map(|similarity| fusion.is_hit(0, Some(similarity))),
        [false, false, true]
    );
}

#[test]
fn what_all_documents_have_alike_tells_none_apart() {
    let fusion = Fusion::new(
        Method::Hybrid,
        Formula::Deviations,
        &[5, 5],
        2,
        &dense(&[0.3, 0.3]),
    );
    assert_eq!(fusion.parts(5, Some(similarity(0.3))), Parts::default());
}
