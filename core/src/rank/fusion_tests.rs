//! What the first formula promises: arms are weighed in their own deviations, and one that tells nothing adds nothing.

use super::*;
use crate::rank::dense::Dense;

#[allow(clippy::cast_possible_truncation, reason = "cosines")]
fn dense(cosines: &[f64]) -> Dense {
    Dense::of(
        cosines
            .iter()
            .map(|cosine| (cosine * f64::from(ONE)).round() as i32)
            .collect(),
    )
}

#[test]
fn an_arm_counts_by_how_far_a_document_stands_out_in_it() {
    let sums = [900_000, 0, 0, 0];
    let spread = dense(&[0.2, 0.2, 0.6, 0.2]);
    let fusion = Fusion::new(Method::Hybrid, &sums, 4, &spread);
    // One of four stands out in either arm, so both are worth the same: 1 / (sqrt(3) / 4).
    let words = fusion.parts(900_000, Some(spread.least));
    let meaning = fusion.parts(0, spread.get(2));
    assert_eq!((words.meaning, meaning.words), (0, 0));
    assert!(
        (words.words - meaning.meaning).abs() < STEPS / 1_000,
        "{words:?} {meaning:?}"
    );
    assert!((f64::from(words.words) / f64::from(STEPS) - 2.309).abs() < 0.02);
}

#[test]
fn an_arm_whose_documents_are_all_alike_adds_nothing() {
    let fusion = Fusion::new(Method::Hybrid, &[5, 0], 2, &dense(&[0.4, 0.4]));
    assert_eq!(fusion.parts(5, Some(ONE / 2)).meaning, 0);
    let (hybrid, semantic) = (Method::Hybrid, Method::Semantic);
    let spread = dense(&[0.1, 0.9, -0.3]);
    for (slot, similarity) in spread.slots() {
        let parts = [hybrid, semantic]
            .map(|method| Fusion::new(method, &[0, 0, 0], 3, &spread).parts(0, Some(similarity)));
        assert_eq!(parts[0], parts[1], "{slot}");
    }
}

#[test]
fn a_document_without_a_vector_stands_at_the_mean() {
    let spread = dense(&[0.1, 0.3, 0.2]);
    let fusion = Fusion::new(Method::Hybrid, &[5, 0, 0, 0], 4, &spread);
    assert_eq!(fusion.parts(0, None), fusion.parts(0, Some(spread.mean)));
    assert!(!fusion.is_hit(0, None) && fusion.is_hit(1, None));
}

#[test]
fn meaning_alone_must_stand_out_unless_there_are_no_words_to_go_by() {
    let spread = dense(&[0.3, 0.3, 0.3, 0.8]);
    let hybrid = Fusion::new(Method::Hybrid, &[5, 0, 0, 0], 4, &spread);
    assert!(
        hybrid.is_hit(0, spread.get(3))
            && !hybrid.is_hit(0, spread.get(1))
            && hybrid.is_hit(5, spread.get(0))
    );
    let wordless = Fusion::new(Method::Hybrid, &[0, 0, 0, 0], 4, &spread);
    assert!(wordless.is_hit(0, spread.get(1)));
}
