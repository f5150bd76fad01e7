//! The operations around folders of skills. What a walk enters, what is taken and what is visible is decided in `catalog`.

use std::collections::HashSet;

use super::Engine;
use super::items::count;
use super::wire::skills::{
    LoadSkillsRequest, LoadSkillsResponse, LoadedSkill, SkillFilePlace, SkillListingRequest,
    SkillListingResponse, TouchRequest, TouchResponse, ValidateSkillsRequest, ValidateSkillsResponse,
    WalkSkillsRequest, WalkSkillsResponse,
};
use crate::capability::outcome::{Outcome, OutcomeKind};
use crate::capability::skill_call::SkillCall;
use crate::capability::step::{Step, to_raw};
use crate::capability::{self, Caller, skill_listing};
use crate::catalog::conditions::project_path;
use crate::catalog::folder_skills::{self, SkillText, digest};
use crate::catalog::folders::{ENTRIES, FILE_BYTES, Walk};
use crate::catalog::item::Item;
use crate::catalog::view::View;
use crate::catalog::{Catalog, Changes, skill::Skill};
use crate::error::{Error, ErrorCode, Result, json_reason};

impl Engine {
    pub(super) fn walk_skills(&self, request: WalkSkillsRequest) -> Result<WalkSkillsResponse> {
        let walk = match request.walk {
            Some(raw) => {
                let mut walk = read_walk(raw.get())?;
                walk.take(request.listings.unwrap_or_default())?;
                walk
            }
            None => Walk::begin(request.roots.unwrap_or_default()),
        };
        let list = walk.to_list();
        let found = walk.found().iter().filter(|_| list.is_empty());
        let read = found.map(|found| SkillFilePlace {
            directory: walk.folder(found),
            file: found.file.clone(),
        });
        Ok(WalkSkillsResponse {
            read: read.collect(),
            walk: to_raw(&walk),
            list,
            most_entries: ENTRIES,
            most_bytes: FILE_BYTES,
        })
    }

    pub(super) fn load_skills(&self, request: LoadSkillsRequest) -> Result<LoadSkillsResponse> {
        let walk = finished(request.walk.get(), &request.files)?;
        let ((changes, skills, removed), revision) = self.change(|catalogs, analyzer| {
            let loaded = folder_skills::load(&walk, &request.files, &catalogs.skills);
            let mut changes = Changes {
                diagnostics: loaded.diagnostics,
                ..Changes::default()
            };
            let removed = remove_all_but(&mut catalogs.skills, &loaded.skills);
            let skills: Vec<LoadedSkill> = loaded.skills.iter().filter_map(loaded_skill).collect();
            catalogs.skills.take(loaded.skills, analyzer, &mut changes);
            let any = changes.any() || !removed.is_empty();
            Ok(((changes, skills, removed), any))
        })?;
        Ok(LoadSkillsResponse {
            skills,
            added: changes.added,
            replaced: changes.replaced,
            unchanged: changes.unchanged,
            removed,
            skipped: walk.skipped().0.to_vec(),
            diagnostics: changes.diagnostics,
            revision,
        })
    }

    pub(super) fn validate_skills(&self, request: ValidateSkillsRequest) -> Result<ValidateSkillsResponse> {
        let walk = finished(request.walk.get(), &request.files)?;
        let diagnostics = folder_skills::validate(&walk, &request.files);
        Ok(ValidateSkillsResponse {
            valid: !diagnostics.iter().any(|diagnostic| diagnostic.is_error()),
            diagnostics,
        })
    }

    pub(super) fn touch(&self, request: TouchRequest) -> Result<TouchResponse> {
        let session = self.sessions.touch(&request.session, request.now);
        let catalogs = self.catalogs.load();
        let before = session.met(&catalogs);
        let mut outside = Vec::new();
        let mut paths = Vec::new();
        for path in request.paths {
            match project_path(&path) {
                Some(path) => paths.push(path),
                None => outside.push(path),
            }
        }
        session.touch(paths);
        let view = View::new(&catalogs, session.sight(&catalogs));
        let revealed = session
            .met(&catalogs)
            .into_iter()
            .filter(|id| !before.contains(id));
        let revealed = revealed.filter(|id| view.skill(id).is_some_and(|skill| !skill.hidden_from_model()));
        Ok(TouchResponse {
            revealed: revealed.collect(),
            outside,
        })
    }

    pub(super) fn skill_listing(&self, request: SkillListingRequest) -> Result<SkillListingResponse> {
        let caller = Caller {
            session: Some(&request.session),
            visible: request.visible.as_ref(),
        };
        let room = skill_listing::room(request.budget_chars, request.context_tokens);
        Ok(self.with_context(caller, Some(request.now), |context| {
            let mut sent = request.sent.clone().unwrap_or_default();
            sent.extend(
                context
                    .session
                    .map(|session| session.listed())
                    .unwrap_or_default(),
            );
            let listing = skill_listing::list(context, room, sent);
            if let Some(session) = context.session {
                session.note_listed(listing.sent.clone());
            }
            SkillListingResponse {
                text: listing.text,
                shown: listing.shown,
                shortened: count(listing.shortened),
                left: count(listing.left),
                sent: listing.sent,
            }
        }))
    }

    /// Goes on with a skill that is being opened. A file that was edited since it was loaded is indexed again.
    pub(super) fn resume_skill(&self, call: &SkillCall, outcome: &Outcome, now: u64) -> Result<Step> {
        if let (OutcomeKind::Text, Some(text), None) = (outcome.kind, &outcome.text, &call.resource) {
            self.reindex(&call.skill_id, text)?;
        }
        let caller = Caller {
            session: call.session.as_deref(),
            visible: call.visible.as_ref(),
        };
        self.with_context(caller, Some(now), |context| {
            capability::resume_skill(context, call, outcome)
        })
    }

    fn reindex(&self, id: &str, text: &str) -> Result<()> {
        let is_edited = |skill: &Skill| {
            let source = skill.definition().and_then(|definition| definition.source);
            source.is_some_and(|source| source.digest != digest(text))
        };
        if !self.catalogs.load().skills.get(id).is_some_and(is_edited) {
            return Ok(());
        }
        self.change(|catalogs, analyzer| {
            let known = catalogs.skills.get(id).filter(|skill| is_edited(skill));
            let edited = known.and_then(|skill| folder_skills::reread(skill, text));
            let mut changes = Changes::default();
            catalogs
                .skills
                .take(edited.into_iter().collect(), analyzer, &mut changes);
            Ok(((), changes.any()))
        })
        .map(|_| ())
    }
}

/// Lets the skills from folders go that are not among these.
fn remove_all_but(catalog: &mut Catalog<Skill>, kept: &[Skill]) -> Vec<String> {
    let kept: HashSet<&str> = kept.iter().map(Item::id).collect();
    let from_folders = catalog.list().into_iter().filter(|skill| skill.is_from_folder());
    let gone: Vec<String> = from_folders
        .map(Item::id)
        .filter(|id| !kept.contains(id))
        .map(str::to_owned)
        .collect();
    gone.into_iter().filter(|id| catalog.remove(id)).collect()
}

fn loaded_skill(skill: &Skill) -> Option<LoadedSkill> {
    Some(LoadedSkill {
        id: skill.id().to_owned(),
        directory: skill.definition()?.source?.directory,
    })
}

fn finished(text: &str, files: &[SkillText]) -> Result<Walk> {
    let walk = read_walk(text)?;
    let (found, missing) = (walk.found().len(), walk.to_list().len());
    if missing > 0 || found != files.len() {
        let message = format!(
            "the walk found {found} files and {missing} folders are still to be listed, but {} files came; finish the walk \
             and hand in each file in its order",
            files.len()
        );
        return Err(Error::new(ErrorCode::InvalidRequest, message));
    }
    Ok(walk)
}

fn read_walk(text: &str) -> Result<Walk> {
    serde_json::from_str(text).map_err(|cause| {
        let message = format!(
            "`walk` is not one that was answered: {}; pass it back as it was",
            json_reason(&cause)
        );
        Error::new(ErrorCode::InvalidRequest, message).caused_by(cause)
    })
}
