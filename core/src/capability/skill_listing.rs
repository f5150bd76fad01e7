//! The skills that a conversation has not been told of yet, as text for its prompt. Knows nothing of searching.
//!
//! A listing says only what is new, so that a prompt can be added to and never has to change. Where there is no room,
//! descriptions are shortened before names are, and what still finds no place is counted: it comes with the next listing.

use std::collections::BTreeMap;

use super::Context;
use super::tokens::cut;
use crate::catalog::item::Item;
use crate::catalog::skill::Skill;
use crate::text::hash::hash;

/// Room of a listing, in characters, when nothing is said: 1 % of a context of 200,000 tokens.
const BUDGET: usize = 8_000;

/// Characters that a token holds, as far as a budget is concerned.
const CHARACTERS: usize = 4;

/// A description that has no room for this many characters is left out.
const SHORTEST: usize = 20;

const HEAD: &str = "Skills that can be opened with get_skill_content:\n";

/// What is said of skills.
#[derive(Debug, PartialEq, Eq)]
pub struct Listing {
    /// For the prompt; empty when there is nothing new.
    pub text: String,
    /// The skills in it, in its order.
    pub shown: Vec<String>,
    /// How many of them are described in fewer words than their own.
    pub shortened: usize,
    /// How many found no place.
    pub left: usize,
    /// What the conversation has been sent by now.
    pub sent: BTreeMap<String, String>,
}

/// How much room there is, in characters: as it was said, or a hundredth of the model's context.
pub fn room(budget_chars: Option<u32>, context_tokens: Option<u32>) -> usize {
    match (budget_chars, context_tokens) {
        (Some(characters), _) => characters as usize,
        (None, Some(tokens)) => tokens as usize / 100 * CHARACTERS,
        (None, None) => BUDGET,
    }
}

/// Lists the visible skills that were not sent yet. A skill that is described in other words now is sent again.
pub fn list(context: &Context<'_>, room: usize, sent: BTreeMap<String, String>) -> Listing {
    let new: Vec<Line<'_>> = context
        .view
        .skills_in_order()
        .into_iter()
        .map(Line::of)
        .filter(|line| line.is_news(&sent))
        .collect();
    let mut listing = Listing {
        text: String::new(),
        shown: Vec::new(),
        shortened: 0,
        left: 0,
        sent,
    };
    if new.is_empty() {
        return listing;
    }
    let longest = longest_that_fits(&new, room);
    let mut used = HEAD.chars().count();
    // Room for the remark is kept free where one will be needed.
    let remark = if cost(&new, longest) <= room {
        0
    } else {
        remark(new.len()).chars().count()
    };
    for (place, line) in new.iter().enumerate() {
        let written = line.written(longest);
        let length = written.chars().count();
        if used + length + remark > room {
            listing.left = new.len() - place;
            break;
        }
        used += length;
        listing.text.push_str(&written);
        listing.shortened += usize::from(line.about.chars().count() > longest);
        listing.shown.push(line.id.to_owned());
        listing.sent.insert(line.id.to_owned(), line.digest());
    }
    if listing.shown.is_empty() {
        return listing;
    }
    listing.text.insert_str(0, HEAD);
    if listing.left > 0 {
        listing.text.push_str(&self::remark(listing.left));
    }
    listing
}

fn remark(left: usize) -> String {
    format!("{left} more are not listed here; search_capabilities finds them.\n")
}

/// One skill of a listing.
struct Line<'a> {
    id: &'a str,
    about: String,
}

impl<'a> Line<'a> {
    fn of(skill: &'a Skill) -> Self {
        let said = [Some(skill.description()), skill.when_to_use()];
        let words = said.into_iter().flatten().flat_map(str::split_whitespace);
        Self {
            id: skill.id(),
            about: words.collect::<Vec<_>>().join(" "),
        }
    }

    fn digest(&self) -> String {
        format!("{:016x}", hash(&self.about))
    }

    fn is_news(&self, sent: &BTreeMap<String, String>) -> bool {
        sent.get(self.id) != Some(&self.digest())
    }

    fn written(&self, longest: usize) -> String {
        if self.about.is_empty() || longest == 0 {
            return format!("- {}\n", self.id);
        }
        format!("- {}: {}\n", self.id, cut(&self.about, longest))
    }
}

/// The length to which all descriptions are cut so that every skill finds a place; 0 when only names do, or not even they.
fn longest_that_fits(lines: &[Line<'_>], room: usize) -> usize {
    let most = lines
        .iter()
        .map(|line| line.about.chars().count())
        .max()
        .unwrap_or(0);
    if cost(lines, most) <= room {
        return most;
    }
    let (mut fits, mut fails) = (0, most);
    while fails - fits > 1 {
        let middle = fits.midpoint(fails);
        if cost(lines, middle) <= room {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    if fits < SHORTEST { 0 } else { fits }
}

/// What a listing costs, in characters, with descriptions cut to this length.
fn cost(lines: &[Line<'_>], longest: usize) -> usize {
    let each = lines.iter().map(|line| {
        let about = line.about.chars().count().min(longest);
        line.id.chars().count() + 3 + if about > 0 { about + 2 } else { 0 }
    });
    HEAD.chars().count() + each.sum::<usize>()
}
