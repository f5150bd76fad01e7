//! Catalogs and servers as bytes: `HGSNAP`, a format version, a checksum (XXH3) of the rest, and the rest in postcard.
//!
//! Definitions and the index over them; executors are bound again by id. A version that reads or weighs text in another way
//! builds the index again, which gives the one that it would have built.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::catalog::fact::Fact;
use crate::catalog::saved::{LoadedCatalog, SavedCatalog};
use crate::catalog::server::Server;
use crate::catalog::skill::Skill;
use crate::catalog::tool::Tool;
use crate::catalog::view::Catalogs;
use crate::error::{Error, ErrorCode, Result};
use crate::index::Model;
use crate::index::saved::fingerprint;
use crate::text::Analyzer;

const MAGIC: &[u8; 6] = b"HGSNAP";
const VERSION: u16 = 4;
const CHECKSUM_BYTES: usize = 8;
const HEADER_BYTES: usize = MAGIC.len() + 2 + CHECKSUM_BYTES;

#[derive(Serialize)]
struct Saved<'a> {
    /// What built the indexes.
    fingerprint: u64,
    /// JSON, whose absent fields postcard could not read.
    servers: Vec<String>,
    tools: SavedCatalog<'a, Tool>,
    skills: SavedCatalog<'a, Skill>,
    facts: SavedCatalog<'a, Fact>,
}

#[derive(Deserialize)]
struct Loaded<'a> {
    fingerprint: u64,
    servers: Vec<String>,
    #[serde(borrow)]
    tools: LoadedCatalog<'a, Tool>,
    #[serde(borrow)]
    skills: LoadedCatalog<'a, Skill>,
    #[serde(borrow)]
    facts: LoadedCatalog<'a, Fact>,
}

/// The bytes of a state.
pub(super) fn write(catalogs: &Catalogs) -> Vec<u8> {
    let saved = Saved {
        fingerprint: fingerprint(),
        servers: catalogs
            .servers
            .values()
            .filter_map(|server| serde_json::to_string(server).ok())
            .collect(),
        tools: SavedCatalog::of(&catalogs.tools),
        skills: SavedCatalog::of(&catalogs.skills),
        facts: SavedCatalog::of(&catalogs.facts),
    };
    // Nothing in a catalog is of a kind that postcard refuses.
    let payload = postcard::to_stdvec(&saved).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&payload).to_le_bytes());
    bytes.extend_from_slice(&payload);
    bytes
}

/// The state of bytes.
pub(super) fn read(bytes: &[u8], analyzer: &mut Analyzer, model: Option<&Arc<Model>>) -> Result<Catalogs> {
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
    let (checksum, payload) = rest.split_at_checked(CHECKSUM_BYTES).ok_or_else(damaged)?;
    if checksum != xxh3_64(payload).to_le_bytes() {
        return Err(damaged());
    }
    let unreadable = |cause: String| {
        refuse(format!(
            "the saved catalog cannot be read: {cause}; save it again"
        ))
    };
    let loaded: Loaded<'_> =
        postcard::from_bytes(payload).map_err(|cause| unreadable(cause.to_string()).caused_by(cause))?;
    let torn = || unreadable("its parts do not fit together".to_owned());
    let mut servers = BTreeMap::new();
    for text in loaded.servers {
        let server: Server =
            serde_json::from_str(&text).map_err(|cause| unreadable(cause.to_string()).caused_by(cause))?;
        servers.insert(server.name.clone(), server);
    }
    let is_current = loaded.fingerprint == fingerprint();
    Ok(Catalogs {
        tools: loaded
            .tools
            .into_catalog(is_current, analyzer, model)
            .ok_or_else(torn)?,
        skills: loaded
            .skills
            .into_catalog(is_current, analyzer, model)
            .ok_or_else(torn)?,
        facts: loaded
            .facts
            .into_catalog(is_current, analyzer, model)
            .ok_or_else(torn)?,
        servers: Arc::new(servers),
        revision: 0,
    })
}
