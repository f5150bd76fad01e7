//! A model that is read when it is first needed.

use std::ops::ControlFlow;

use honeyguide_model::{LazyModel, ModelErrorCode, ModelFiles, Role};

use crate::kit;

fn lazy(files: kit::Files) -> honeyguide_model::Result<LazyModel> {
    LazyModel::open(&ModelFiles::memory(files), kit::options())
}

fn encode(model: &LazyModel) -> honeyguide_model::Result<Vec<f32>> {
    model.encode(&["the cat"], Role::Query, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn opening_reads_no_weights_and_the_first_use_does() {
    let mut files = kit::family("mean");
    files.insert("model.safetensors".into(), b"no weights at all".to_vec());
    let model = lazy(files).unwrap();
    assert_eq!(model.outline().dimensions, 48);
    assert_eq!(encode(&model).unwrap_err().code, ModelErrorCode::Unreadable);
    assert_eq!(model.warm_up().unwrap_err().code, ModelErrorCode::Unreadable);
    // A failure stays one error for each call, and holds nobody up.
    assert_eq!(encode(&model).unwrap_err().code, ModelErrorCode::Unreadable);
}

#[test]
fn a_missing_file_is_named_when_a_model_is_opened() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let mut files = kit::family("mean");
        files.remove(name);
        let error = lazy(files).unwrap_err();
        assert_eq!(
            (error.code, error.details["file"].as_str()),
            (ModelErrorCode::MissingFile, name)
        );
    }
}

#[test]
fn threads_that_come_first_together_get_the_same_vectors() {
    let model = lazy(kit::family("mean")).unwrap();
    let expected = kit::load(&kit::family("mean"))
        .unwrap()
        .encode_one("the cat", Role::Query)
        .unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| encode(&model).unwrap())).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
    model.warm_up().unwrap();
    assert_eq!(model.revision().unwrap().len(), 32);
    assert!(!model.scripts().unwrap().is_empty());
    assert!(model.languages().unwrap().is_empty());
}

#[test]
fn a_folder_is_read_as_the_same_files_in_memory_are() {
    let folder = std::env::temp_dir()
        .join(format!("honeyguide-model-{}", std::process::id()))
        .join("tiny");
    let files = kit::family("mean");
    for (name, bytes) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let on_disk = LazyModel::open(
        &ModelFiles::folder(&folder).unwrap(),
        honeyguide_model::ModelOptions::default(),
    )
    .unwrap();
    let in_memory = lazy(files).unwrap();
    assert_eq!(on_disk.outline().id, "tiny");
    assert_eq!(encode(&on_disk).unwrap(), encode(&in_memory).unwrap());
    assert_eq!(on_disk.revision().unwrap(), in_memory.revision().unwrap());
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}
