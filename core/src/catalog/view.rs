//! The catalogs as one caller may see them. Everything that a model can reach goes through a [`View`]: hidden is as unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Catalog;
use super::coverage::Coverage;
use super::fact::Fact;
use super::item::Item;
use super::narrow::Narrowing;
use super::server::Server;
use super::skill::Skill;
use super::tool::Tool;
use super::visibility::Visible;
use crate::index::{Bitmap, Model};
use crate::rank::{Query, Ranking};

/// One published state of everything: an immutable value that readers share.
#[derive(Debug, Clone, Default)]
pub struct Catalogs {
    /// What can be called.
    pub tools: Catalog<Tool>,
    /// What can be read and followed.
    pub skills: Catalog<Skill>,
    /// What is true.
    pub facts: Catalog<Fact>,
    /// What was said of servers, by name.
    pub servers: Arc<BTreeMap<String, Server>>,
    /// Grows with every published change.
    pub revision: u64,
}

impl Catalogs {
    /// Empty catalogs whose texts a model embeds, when there is one.
    pub fn of(model: Option<&Arc<Model>>) -> Self {
        Self {
            tools: Catalog::of(model),
            skills: Catalog::of(model),
            facts: Catalog::of(model),
            ..Self::default()
        }
    }

    /// Takes over the vectors of a state that has the same items at the same slots.
    pub fn share_vectors(&mut self, other: &Self) {
        self.tools.share_vectors(&other.tools);
        self.skills.share_vectors(&other.skills);
        self.facts.share_vectors(&other.facts);
    }

    /// Says that no earlier state leads to this one: it was not changed but replaced as a whole.
    pub fn begin_anew(&mut self) {
        self.tools.begin_anew();
        self.skills.begin_anew();
        self.facts.begin_anew();
    }
}

/// Which slots of each catalog may be seen; `None` is all of them. Compiled once per policy and revision.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Of the tools.
    pub tools: Option<Arc<Bitmap>>,
    /// Of the skills.
    pub skills: Option<Arc<Bitmap>>,
    /// Of the facts.
    pub facts: Option<Arc<Bitmap>>,
}

impl Sight {
    /// Works policies out against one state; an item must pass all of them. Of the skills that depend on touched files, only
    /// those in `met` may be seen.
    pub fn compile(catalogs: &Catalogs, policies: &[&Visible], met: &BTreeSet<String>) -> Self {
        let is_met = |skill: &Skill| skill.conditions().is_empty() || met.contains(skill.id());
        if policies.is_empty() {
            let waits = catalogs.skills.seen_through(None).any(|skill| !is_met(skill));
            return Self {
                skills: waits.then(|| Arc::new(catalogs.skills.select(is_met))),
                ..Self::default()
            };
        }
        let skills = catalogs
            .skills
            .select(|skill| is_met(skill) && permits(policies, skill));
        Self {
            tools: Some(Arc::new(catalogs.tools.select(|item| permits(policies, item)))),
            skills: Some(Arc::new(skills)),
            facts: Some(Arc::new(catalogs.facts.select(|item| permits(policies, item)))),
        }
    }
}

fn permits<I: Item>(policies: &[&Visible], item: &I) -> bool {
    policies.iter().all(|policy| policy.permits(item))
}

/// One published state through one caller's eyes.
#[derive(Debug, Clone)]
pub struct View<'a> {
    catalogs: &'a Catalogs,
    sight: Sight,
}

impl<'a> View<'a> {
    /// The state seen through this sight.
    pub fn new(catalogs: &'a Catalogs, sight: Sight) -> Self {
        Self { catalogs, sight }
    }

    /// A tool that may be seen.
    pub fn tool(&self, id: &str) -> Option<&'a Tool> {
        visible_item(&self.catalogs.tools, self.sight.tools.as_deref(), id)
    }

    /// A skill that may be seen.
    pub fn skill(&self, id: &str) -> Option<&'a Skill> {
        visible_item(&self.catalogs.skills, self.sight.skills.as_deref(), id)
    }

    /// The tools that may be seen, in no order that means something.
    pub fn tools(&self) -> impl Iterator<Item = &'a Tool> {
        self.catalogs.tools.seen_through(self.sight.tools.clone())
    }

    /// The tools that may be seen, in the order of registration.
    pub fn tools_in_order(&self) -> Vec<&'a Tool> {
        let all = self.catalogs.tools.list().into_iter();
        all.filter(|tool| self.tool(tool.id()).is_some()).collect()
    }

    /// The skills that may be seen, in no order that means something.
    pub fn skills(&self) -> impl Iterator<Item = &'a Skill> {
        self.catalogs.skills.seen_through(self.sight.skills.clone())
    }

    /// The skills that may be seen and that the model may open, in the order of registration.
    pub fn skills_in_order(&self) -> Vec<&'a Skill> {
        let all = self.catalogs.skills.list().into_iter();
        all.filter(|skill| !skill.hidden_from_model() && self.skill(skill.id()).is_some())
            .collect()
    }

    /// Ranks the tools that may be seen; a `visible` set in the query narrows further.
    pub fn search_tools(&self, query: &Query<'_>) -> Ranking {
        search(&self.catalogs.tools, self.sight.tools.as_deref(), query)
    }

    /// Ranks the skills that may be seen.
    pub fn search_skills(&self, query: &Query<'_>) -> Ranking {
        search(&self.catalogs.skills, self.sight.skills.as_deref(), query)
    }

    /// Ranks the facts that may be seen.
    pub fn search_facts(&self, query: &Query<'_>) -> Ranking {
        search(&self.catalogs.facts, self.sight.facts.as_deref(), query)
    }

    /// How many tools and skills have a vector.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.catalogs.tools.vectors()).and(Coverage::of(self.catalogs.skills.vectors()))
    }

    /// A tool by the slot a ranking named.
    pub fn tool_at(&self, slot: u32) -> Option<&'a Tool> {
        self.catalogs.tools.at(slot)
    }

    /// The slot of a tool that may be seen.
    pub fn tool_slot(&self, id: &str) -> Option<u32> {
        self.tool(id).and_then(|_| self.catalogs.tools.slot(id))
    }

    /// The slot of a skill that may be seen.
    pub fn skill_slot(&self, id: &str) -> Option<u32> {
        self.skill(id).and_then(|_| self.catalogs.skills.slot(id))
    }

    /// A skill by the slot a ranking named.
    pub fn skill_at(&self, slot: u32) -> Option<&'a Skill> {
        self.catalogs.skills.at(slot)
    }

    /// Visible tools of one group, as a set of slots to narrow a search with.
    pub fn tools_of_server(&self, server: &str) -> Bitmap {
        self.catalogs.tools.narrow(&Narrowing {
            servers: Some(&[server.to_owned()]),
            ..Narrowing::default()
        })
    }

    /// The skills that the model may open, as a set of slots to narrow a search with.
    pub fn skills_for_model(&self) -> Bitmap {
        self.catalogs.skills.select(|skill| !skill.hidden_from_model())
    }

    /// The visible tools whose names come nearest to this one, best first.
    pub fn nearest_tools(&self, requested: &str, limit: usize) -> Vec<&'a Tool> {
        self.catalogs
            .tools
            .suggest(requested, limit, self.sight.tools.as_deref())
    }

    /// The visible skills whose names come nearest to this one, best first.
    pub fn nearest_skills(&self, requested: &str, limit: usize) -> Vec<&'a Skill> {
        self.catalogs
            .skills
            .suggest(requested, limit, self.sight.skills.as_deref())
    }

    /// What was said of a server.
    pub fn server(&self, name: &str) -> Option<&'a Server> {
        self.catalogs.servers.get(name)
    }

    /// Every server that was described, by name.
    pub fn servers(&self) -> impl Iterator<Item = &'a Server> {
        self.catalogs.servers.values()
    }
}

fn visible_item<'a, I: Item>(catalog: &'a Catalog<I>, sight: Option<&Bitmap>, id: &str) -> Option<&'a I> {
    let slot = catalog.slot(id)?;
    if sight.is_some_and(|sight| !sight.contains(slot)) {
        return None;
    }
    catalog.at(slot)
}

fn search<I: Item>(catalog: &Catalog<I>, sight: Option<&Bitmap>, query: &Query<'_>) -> Ranking {
    match (sight, query.visible) {
        (Some(sight), Some(narrower)) => {
            let mut both = sight.clone();
            both.and(narrower);
            catalog.search(&Query {
                visible: Some(&both),
                ..query.clone()
            })
        }
        (Some(sight), None) => catalog.search(&Query {
            visible: Some(sight),
            ..query.clone()
        }),
        (None, _) => catalog.search(query),
    }
}
