//! A small world for the tests of this layer: catalogs from JSON, and one caller. Knows nothing of the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::step::{Call, Step};
use super::{Caller, Context, Outcome, OutcomeKind, Settings, Validators, answer, resume};
use crate::catalog::server::{Server, ServerStatus};
use crate::catalog::view::{Catalogs, Sight, View};
use crate::catalog::visibility::Visible;
use crate::session::Session;
use crate::text::Analyzer;

/// Catalogs, settings and a cache.
#[derive(Default)]
pub(super) struct World {
    pub(super) catalogs: Catalogs,
    pub(super) settings: Settings,
    pub(super) validators: Validators,
    pub(super) session: Option<Session>,
    pub(super) visible: Option<Visible>,
}

impl World {
    /// A world with these tools, a JSON list.
    pub(super) fn of_tools(tools: &str) -> Self {
        let mut world = Self::default();
        world.register_tools(tools);
        world
    }

    pub(super) fn register_tools(&mut self, tools: &str) {
        let changes = self
            .catalogs
            .tools
            .register(&items(tools), &mut Analyzer::default());
        assert_eq!(changes.rejected, Vec::<u32>::new(), "{:?}", changes.diagnostics);
    }

    pub(super) fn register_skills(&mut self, skills: &str) {
        let changes = self
            .catalogs
            .skills
            .register(&items(skills), &mut Analyzer::default());
        assert_eq!(changes.rejected, Vec::<u32>::new(), "{:?}", changes.diagnostics);
    }

    pub(super) fn set_server(&mut self, name: &str, status: ServerStatus, instructions: Option<&str>) {
        let mut servers = BTreeMap::clone(&self.catalogs.servers);
        let instructions = instructions.map(str::to_owned);
        let description = Some(format!("about {name}"));
        servers.insert(
            name.to_owned(),
            Server {
                name: name.to_owned(),
                description,
                instructions,
                status,
            },
        );
        self.catalogs.servers = Arc::new(servers);
    }

    pub(super) fn allow(&mut self, visible: &str) {
        self.visible = Some(serde_json::from_str(visible).unwrap());
    }

    pub(super) fn context(&self) -> Context<'_> {
        let policies: Vec<&Visible> = self.visible.as_ref().into_iter().collect();
        Context {
            view: View::new(
                &self.catalogs,
                Sight::compile(&self.catalogs, &policies, &self.met()),
            ),
            settings: &self.settings,
            validators: &self.validators,
            session: self.session.as_ref(),
            caller: Caller {
                session: None,
                visible: self.visible.as_ref(),
            },
        }
    }

    fn met(&self) -> std::collections::BTreeSet<String> {
        self.session
            .as_ref()
            .map(|session| session.met(&self.catalogs))
            .unwrap_or_default()
    }

    /// What is answered to a model's call.
    pub(super) fn step(&self, name: &str, arguments: &str) -> Step {
        answer(&self.context(), name, Some(&raw(arguments)))
    }

    /// The reply to a model's call, as a value.
    pub(super) fn reply(&self, name: &str, arguments: &str) -> Value {
        reply_of(&self.step(name, arguments))
    }

    /// The arguments with which a call through `invoke_tool` reaches its tool, or the code of the failure.
    pub(super) fn reaches(&self, arguments: &str) -> String {
        match self.step("invoke_tool", arguments) {
            Step::Invoke { call } => format!("{} {}", call.tool_id, call.arguments.get()),
            step => reply_of(&step)["error"].as_str().unwrap().to_owned(),
        }
    }

    /// The reply after an outcome of this call.
    pub(super) fn resume(&self, call: &Call, outcome: &Outcome) -> Step {
        resume(&self.context(), call, outcome).unwrap()
    }
}

pub(super) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

pub(super) fn reply_of(step: &Step) -> Value {
    match step {
        Step::Reply {
            reply: Some(reply), ..
        } => serde_json::from_str(reply.get()).unwrap(),
        other => panic!("no reply: {other:?}"),
    }
}

pub(super) fn call_of(step: Step) -> Call {
    match step {
        Step::Invoke { call } | Step::Approve { call } => *call,
        other => panic!("no call: {other:?}"),
    }
}

pub(super) fn approval(approved: bool) -> Outcome {
    Outcome {
        approved: Some(approved),
        ..Outcome::of(OutcomeKind::Approval)
    }
}

fn items(list: &str) -> Vec<Box<RawValue>> {
    serde_json::from_str(list).unwrap()
}

/// Tools that are called in every way that models call them.
const CALLED: &str = r##"[
  {"id":"t","inputSchema":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}},
  {"id":"github__merge_pull_request","description":"Merge","inputSchema":{"type":"object","properties":{"repo":{"type":"string"},"number":{"type":"integer"}},"required":["repo","number"]}},
  {"id":"github__get_me","description":"Who am I"},
  {"id":"shell__run","inputSchema":{"type":"object","properties":{"command":{"type":"string"},"args":{"type":"array","items":{"type":"string"}}},"required":["command"],"additionalProperties":false}},
  {"id":"draft__loose","inputSchema":{"type":"object","properties":{"q":{"type":"string"},"limit":{"type":"integer"},"name":{"type":"string"}}}},
  {"id":"a__get_handoff"},{"id":"b__get_handoff"},
  {"id":"github__delete","requiresApproval":true,"annotations":{"destructiveHint":true},"inputSchema":{"type":"object","properties":{"repo":{"type":"string"},"days":{"type":"integer"}},"required":["repo"]}}
]"##;

/// A world of those tools.
pub(super) fn world() -> World {
    World::of_tools(CALLED)
}
