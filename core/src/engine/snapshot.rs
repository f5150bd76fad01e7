//! Catalogs and servers as bytes: `HGSNAP`, a format version, a SHA-256 of the rest, and JSON lines.
//!
//! Definitions only: executors are bound again by id, and the index is built again, which gives the same one to the bit.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::catalog::item::Item;
use crate::catalog::server::Server;
use crate::catalog::view::Catalogs;
use crate::catalog::{Catalog, Changes};
use crate::error::{Error, ErrorCode, Result};
use crate::text::Analyzer;

const MAGIC: &[u8; 6] = b"HGSNAP";
const VERSION: u16 = 1;
const DIGEST_BYTES: usize = 32;
const HEADER_BYTES: usize = MAGIC.len() + 2 + DIGEST_BYTES;

#[derive(Serialize)]
struct Saved<'a> {
    tools: Vec<&'a RawValue>,
    skills: Vec<&'a RawValue>,
    facts: Vec<&'a RawValue>,
    servers: Vec<&'a Server>,
}

#[derive(Deserialize)]
struct Loaded {
    tools: Vec<Box<RawValue>>,
    skills: Vec<Box<RawValue>>,
    facts: Vec<Box<RawValue>>,
    servers: Vec<Server>,
}

/// The bytes of a state.
pub(super) fn write(catalogs: &Catalogs) -> Vec<u8> {
    let saved = Saved {
        tools: texts(&catalogs.tools),
        skills: texts(&catalogs.skills),
        facts: texts(&catalogs.facts),
        servers: catalogs.servers.values().collect(),
    };
    let payload = serde_json::to_vec(&saved).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&Sha256::digest(&payload));
    bytes.extend_from_slice(&payload);
    bytes
}

/// The state of bytes.
pub(super) fn read(bytes: &[u8], analyzer: &mut Analyzer) -> Result<Catalogs> {
    let refuse = |reason: String| Error::new(ErrorCode::InvalidSnapshot, reason);
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| refuse("these bytes are not a saved catalog; pass what `save` gave".to_owned()))?;
    let (version, rest) = rest
        .split_at_checked(2)
        .ok_or_else(|| refuse("the saved catalog is cut off; save it again".to_owned()))?;
    if version != VERSION.to_le_bytes() {
        let found = version.first().copied().unwrap_or_default();
        return Err(refuse(format!(
            "the saved catalog has format {found}, this version reads format {VERSION}; register the items and save again"
        ))
        .with("format", found));
    }
    let damaged =
        || refuse("the saved catalog is damaged: its checksum does not match; save it again".to_owned());
    let (digest, payload) = rest.split_at_checked(DIGEST_BYTES).ok_or_else(damaged)?;
    if digest != Sha256::digest(payload).as_slice() {
        return Err(damaged());
    }
    let loaded: Loaded = serde_json::from_slice(payload).map_err(|cause| {
        refuse(format!(
            "the saved catalog cannot be read: {cause}; save it again"
        ))
        .caused_by(cause)
    })?;
    let mut catalogs = Catalogs::default();
    check(&catalogs.tools.register(&loaded.tools, analyzer))?;
    check(&catalogs.skills.register(&loaded.skills, analyzer))?;
    check(&catalogs.facts.register(&loaded.facts, analyzer))?;
    let servers: BTreeMap<String, Server> = loaded
        .servers
        .into_iter()
        .map(|server| (server.name.clone(), server))
        .collect();
    catalogs.servers = Arc::new(servers);
    Ok(catalogs)
}

fn texts<I: Item>(catalog: &Catalog<I>) -> Vec<&RawValue> {
    // An item's text was read as JSON once; text that is not JSON any more cannot occur.
    catalog
        .list()
        .into_iter()
        .filter_map(|item| serde_json::from_str(item.text()).ok())
        .collect()
}

fn check(changes: &Changes) -> Result<()> {
    match changes
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
    {
        None => Ok(()),
        Some(diagnostic) => Err(Error::new(
            ErrorCode::InvalidSnapshot,
            format!(
                "the saved catalog holds an item that cannot be taken: {}",
                diagnostic.message
            ),
        )),
    }
}
