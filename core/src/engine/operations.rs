//! The list of operations: name, method, request, response. Adding one is a line here; no binding changes.

use serde::Deserialize;

use super::Engine;
use super::envelope;
use super::plain::Plain;
use super::wire::request::{
    DiscloseRequest, EmptyRequest, EndSessionRequest, ForModelRequest, GetRequest, InvokeRequest,
    ListRequest, ModelToolsRequest, RecallRequest, RegisterRequest, RemoveRequest, RemoveServerRequest,
    ReplaceAllRequest, ResolveRequest, ResumeRequest, SearchNeedsRequest, SearchRequest, SetServerRequest,
    SetSessionRequest, SizeRequest, StepRequest, TokensRequest,
};
#[cfg(feature = "schema")]
use super::wire::response::{
    DiagnoseResponse, DiscloseResponse, ForModelResponse, GetResponse, ListResponse, ListServersResponse,
    ModelToolsResponse, RecallResponse, RegisterResponse, RemoveResponse, ResolveResponse, RevisionResponse,
    SearchNeedsResponse, SearchResponse, SizeResponse, TokensResponse,
};
use super::wire::skills::{
    LoadSkillsRequest, SkillListingRequest, TouchRequest, ValidateSkillsRequest, WalkSkillsRequest,
};
#[cfg(feature = "schema")]
use super::wire::skills::{
    LoadSkillsResponse, SkillListingResponse, TouchResponse, ValidateSkillsResponse, WalkSkillsResponse,
};
use super::wire::vectors::{MissingVectorsRequest, PutVectorsRequest};
#[cfg(feature = "schema")]
use super::wire::vectors::{MissingVectorsResponse, PutVectorsResponse};
#[cfg(feature = "schema")]
use crate::capability::step::Step;
use crate::error::{Error, ErrorCode, Result, json_reason};

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $text:literal => $method:ident($request:ty) -> $response:ident;)+) => {
        /// The names of all operations.
        pub const OPERATIONS: &[&str] = &[$($text),+];

        /// Reads the request of the named operation, runs it, and writes its response.
        pub(super) fn dispatch(engine: &Engine, operation: &str, request: &str) -> Result<String> {
            if operation == "search"
                && let Some(asked) = Plain::read(request)
            {
                return engine.search_plainly(&asked);
            }
            if operation == "register"
                && let Some(answer) = engine.register_plainly(request)
            {
                return answer;
            }
            match operation {
                $($text => envelope::ok(&engine.$method(read::<$request>(operation, request)?)?),)+
                _ => Err(Error::new(
                    ErrorCode::UnknownOperation,
                    format!("unknown operation `{operation}`; known are {}", OPERATIONS.join(", ")),
                )
                .with("operation", operation)),
            }
        }

        /// One operation, described for the generators of typed clients.
        #[cfg(feature = "schema")]
        #[derive(Debug)]
        pub struct OperationSchema {
            /// The name on the wire.
            pub name: &'static str,
            /// What it does.
            pub about: &'static str,
            /// JSON Schema of the request.
            pub request: schemars::Schema,
            /// JSON Schema of the response.
            pub response: schemars::Schema,
        }

        /// Every operation with the schemas of its two sides.
        #[cfg(feature = "schema")]
        pub fn operation_schemas(
            requests: &mut schemars::SchemaGenerator,
            responses: &mut schemars::SchemaGenerator,
        ) -> Vec<OperationSchema> {
            vec![$(OperationSchema {
                name: $text,
                about: concat!($($doc, "\n"),*),
                request: requests.subschema_for::<$request>(),
                response: responses.subschema_for::<$response>(),
            }),+]
        }
    };
}

operations! {
    /// Adds items to a catalog, replacing in place by id; each is parsed alone.
    "register" => register(RegisterRequest<'_>) -> RegisterResponse;
    /// Makes these items the whole catalog.
    "replaceAll" => replace_all(ReplaceAllRequest<'_>) -> RegisterResponse;
    /// Removes items by id; unknown ids are passed over.
    "remove" => remove(RemoveRequest) -> RemoveResponse;
    /// Reads one item back as it was registered.
    "get" => get(GetRequest) -> GetResponse;
    /// Reads a page of items back, in the order of registration.
    "list" => list(ListRequest) -> ListResponse;
    /// Counts the items of a catalog.
    "size" => size(SizeRequest) -> SizeResponse;
    /// Searches one catalog in the plain order.
    "search" => search(SearchRequest) -> SearchResponse;
    /// Searches one catalog for several needs at once: one page that serves each while there is room.
    "searchNeeds" => search_needs(SearchNeedsRequest) -> SearchNeedsResponse;
    /// Asks for texts that have no vector yet.
    "missingVectors" => missing_vectors(MissingVectorsRequest) -> MissingVectorsResponse;
    /// Takes vectors of texts; those of another model are refused as a whole, one that is no vector alone.
    "putVectors" => put_vectors(PutVectorsRequest) -> PutVectorsResponse;
    /// Describes a server; replaces what was said of it.
    "setServer" => set_server(SetServerRequest) -> RevisionResponse;
    /// Forgets what was said of a server; its tools stay.
    "removeServer" => remove_server(RemoveServerRequest) -> RevisionResponse;
    /// The servers that were described.
    "listServers" => list_servers(EmptyRequest) -> ListServersResponse;
    /// Opens a conversation or changes what it may see.
    "setSession" => set_session(SetSessionRequest) -> RevisionResponse;
    /// Forgets a conversation.
    "endSession" => end_session(EndSessionRequest) -> RevisionResponse;
    /// Hands out the three tool definitions.
    "modelTools" => model_tools(ModelToolsRequest) -> ModelToolsResponse;
    /// Says what one request to the model is to list: the three tools, and as much of the catalog as the mode discloses.
    "disclose" => disclose(DiscloseRequest) -> DiscloseResponse;
    /// Answers a model's call of one of the three tools, or of a catalog tool by its id.
    "step" => step(StepRequest) -> Step;
    /// Goes on with a call after the host has done what a step asked for.
    "resume" => resume(ResumeRequest) -> Step;
    /// Starts a call from host code: mistakes are errors, not replies.
    "invoke" => invoke(InvokeRequest) -> Step;
    /// Repairs and validates a call and runs nothing.
    "resolve" => resolve(ResolveRequest) -> ResolveResponse;
    /// Searches as `search_capabilities` does, for a host that puts the result before the model itself.
    "recall" => recall(RecallRequest) -> RecallResponse;
    /// Prepares a tool's result for the model.
    "forModel" => for_model(ForModelRequest) -> ForModelResponse;
    /// Estimates what the catalogs would cost in the prompt, what the three tools cost, and what given texts cost.
    "tokens" => tokens(TokensRequest) -> TokensResponse;
    /// Begins a walk over folders of skills, or goes on with one: says which folders to list, and in the end which files to read.
    "walkSkills" => walk_skills(WalkSkillsRequest) -> WalkSkillsResponse;
    /// Takes the skills that a walk found, and lets those go that came from a folder and were not found.
    "loadSkills" => load_skills(LoadSkillsRequest) -> LoadSkillsResponse;
    /// Says what breaks the Agent Skills specification in the skills that a walk found; takes none.
    "validateSkills" => validate_skills(ValidateSkillsRequest) -> ValidateSkillsResponse;
    /// Says that a conversation touched files: skills that wait for them may be seen from now on.
    "touch" => touch(TouchRequest) -> TouchResponse;
    /// Lists the skills that a conversation has not been sent, as text for its prompt.
    "skillListing" => skill_listing(SkillListingRequest) -> SkillListingResponse;
    /// Compiles every schema and says what is wrong in the catalogs.
    "diagnose" => diagnose(EmptyRequest) -> DiagnoseResponse;
}

/// Types that belong to the wire but to no one operation.
#[cfg(feature = "schema")]
pub fn item_schemas(requests: &mut schemars::SchemaGenerator) {
    requests.subschema_for::<crate::catalog::tool::ToolItem<'_>>();
    requests.subschema_for::<crate::catalog::skill::SkillItem<'_>>();
    requests.subschema_for::<crate::catalog::fact::FactItem>();
    requests.subschema_for::<super::wire::options::Options>();
}

fn read<'a, T: Deserialize<'a>>(operation: &str, request: &'a str) -> Result<T> {
    serde_json::from_str(request).map_err(|cause| {
        Error::new(
            ErrorCode::InvalidRequest,
            format!(
                "the request of `{operation}` cannot be read: {}",
                json_reason(&cause)
            ),
        )
        .with("operation", operation)
        .caused_by(cause)
    })
}
