//! The operations around the three capability tools. What to do next is decided in `capability`.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Engine;
use super::items::{count, raw};
use super::wire::request::{
    DiscloseRequest, ForModelRequest, InvokeRequest, ModelToolsRequest, RecallRequest, ResolveRequest,
    ResumeRequest, StepRequest, TokensRequest,
};
use super::wire::response::{
    DiscloseResponse, ExposedTool, ForModelResponse, ModelToolsResponse, RecallResponse, ResolveResponse,
    TokensResponse,
};
use crate::capability::disclosure::Wishes;
use crate::capability::step::{Call, Operation, Step};
use crate::capability::{self, Caller, Context, Means, Recalled, definitions, tokens};
use crate::catalog::item::Item;
use crate::catalog::view::View;
use crate::catalog::visibility::Visible;
use crate::error::{Error, ErrorCode, Result, json_reason};

impl Engine {
    pub(super) fn model_tools(&self, request: ModelToolsRequest) -> Result<ModelToolsResponse> {
        let definitions = definitions::definitions(
            request.format.unwrap_or_default(),
            request.strict.unwrap_or(false),
        );
        Ok(ModelToolsResponse {
            tools: definitions.tools,
            digest: definitions.digest,
        })
    }

    pub(super) fn disclose(&self, request: DiscloseRequest) -> Result<DiscloseResponse> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        let vector = request.query_vector.as_ref();
        self.with_context(caller, None, |context| {
            let query = request.query.as_deref();
            let wishes = Wishes {
                means: query.map_or_else(Means::default, |query| {
                    Means::of(context, query, vector, request.degraded)
                }),
                mode: request.mode.unwrap_or_default(),
                query,
                top_k: request.top_k.as_deref(),
                context_tokens: request.context_tokens,
                share: request.share,
                everything_before: request.everything_before,
                format: request.format.unwrap_or_default(),
                strict: request.strict.unwrap_or(false),
            };
            let disclosed = capability::disclose(context, &wishes)?;
            let exposed = disclosed.exposed.into_iter().map(|exposed| ExposedTool {
                name: exposed.name,
                tool_id: exposed.tool.id().to_owned(),
            });
            Ok(DiscloseResponse {
                everything: disclosed.everything,
                tools: disclosed.definitions,
                exposed: exposed.collect(),
                recall: disclosed.recall,
                degraded: disclosed.degraded,
            })
        })
    }

    pub(super) fn step(&self, request: StepRequest) -> Result<Step> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        Ok(self.with_context(caller, Some(request.now), |context| {
            capability::answer(context, &request.name, request.arguments.as_deref())
        }))
    }

    pub(super) fn resume(&self, request: ResumeRequest) -> Result<Step> {
        let text = request.call.get();
        if read_call::<Begun>(text)?.operation == Operation::GetSkillContent {
            return self.resume_skill(&read_call(text)?, &request.outcome, request.now);
        }
        let call: Call = read_call(text)?;
        let session = call.session.clone();
        let visible: Option<Visible> = call.visible.clone();
        let caller = Caller {
            session: session.as_deref(),
            visible: visible.as_ref(),
        };
        self.with_context(caller, Some(request.now), |context| {
            capability::resume(context, &call, &request.outcome)
        })
    }

    pub(super) fn invoke(&self, request: InvokeRequest) -> Result<Step> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        self.with_context(caller, Some(request.now), |context| {
            capability::invoke(context, &request.tool_id, request.args.as_deref())
        })
    }

    pub(super) fn resolve(&self, request: ResolveRequest) -> Result<ResolveResponse> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        self.with_context(caller, None, |context| {
            let resolved = capability::resolve(context, &request.arguments)?;
            Ok(ResolveResponse {
                tool_id: resolved.tool.id().to_owned(),
                requires_approval: resolved.tool.requires_approval(),
                annotations: resolved.tool.annotations().map(raw).transpose()?,
                arguments: resolved.arguments,
                digest: resolved.digest,
            })
        })
    }

    pub(super) fn recall(&self, request: RecallRequest) -> Result<RecallResponse> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        self.with_context(caller, Some(request.now), |context| {
            let limits = [request.top_k_tools.as_deref(), request.top_k_skills.as_deref()];
            let vector = request.query_vector.as_ref();
            let means = Means::of(context, &request.query, vector, request.degraded);
            if let Some(reason) = means.degraded().filter(|_| request.strict == Some(true)) {
                return Err(reason.refusal());
            }
            let (result, step) = match capability::recall(context, &request.query, limits, &means) {
                Recalled::Nothing => (None, None),
                Recalled::Page(page) => (Some(page), None),
                Recalled::Wait(step) => (None, Some(step)),
            };
            Ok(RecallResponse { result, step })
        })
    }

    pub(super) fn for_model(&self, request: ForModelRequest) -> Result<ForModelResponse> {
        let limit = request
            .max_result_chars
            .map(|chars| chars as usize)
            .or(self.settings.max_result_chars);
        let (result, truncated) = capability::for_model(&request.result, limit);
        Ok(ForModelResponse { result, truncated })
    }

    pub(super) fn tokens(&self, request: TokensRequest) -> Result<TokensResponse> {
        let caller = Caller {
            session: request.session.as_deref(),
            visible: request.visible.as_ref(),
        };
        Ok(self.with_context(caller, None, |context| TokensResponse {
            catalog: count(capability::catalog_tokens(&context.view)),
            model_tools: count(definitions::definitions(definitions::Format::default(), false).tokens()),
            texts: request
                .texts
                .iter()
                .flatten()
                .map(|text| count(tokens::estimate(text)))
                .collect(),
        }))
    }

    /// Answers from one published state; with a time, the caller's conversation is remembered from now on.
    pub(super) fn with_context<T>(
        &self,
        caller: Caller<'_>,
        now: Option<u64>,
        answer: impl FnOnce(&Context<'_>) -> T,
    ) -> T {
        let catalogs = self.catalogs.load();
        let session = caller.session.and_then(|id| match now {
            Some(now) => Some(self.sessions.touch(id, now)),
            None => self.sessions.find(id),
        });
        let sight = self.sight(&catalogs, session.as_deref(), caller.visible);
        answer(&Context {
            view: View::new(&catalogs, sight),
            settings: &self.settings,
            validators: &self.validators,
            session: session.as_deref(),
            caller,
        })
    }
}

/// The part of a call that says what it began with.
#[derive(Deserialize)]
struct Begun {
    operation: Operation,
}

fn read_call<C: DeserializeOwned>(text: &str) -> Result<C> {
    serde_json::from_str(text).map_err(|cause| {
        Error::new(
            ErrorCode::InvalidRequest,
            format!(
                "`call` is not one that a step handed out: {}; pass it back as it was",
                json_reason(&cause)
            ),
        )
        .caused_by(cause)
    })
}
