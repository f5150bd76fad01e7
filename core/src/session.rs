//! Conversations: what each may see, what it touched, and what it was shown. Knows nothing of prompts or of the wall clock; time comes in.
//!
//! A call never needs a session: without one everything is stateless. Looking one up takes no lock; what was shown is noted
//! after ranking, under the session's own lock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use arc_swap::{ArcSwap, ArcSwapOption};
use rpds::HashTrieMapSync;

use crate::catalog::view::{Catalogs, Sight};
use crate::catalog::visibility::Visible;
use crate::settled::settled;

mod touched;

use touched::Touched;

/// How many conversations without a policy are remembered; the least recently used go first. One with a policy stays until
/// it is ended, since forgetting it would open what it hides.
pub const REMEMBERED_SESSIONS: usize = 10_000;

/// One conversation.
#[derive(Debug, Default)]
pub struct Session {
    visible: Option<Arc<Visible>>,
    /// With the revision and the number of touches that it was worked out for.
    sight: ArcSwapOption<(u64, u64, Sight)>,
    instructed: Mutex<BTreeSet<String>>,
    touched: Mutex<Touched>,
    /// How many files were touched, for those who have not the lock.
    touches: AtomicU64,
    listed: Mutex<BTreeMap<String, String>>,
    last_used: AtomicU64,
}

impl Session {
    /// What it may see.
    pub fn visible(&self) -> Option<&Visible> {
        self.visible.as_deref()
    }

    /// Its sight of one published state, worked out once per revision and touch.
    pub fn sight(&self, catalogs: &Catalogs) -> Sight {
        let touches = self.touches.load(Ordering::Acquire);
        if let Some(known) = self.sight.load().as_ref()
            && (known.0, known.1) == (catalogs.revision, touches)
        {
            return known.2.clone();
        }
        let policies: Vec<&Visible> = self.visible.as_deref().into_iter().collect();
        let sight = Sight::compile(catalogs, &policies, &self.met(catalogs));
        self.sight
            .store(Some(Arc::new((catalogs.revision, touches, sight.clone()))));
        sight
    }

    /// Notes files that were touched, relative to the project; from now on the skills that wait for them may be seen.
    pub fn touch(&self, paths: impl IntoIterator<Item = String>) {
        if let Ok(mut touched) = self.touched.lock() {
            let new = paths.into_iter().filter(|path| touched.add(path)).count();
            self.touches.fetch_add(new as u64, Ordering::Release);
        }
    }

    /// The skills that depend on touched files and may be seen, because such a file was touched.
    pub fn met(&self, catalogs: &Catalogs) -> BTreeSet<String> {
        match self.touched.lock() {
            Ok(mut touched) => touched.met_in(catalogs).clone(),
            Err(_) => BTreeSet::new(),
        }
    }

    /// What it was sent of each skill, by id.
    pub fn listed(&self) -> BTreeMap<String, String> {
        self.listed
            .lock()
            .map(|listed| listed.clone())
            .unwrap_or_default()
    }

    /// Notes what it was sent of skills.
    pub fn note_listed(&self, sent: impl IntoIterator<Item = (String, String)>) {
        if let Ok(mut listed) = self.listed.lock() {
            listed.extend(sent);
        }
    }

    /// Whether the instructions of a server are still to be shown here; from now on they are not.
    pub fn instruct_once(&self, server: &str) -> bool {
        match self.instructed.lock() {
            Ok(mut instructed) => !instructed.contains(server) && instructed.insert(server.to_owned()),
            Err(_) => false,
        }
    }

    fn copied(&self) -> Self {
        let instructed = self
            .instructed
            .try_lock()
            .map(|set| set.clone())
            .unwrap_or_default();
        let touched = self.touched.try_lock().map(|touched| touched.clone());
        let listed = self.listed.try_lock().map(|listed| listed.clone());
        Self {
            visible: self.visible.clone(),
            sight: ArcSwapOption::empty(),
            instructed: Mutex::new(instructed),
            touched: Mutex::new(touched.unwrap_or_default()),
            touches: AtomicU64::new(self.touches.load(Ordering::Relaxed)),
            listed: Mutex::new(listed.unwrap_or_default()),
            last_used: AtomicU64::new(self.last_used.load(Ordering::Relaxed)),
        }
    }
}

/// All conversations that are remembered.
#[derive(Debug)]
pub struct Sessions {
    by_id: ArcSwap<HashTrieMapSync<String, Arc<Session>>>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            by_id: ArcSwap::from_pointee(HashTrieMapSync::new_sync()),
        }
    }
}

impl Sessions {
    /// The conversation of this id, remembered from now on.
    pub fn touch(&self, id: &str, now: u64) -> Arc<Session> {
        let session = match self.by_id.load().get(id) {
            Some(session) => Arc::clone(session),
            None => self.open(id),
        };
        session.last_used.fetch_max(now, Ordering::Relaxed);
        session
    }

    /// The conversation of this id, when it is remembered.
    pub fn find(&self, id: &str) -> Option<Arc<Session>> {
        self.by_id.load().get(id).map(Arc::clone)
    }

    /// Opens a conversation or changes what it may see; what it was shown stays noted.
    pub fn set_visible(&self, id: &str, visible: Option<Visible>) {
        let visible = visible.map(Arc::new);
        self.by_id.rcu(|sessions| {
            let known = sessions
                .get(id)
                .map_or_else(Session::default, |session| session.copied());
            sessions.insert(
                id.to_owned(),
                Arc::new(Session {
                    visible: visible.clone(),
                    ..known
                }),
            )
        });
    }

    /// Forgets a conversation.
    pub fn end(&self, id: &str) {
        self.by_id.rcu(|sessions| sessions.remove(id));
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.by_id.load().size()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// In a forked child: gives every conversation fresh locks, since a thread that is gone may have held one.
    pub fn after_fork(&self) {
        let fresh = self
            .by_id
            .load()
            .iter()
            .map(|(id, session)| (id.clone(), Arc::new(session.copied())))
            .collect();
        self.by_id.store(Arc::new(fresh));
    }

    fn open(&self, id: &str) -> Arc<Session> {
        let opened = Arc::new(Session::default());
        self.by_id.rcu(|sessions| {
            if sessions.contains_key(id) {
                return Arc::clone(sessions);
            }
            let mut sessions = HashTrieMapSync::clone(sessions);
            if sessions.size() >= REMEMBERED_SESSIONS {
                forget_oldest(&mut sessions);
            }
            Arc::new(sessions.insert(id.to_owned(), Arc::clone(&opened)))
        });
        self.find(id).unwrap_or(opened)
    }
}

/// Forgets the tenth of the conversations without a policy that was used longest ago, so that the cost is spread.
fn forget_oldest(sessions: &mut HashTrieMapSync<String, Arc<Session>>) {
    let open: Vec<(u64, String)> = sessions
        .iter()
        .filter(|(_, session)| session.visible.is_none())
        .map(|(id, session)| (session.last_used.load(Ordering::Relaxed), id.clone()))
        .collect();
    let open = settled(open, &|left, right| left.cmp(right));
    for (_, id) in open.iter().take(REMEMBERED_SESSIONS / 10) {
        sessions.remove_mut(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_a_server_are_due_once_per_conversation() {
        let sessions = Sessions::default();
        assert!(sessions.touch("a", 1).instruct_once("github"));
        assert!(!sessions.touch("a", 2).instruct_once("github"));
        assert!(sessions.touch("b", 3).instruct_once("github"));
    }

    #[test]
    fn a_conversation_with_a_policy_is_never_forgotten() {
        let sessions = Sessions::default();
        sessions.set_visible("guarded", Some(Visible::default()));
        for number in 0..REMEMBERED_SESSIONS as u64 + 50 {
            sessions.touch(&format!("s{number}"), number + 1);
        }
        assert!(sessions.len() <= REMEMBERED_SESSIONS + 1);
        assert!(sessions.find("guarded").is_some());
        assert!(sessions.find("s0").is_none());
    }

    #[test]
    fn a_changed_policy_keeps_what_was_touched_and_listed() {
        let sessions = Sessions::default();
        let session = sessions.touch("a", 1);
        session.touch(["src/a.ts".to_owned()]);
        session.note_listed([("pdf".to_owned(), "1".to_owned())]);
        sessions.set_visible("a", Some(Visible::default()));
        let changed = sessions.touch("a", 2);
        assert_eq!(changed.touched.lock().unwrap().paths(), ["src/a.ts"]);
        assert_eq!(changed.listed().len(), 1);
    }

    #[test]
    fn a_changed_policy_keeps_what_was_shown() {
        let sessions = Sessions::default();
        sessions.touch("a", 1).instruct_once("github");
        sessions.set_visible("a", Some(Visible::default()));
        assert!(!sessions.touch("a", 2).instruct_once("github"));
    }
}
