//! What the operations around folders of skills take and answer. Knows nothing of how they are answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Raw;
use crate::catalog::diagnostic::Diagnostic;
use crate::catalog::folder_skills::SkillText;
use crate::catalog::folders::{Listing, Root, Skipped};
use crate::catalog::visibility::Visible;

super::wire! { request:
    /// Begins a walk over folders of skills, or goes on with one.
    WalkSkillsRequest {
        /// The folders to search, to begin.
        #[serde(default)]
        pub roots: Option<Vec<Root>>,
        /// The walk as it was answered, to go on.
        #[serde(default)]
        pub walk: Option<Raw>,
        /// What is in the folders that were to be listed, in their order, to go on.
        #[serde(default)]
        pub listings: Option<Vec<Listing>>,
    }

    /// Takes the skills that a walk found, and lets those go that it did not find.
    LoadSkillsRequest {
        /// The walk, which is over.
        pub walk: Raw,
        /// What is in the files that were to be read, in their order.
        pub files: Vec<SkillText>,
    }

    /// Says what breaks the specification in the skills that a walk found; takes none.
    ValidateSkillsRequest {
        /// The walk, which is over.
        pub walk: Raw,
        /// What is in the files that were to be read, in their order.
        pub files: Vec<SkillText>,
    }

    /// Says that a conversation touched files.
    TouchRequest {
        /// The conversation.
        #[serde(deserialize_with = "super::conversation")]
        pub session: String,
        /// The files, relative to the project, with `/` between their parts.
        pub paths: Vec<String>,
        /// Milliseconds since 1970.
        pub now: u64,
    }

    /// Lists the skills that a conversation has not been sent.
    SkillListingRequest {
        /// The conversation.
        #[serde(deserialize_with = "super::conversation")]
        pub session: String,
        /// Room, in characters (default: 1 % of the model's context at 4 characters a token, or 8,000).
        #[serde(default)]
        pub budget_chars: Option<u32>,
        /// The model's context, in tokens.
        #[serde(default)]
        pub context_tokens: Option<u32>,
        /// What the conversation was sent before, as a listing answered it: for one that is resumed.
        #[serde(default)]
        pub sent: Option<BTreeMap<String, String>>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
        /// Milliseconds since 1970.
        pub now: u64,
    }
}

super::wire! { response:
    /// What a walk asks for next.
    WalkSkillsResponse {
        /// To hand back.
        pub walk: Raw,
        /// The folders to list. When there are none, the walk is over.
        pub list: Vec<String>,
        /// Most entries of one folder to read.
        pub most_entries: u32,
        /// When the walk is over, the files to read.
        pub read: Vec<SkillFilePlace>,
        /// Largest file to read, in bytes.
        pub most_bytes: u32,
    }

    /// A file that is to be read.
    SkillFilePlace {
        /// The skill's folder; with all links followed, nothing outside of it is read.
        pub directory: String,
        /// The name of the file in it.
        pub file: String,
    }

    /// What became of the skills of a walk.
    LoadSkillsResponse {
        /// The skills that are in the catalog now, in the order in which one hides another.
        pub skills: Vec<LoadedSkill>,
        /// How many are new.
        pub added: u32,
        /// How many replaced an earlier state of themselves.
        pub replaced: u32,
        /// How many were there already, to the byte.
        pub unchanged: u32,
        /// Skills from folders that are gone.
        pub removed: Vec<String>,
        /// Places that were passed over, with the reason.
        pub skipped: Vec<Skipped>,
        /// What is wrong, file by file.
        pub diagnostics: Vec<Diagnostic>,
        /// Grows with every published change.
        pub revision: u64,
    }

    /// A skill that was loaded.
    LoadedSkill {
        /// Its id.
        pub id: String,
        /// Its folder.
        pub directory: String,
    }

    /// How far skills keep the specification.
    ValidateSkillsResponse {
        /// Whether nothing breaks it.
        pub valid: bool,
        /// What does, file by file, and advice.
        pub diagnostics: Vec<Diagnostic>,
    }

    /// What a touch made visible.
    TouchResponse {
        /// Skills that the conversation sees from now on.
        pub revealed: Vec<String>,
        /// Paths that lie outside of the project, and touch nothing.
        pub outside: Vec<String>,
    }

    /// A listing of skills.
    SkillListingResponse {
        /// For the prompt; empty when there is nothing new.
        pub text: String,
        /// The skills in it.
        pub shown: Vec<String>,
        /// How many of them are described in fewer words than their own.
        pub shortened: u32,
        /// How many found no place: they come with the next listing.
        pub left: u32,
        /// What the conversation has been sent by now: to be kept with it, and passed when it is resumed.
        pub sent: BTreeMap<String, String>,
    }
}
