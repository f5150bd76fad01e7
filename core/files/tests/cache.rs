//! A cache of vectors in a file: whole, damaged, foreign, and shared by programs that add at the same time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::PathBuf;
use std::sync::Barrier;

use honeyguide_files::{ErrorCode, Key, Model, VectorCache, call};
use proptest::prelude::*;
use tempfile::TempDir;

fn model(id: &str, dimensions: u32) -> Model {
    serde_json::from_value(serde_json::json!({ "id": id, "dimensions": dimensions })).unwrap()
}

fn key(number: u32) -> Key {
    Key::from_hex(&format!("{number:032x}")).unwrap()
}

fn numbers(value: f32, dimensions: usize) -> Vec<u8> {
    value.to_le_bytes().repeat(dimensions)
}

struct Place {
    _folder: TempDir,
    path: String,
}

fn place() -> Place {
    let folder = TempDir::new().unwrap();
    let path: PathBuf = folder.path().join("vectors");
    let path = path.to_str().unwrap().to_owned();
    Place {
        _folder: folder,
        path,
    }
}

#[test]
fn what_was_added_is_read_by_the_same_model_and_by_no_other() {
    let place = place();
    let (one, other) = (model("one", 2), model("other", 2));
    let cache = VectorCache::new(&place.path, &one);
    assert_eq!(cache.read(&[key(1)]).unwrap(), []);
    assert_eq!(
        cache
            .add(&[(key(1), numbers(1.0, 2)), (key(2), numbers(2.0, 2))])
            .unwrap(),
        2
    );
    assert_eq!(
        cache.read(&[key(2), key(3)]).unwrap(),
        [(key(2), numbers(2.0, 2))]
    );
    assert_eq!(VectorCache::new(&place.path, &other).read(&[key(2)]).unwrap(), []);
    let revised: Model = serde_json::from_str(r#"{"id":"one","revision":"2","dimensions":2}"#).unwrap();
    assert_eq!(
        VectorCache::new(&place.path, &revised).read(&[key(2)]).unwrap(),
        []
    );
}

#[test]
fn what_is_there_is_not_added_again() {
    let place = place();
    let model = model("one", 1);
    let cache = VectorCache::new(&place.path, &model);
    let batch = [(key(1), numbers(1.0, 1)), (key(1), numbers(9.0, 1))];
    assert_eq!(cache.add(&batch).unwrap(), 1);
    let length = fs::metadata(&place.path).unwrap().len();
    assert_eq!(cache.add(&batch).unwrap(), 0);
    assert_eq!(fs::metadata(&place.path).unwrap().len(), length);
    assert_eq!(cache.read(&[key(1)]).unwrap(), [(key(1), numbers(1.0, 1))]);
}

#[test]
fn what_a_dead_program_left_half_written_goes_and_the_rest_stays() {
    let place = place();
    let model = model("one", 3);
    let cache = VectorCache::new(&place.path, &model);
    cache.add(&[(key(1), numbers(1.0, 3))]).unwrap();
    let whole = fs::read(&place.path).unwrap();
    cache.add(&[(key(2), numbers(2.0, 3))]).unwrap();
    let both = fs::read(&place.path).unwrap();
    for length in whole.len()..both.len() {
        fs::write(&place.path, &both[..length]).unwrap();
        assert_eq!(
            cache.read(&[key(1), key(2)]).unwrap(),
            [(key(1), numbers(1.0, 3))],
            "{length}"
        );
        assert_eq!(cache.add(&[(key(2), numbers(2.0, 3))]).unwrap(), 1);
        assert_eq!(fs::read(&place.path).unwrap(), both);
    }
    for length in 0..8 {
        fs::write(&place.path, &both[..length]).unwrap();
        assert_eq!(cache.add(&[(key(1), numbers(1.0, 3))]).unwrap(), 1);
        assert_eq!(fs::read(&place.path).unwrap(), whole, "{length}");
    }
}

#[test]
fn a_file_of_another_kind_is_refused_and_not_touched() {
    let place = place();
    let model = model("one", 1);
    for foreign in [
        &b"my own notes, dear to me"[..],
        b"HGVEC\0\0\x02 of a later version",
        b"x",
    ] {
        fs::write(&place.path, foreign).unwrap();
        let cache = VectorCache::new(&place.path, &model);
        assert_eq!(cache.read(&[key(1)]).unwrap_err().code(), ErrorCode::CacheFailed);
        assert_eq!(
            cache.add(&[(key(1), numbers(1.0, 1))]).unwrap_err().code(),
            ErrorCode::CacheFailed
        );
        assert_eq!(fs::read(&place.path).unwrap(), foreign);
    }
}

#[test]
fn programs_that_add_at_the_same_time_lose_nothing_and_add_nothing_twice() {
    const PROGRAMS: u32 = 8;
    const EACH: u32 = 40;
    let place = place();
    let model = model("one", 4);
    let start = Barrier::new(PROGRAMS as usize);
    let added: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..PROGRAMS)
            .map(|program| {
                let (place, model, start) = (&place, &model, &start);
                scope.spawn(move || {
                    start.wait();
                    // Half of each program's texts are another program's too. Each opens the file anew, as programs do.
                    (0..EACH)
                        .map(|text| {
                            let number = program / 2 * 1_000 + text + program % 2 * EACH / 2;
                            let cache = VectorCache::new(&place.path, model);
                            cache.add(&[(key(number), numbers(1.0, 4))]).unwrap()
                        })
                        .sum::<usize>()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let all: Vec<Key> = (0..PROGRAMS / 2)
        .flat_map(|pair| (0..EACH + EACH / 2).map(move |text| key(pair * 1_000 + text)))
        .collect();
    assert_eq!(added, all.len());
    assert_eq!(
        VectorCache::new(&place.path, &model).read(&all).unwrap().len(),
        all.len()
    );
}

#[test]
fn a_vector_of_another_length_is_refused() {
    let place = place();
    let model = model("one", 2);
    let cache = VectorCache::new(&place.path, &model);
    let error = cache.add(&[(key(1), numbers(1.0, 3))]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidRequest);
    assert!(fs::metadata(&place.path).is_err(), "nothing is made");
}

#[test]
fn a_folder_is_no_cache() {
    let folder = TempDir::new().unwrap();
    let model = model("one", 1);
    let cache = VectorCache::new(folder.path().to_str().unwrap(), &model);
    assert_eq!(
        cache.add(&[(key(1), numbers(1.0, 1))]).unwrap_err().code(),
        ErrorCode::CacheFailed
    );
}

#[test]
fn the_door_takes_and_gives_text() {
    let place = place();
    let path = serde_json::json!(place.path);
    let about = format!(r#""path":{path},"model":{{"id":"m","dimensions":1}}"#);
    let key = "0".repeat(31) + "a";
    let add = format!(r#"{{{about},"vectors":[{{"key":"{key}","vector":"AACAPw=="}}]}}"#);
    assert_eq!(call("addVectors", &add), r#"{"ok":{"added":1}}"#);
    let read = format!(r#"{{{about},"keys":["{key}"]}}"#);
    assert_eq!(
        call("readVectors", &read),
        format!(r#"{{"ok":{{"vectors":[{{"key":"{key}","vector":"AACAPw=="}}]}}}}"#)
    );
    for (operation, request, code) in [
        ("readVectors", "{", "invalid_request"),
        ("readVectors", &*read.replace(&key, "xyz"), "invalid_request"),
        ("addVectors", &*add.replace("AACAPw==", "?"), "invalid_request"),
        ("forget", "{}", "unknown_operation"),
    ] {
        let answer: serde_json::Value = serde_json::from_str(&call(operation, request)).unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever happens to the bytes, what is read is what was added, and what is added then is read.
    #[test]
    fn a_damaged_file_never_gives_another_vector(place_of_damage in 8..400_usize, byte in any::<u8>(), cut in 0..400_usize) {
        let place = place();
        let model = model("one", 5);
        let cache = VectorCache::new(&place.path, &model);
        let texts: Vec<(Key, Vec<u8>)> = (0..6_u8).map(|text| (key(text.into()), numbers(f32::from(text), 5))).collect();
        cache.add(&texts).unwrap();
        let mut bytes = fs::read(&place.path).unwrap();
        bytes.truncate(bytes.len().saturating_sub(cut).max(8));
        if let Some(damaged) = bytes.get_mut(place_of_damage) {
            *damaged = byte;
        }
        fs::write(&place.path, &bytes).unwrap();
        let keys: Vec<Key> = texts.iter().map(|(key, _)| *key).collect();
        for found in cache.read(&keys).unwrap() {
            prop_assert!(texts.contains(&found));
        }
        cache.add(&texts).unwrap();
        prop_assert_eq!(cache.read(&keys).unwrap().len(), texts.len());
    }
}
