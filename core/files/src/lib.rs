//! Files that several programs share. Knows no engine: a host reads from here what it hands in there.
//!
//! Text in, text out, as the engine's own door: [`call`] answers an operation with `{"ok": …}` or `{"error": …}`.

use serde::{Deserialize, Serialize};

mod error;
mod record;
mod vectors;

pub use error::{Error, ErrorCode};
pub use vectors::{Key, Model, VectorCache};

/// Answers one operation: JSON text in, an envelope of JSON text out. Blocks while another program writes.
pub fn call(operation: &str, request: &str) -> String {
    let answer = match operation {
        "readVectors" => read(request).and_then(|request| read_vectors(&request)),
        "addVectors" => read(request).and_then(|request| add_vectors(&request)),
        _ => Err(Error::new(
            ErrorCode::UnknownOperation,
            format!("unknown operation `{operation}`; known are readVectors, addVectors"),
        )),
    };
    match answer {
        Ok(answer) => format!(r#"{{"ok":{answer}}}"#),
        Err(error) => format!(r#"{{"error":{}}}"#, error.to_json()),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadVectors {
    path: String,
    model: Model,
    keys: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddVectors {
    path: String,
    model: Model,
    vectors: Vec<Keyed>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Keyed {
    key: String,
    /// Base64 of little-endian 32-bit floats.
    vector: String,
}

fn read<'a, T: Deserialize<'a>>(request: &'a str) -> Result<T, Error> {
    serde_json::from_str(request).map_err(|cause| {
        Error::new(
            ErrorCode::InvalidRequest,
            format!("the request cannot be read: {cause}"),
        )
    })
}

fn read_vectors(request: &ReadVectors) -> Result<String, Error> {
    let keys = request
        .keys
        .iter()
        .map(|key| Key::from_hex(key))
        .collect::<Result<Vec<_>, _>>()?;
    let found = VectorCache::new(&request.path, &request.model).read(&keys)?;
    let vectors: Vec<Keyed> = found
        .into_iter()
        .map(|(key, bytes)| Keyed {
            key: key.to_hex(),
            vector: encode(&bytes),
        })
        .collect();
    Ok(serde_json::json!({ "vectors": vectors }).to_string())
}

fn add_vectors(request: &AddVectors) -> Result<String, Error> {
    let vectors = request
        .vectors
        .iter()
        .map(|keyed| Ok((Key::from_hex(&keyed.key)?, decode(&keyed.vector)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let added = VectorCache::new(&request.path, &request.model).add(&vectors)?;
    Ok(serde_json::json!({ "added": added }).to_string())
}

fn encode(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn decode(text: &str) -> Result<Vec<u8>, Error> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|cause| {
            Error::new(
                ErrorCode::InvalidRequest,
                format!("a vector is not base64: {cause}"),
            )
        })
}
