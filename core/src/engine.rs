//! The engine: one method per operation, over immutable states that are published whole. Makes no ranking decision.
//!
//! A reader loads one pointer and keeps the state it began with; a writer prepares the next state under the writer's lock
//! and publishes it once per batch. No read waits for a writer, and after a fork no write waits for a thread that is gone.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arc_swap::ArcSwapOption;

use crate::capability::{Settings, Validators};
use crate::catalog::fact::Fact;
use crate::catalog::journal::Journal;
use crate::catalog::skill::Skill;
use crate::catalog::tool::Tool;
use crate::catalog::view::{Catalogs, Sight};
use crate::catalog::visibility::Visible;
use crate::error::{Error, ErrorCode, Result, json_reason};
use crate::rank::Method;
use crate::session::{Session, Sessions};
use crate::text::Analyzer;

mod calls;
mod envelope;
mod items;
mod operations;
mod plain;
mod published;
#[cfg(test)]
mod replica_tests;
mod search;
mod skills;
mod snapshot;
mod strangers;
mod vectors;
#[cfg(test)]
mod vectors_tests;
pub mod wire;

use published::{Published, Replica};

pub use operations::OPERATIONS;
#[cfg(feature = "schema")]
pub use operations::{OperationSchema, item_schemas, operation_schemas};

/// What [`published`] is made of; its test puts a model's in their place.
mod primitives {
    pub(super) use std::sync::{Arc, Mutex, PoisonError};

    pub(super) use arc_swap::ArcSwap;

    /// A value that its reader holds as long as they like.
    pub(super) type Loaded<T> = arc_swap::Guard<Arc<T>>;
}

/// The whole of Honeyguide for one program: catalogs, sessions, settings.
#[derive(Debug, Default)]
pub struct Engine {
    settings: Settings,
    /// The writers share a memo of stems, which a panic cannot leave half written in a way that matters.
    catalogs: Published<Catalogs, Analyzer>,
    sessions: Sessions,
    /// What may be seen by a call without policy and conversation, worked out once per revision.
    open_sight: ArcSwapOption<(u64, Sight)>,
    validators: Validators,
}

impl Engine {
    /// An empty engine; `options` is the JSON text of [`wire::options::Options`], or blank for the defaults.
    pub fn new(options: &str) -> Result<Self> {
        if options.trim().is_empty() {
            return Ok(Self::default());
        }
        let options: wire::options::Options = serde_json::from_str(options).map_err(|cause| {
            Error::new(
                ErrorCode::InvalidRequest,
                format!("the options cannot be read: {}", json_reason(&cause)),
            )
            .caused_by(cause)
        })?;
        let model = options.embedder.map(vectors::model_of).transpose()?;
        let method = options.method.unwrap_or_default();
        if method != Method::Lexical && model.is_none() {
            return Err(Error::new(
                ErrorCode::MethodUnavailable,
                "methods other than `lexical` need an embedder; give the engine one, or leave `method` out",
            ));
        }
        let defaults = Settings::default();
        let settings = Settings {
            token_budget: options
                .token_budget
                .map_or(defaults.token_budget, |tokens| tokens as usize),
            page_chars: options
                .page_chars
                .map_or(defaults.page_chars, |chars| chars.max(1) as usize),
            max_result_chars: options.max_result_chars.map(|chars| chars as usize),
            repair_arguments: options.repair_arguments.unwrap_or(defaults.repair_arguments),
            thresholds: defaults
                .thresholds
                .set(options.ok_evidence, options.weak_evidence),
            method,
            formula: options.fusion.unwrap_or_default(),
            model,
            rerank_top: options.rerank_top.map_or(defaults.rerank_top, |top| top as usize),
        };
        Ok(Self {
            catalogs: Published::from(Catalogs::of(settings.model.as_ref())),
            settings,
            ..Self::default()
        })
    }

    /// Answers one operation: JSON text in, an envelope of JSON text out. A panic becomes the code `internal`.
    pub fn call(&self, operation: &str, request: &str) -> String {
        envelope::write(guarded(|| operations::dispatch(self, operation, request)))
    }

    /// The catalogs and servers as bytes, for [`Engine::load`].
    pub fn save(&self) -> Vec<u8> {
        snapshot::write(&self.catalogs.load())
    }

    /// Replaces catalogs and servers by a saved state; the answer is an envelope. On an error nothing changes.
    pub fn load(&self, bytes: &[u8]) -> String {
        envelope::write(guarded(|| {
            let revision = self.change(|catalogs, analyzer| {
                let revision = catalogs.revision;
                let mut loaded = snapshot::read(bytes, analyzer, self.settings.model.as_ref())?;
                loaded.adopt_vectors(Some(catalogs));
                *catalogs = loaded;
                catalogs.revision = revision;
                catalogs.begin_anew();
                Ok(((), true))
            })?;
            envelope::ok(&wire::response::RevisionResponse { revision: revision.1 })
        }))
    }

    /// To be called in a forked child before anything else: gives it locks that no vanished thread can hold.
    pub fn after_fork(&self) {
        self.catalogs.after_fork(Analyzer::new());
        self.sessions.after_fork();
    }

    /// Prepares the next state and publishes it when `apply` says that something changed. Answers with the revision.
    fn change<T>(
        &self,
        apply: impl FnOnce(&mut Catalogs, &mut Analyzer) -> Result<(T, bool)>,
    ) -> Result<(T, u64)> {
        self.catalogs.change(|next, analyzer| {
            let (answer, changed) = apply(next, analyzer)?;
            next.revision += u64::from(changed);
            Ok(((answer, next.revision), changed))
        })
    }

    /// What a caller may see of a state.
    fn sight(&self, catalogs: &Catalogs, session: Option<&Session>, visible: Option<&Visible>) -> Sight {
        match (session, visible) {
            (None, None) => self.open_sight(catalogs),
            (Some(session), None) => session.sight(catalogs),
            (None, Some(visible)) => Sight::compile(catalogs, &[visible], &BTreeSet::new()),
            (Some(session), Some(visible)) => {
                let policies: Vec<&Visible> = session.visible().into_iter().chain([visible]).collect();
                Sight::compile(catalogs, &policies, &session.met(catalogs))
            }
        }
    }

    /// Everything but the skills that wait for a touched file.
    fn open_sight(&self, catalogs: &Catalogs) -> Sight {
        if let Some(known) = self.open_sight.load().as_ref()
            && known.0 == catalogs.revision
        {
            return known.1.clone();
        }
        let sight = Sight::compile(catalogs, &[], &BTreeSet::new());
        self.open_sight
            .store(Some(Arc::new((catalogs.revision, sight.clone()))));
        sight
    }
}

impl Replica for Catalogs {
    type Missed = (Journal<Tool>, Journal<Skill>, Journal<Fact>);

    fn take_missed(&mut self) -> Option<Self::Missed> {
        let missed = (
            self.tools.take_journal(),
            self.skills.take_journal(),
            self.facts.take_journal(),
        );
        (missed.0.is_whole() && missed.1.is_whole() && missed.2.is_whole()).then_some(missed)
    }

    fn catch_up(&mut self, missed: &[Self::Missed], published: &Self) {
        for (tools, skills, facts) in missed {
            self.tools.replay(tools);
            self.skills.replay(skills);
            self.facts.replay(facts);
        }
        self.share_vectors(published);
        self.servers = Arc::clone(&published.servers);
        self.revision = published.revision;
    }

    fn is_untouched(&self) -> bool {
        self.tools.is_untouched() && self.skills.is_untouched() && self.facts.is_untouched()
    }
}

fn guarded(work: impl FnOnce() -> Result<String>) -> Result<String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let reason = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Err(Error::new(
            ErrorCode::Internal,
            format!("a bug in honeyguide, please report it: {reason}"),
        ))
    })
}
