//! The operations on items, servers and conversations. What a batch means is decided in the catalog layer.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::wire::Raw;
use super::wire::request::{
    EmptyRequest, EndSessionRequest, GetRequest, ListRequest, RegisterRequest, RemoveRequest,
    RemoveServerRequest, ReplaceAllRequest, SetServerRequest, SetSessionRequest, SizeRequest,
};
use super::wire::response::{
    DiagnoseResponse, GetResponse, ListResponse, ListServersResponse, RegisterResponse, RemoveResponse,
    RevisionResponse, SizeResponse,
};
use super::{Engine, envelope, plain};
use crate::capability::check_schemas;
use crate::catalog::Changes;
use crate::catalog::diagnostic::{Diagnostic, Severity};
use crate::catalog::item::{Item, Kind};
use crate::catalog::server::Server;
use crate::error::{Error, ErrorCode, Result};

/// Runs one expression on the catalog of a kind: the only place where the three kinds part.
macro_rules! with_catalog {
    (mut $catalogs:ident, $kind:expr, $catalog:ident => $body:expr) => {
        match $kind {
            Kind::Tool => {
                let $catalog = &mut $catalogs.tools;
                $body
            }
            Kind::Skill => {
                let $catalog = &mut $catalogs.skills;
                $body
            }
            Kind::Fact => {
                let $catalog = &mut $catalogs.facts;
                $body
            }
        }
    };
    ($catalogs:ident, $kind:expr, $catalog:ident => $body:expr) => {
        match $kind {
            Kind::Tool => {
                let $catalog = &$catalogs.tools;
                $body
            }
            Kind::Skill => {
                let $catalog = &$catalogs.skills;
                $body
            }
            Kind::Fact => {
                let $catalog = &$catalogs.facts;
                $body
            }
        }
    };
}

impl Engine {
    pub(super) fn register(&self, request: RegisterRequest<'_>) -> Result<RegisterResponse> {
        let (changes, revision) = self.change(|catalogs, analyzer| {
            let changes = with_catalog!(mut catalogs, request.kind, catalog => catalog.register(&request.items, analyzer));
            let any = changes.any();
            catalogs.adopt_vectors(None);
            Ok((changes, any))
        })?;
        Ok(registered(changes, revision))
    }

    /// The same for tools, where nothing needs a parser.
    pub(super) fn register_plainly(&self, request: &str) -> Option<Result<String>> {
        let mut changes = Changes::default();
        let tools = plain::tools(request, &mut changes)?;
        let done = self.change(|catalogs, analyzer| {
            catalogs.tools.take_all(tools, analyzer, &mut changes);
            let any = changes.any();
            catalogs.adopt_vectors(None);
            Ok((changes, any))
        });
        Some(done.and_then(|(changes, revision)| envelope::ok(&registered(changes, revision))))
    }

    pub(super) fn replace_all(&self, request: ReplaceAllRequest<'_>) -> Result<RegisterResponse> {
        let (changes, revision) = self.change(|catalogs, analyzer| {
            let changes = with_catalog!(mut catalogs, request.kind, catalog => catalog.replace_all(&request.items, analyzer));
            let any = changes.any();
            catalogs.adopt_vectors(None);
            Ok((changes, any))
        })?;
        Ok(registered(changes, revision))
    }

    pub(super) fn remove(&self, request: RemoveRequest) -> Result<RemoveResponse> {
        let (removed, revision) = self.change(|catalogs, _| {
            let removed: Vec<String> = with_catalog!(mut catalogs, request.kind, catalog => {
                request.ids.into_iter().filter(|id| catalog.remove(id)).collect()
            });
            let any = !removed.is_empty();
            Ok((removed, any))
        })?;
        Ok(RemoveResponse { removed, revision })
    }

    pub(super) fn get(&self, request: GetRequest) -> Result<GetResponse> {
        let catalogs = self.catalogs.load();
        let item = with_catalog!(catalogs, request.kind, catalog => catalog.get(&request.id).map(raw_item));
        Ok(GetResponse {
            item: item.transpose()?,
        })
    }

    pub(super) fn list(&self, request: ListRequest) -> Result<ListResponse> {
        let catalogs = self.catalogs.load();
        let offset = request.offset.unwrap_or(0) as usize;
        let limit = request.limit.map_or(usize::MAX, |limit| limit as usize);
        with_catalog!(catalogs, request.kind, catalog => {
            let items = catalog.list().into_iter().skip(offset).take(limit).map(raw_item).collect::<Result<_>>()?;
            Ok(ListResponse { items, total: count(catalog.len()) })
        })
    }

    pub(super) fn size(&self, request: SizeRequest) -> Result<SizeResponse> {
        let catalogs = self.catalogs.load();
        let size = with_catalog!(catalogs, request.kind, catalog => catalog.len());
        Ok(SizeResponse { size: count(size) })
    }

    pub(super) fn set_server(&self, request: SetServerRequest) -> Result<RevisionResponse> {
        let clean = |text: String| crate::text::strip_text(&text).unwrap_or(text);
        let server = Server {
            name: clean(request.name),
            description: request.description.map(clean),
            instructions: request.instructions.map(clean),
            status: request.status.unwrap_or_default(),
        };
        let ((), revision) = self.change(|catalogs, _| {
            Arc::make_mut(&mut catalogs.servers).insert(server.name.clone(), server);
            Ok(((), true))
        })?;
        Ok(RevisionResponse { revision })
    }

    pub(super) fn remove_server(&self, request: RemoveServerRequest) -> Result<RevisionResponse> {
        let ((), revision) = self.change(|catalogs, _| {
            let known = Arc::make_mut(&mut catalogs.servers)
                .remove(&request.name)
                .is_some();
            Ok(((), known))
        })?;
        Ok(RevisionResponse { revision })
    }

    pub(super) fn list_servers(&self, _: EmptyRequest) -> Result<ListServersResponse> {
        Ok(ListServersResponse {
            servers: self.catalogs.load().servers.values().cloned().collect(),
        })
    }

    pub(super) fn set_session(&self, request: SetSessionRequest) -> Result<RevisionResponse> {
        self.sessions.set_visible(&request.session, request.visible);
        Ok(RevisionResponse {
            revision: self.catalogs.load().revision,
        })
    }

    pub(super) fn end_session(&self, request: EndSessionRequest) -> Result<RevisionResponse> {
        self.sessions.end(&request.session);
        Ok(RevisionResponse {
            revision: self.catalogs.load().revision,
        })
    }

    pub(super) fn diagnose(&self, _: EmptyRequest) -> Result<DiagnoseResponse> {
        let catalogs = self.catalogs.load();
        let diagnostics = catalogs
            .tools
            .list()
            .into_iter()
            .flat_map(|tool| {
                check_schemas(tool)
                    .into_iter()
                    .map(|(code, path, message)| Diagnostic {
                        code,
                        severity: Severity::Warning,
                        kind: Kind::Tool,
                        index: None,
                        id: Some(tool.id().to_owned()),
                        path: Some(path.to_owned()),
                        file: None,
                        line: None,
                        message,
                    })
            })
            .collect();
        Ok(DiagnoseResponse { diagnostics })
    }
}

/// The text of an item as a value of the wire.
pub(super) fn raw_item<I: Item>(item: &I) -> Result<Raw> {
    raw(item.text())
}

/// JSON text that was read once, as a value of the wire.
pub(super) fn raw(text: &str) -> Result<Raw> {
    RawValue::from_string(text.to_owned()).map_err(|cause| {
        Error::new(
            ErrorCode::InvalidSnapshot,
            format!("an item holds text that is not JSON ({cause}), so it came from a damaged snapshot; register the items again"),
        )
        .caused_by(cause)
    })
}

/// A count on the wire.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn registered(changes: Changes, revision: u64) -> RegisterResponse {
    RegisterResponse {
        added: changes.added,
        replaced: changes.replaced,
        unchanged: changes.unchanged,
        removed: changes.removed,
        rejected: changes.rejected,
        diagnostics: changes.diagnostics,
        revision,
    }
}
