//! A seeded catalog of tools, with queries and changes. Every item is made from its number alone, so a small catalog is
//! the beginning of a large one, and nothing is kept in memory. Knows no engine.

mod random;
mod tool;
mod words;

pub use random::Random;
pub use tool::Tool;

use words::{Grammar, Vocabulary};

/// Queries of a catalog.
pub const QUERIES: usize = 1_000;
/// Changes of a catalog: replaced and new tools in turn.
pub const UPDATES: usize = 200;

const TOOLS_STREAM: u64 = 1;
const QUERIES_STREAM: u64 = 2;
const UPDATES_STREAM: u64 = 3;

/// A catalog of so many tools.
#[derive(Debug, Clone, Copy)]
pub struct Corpus {
    seed: u64,
    tools: usize,
    vocabulary: Vocabulary,
}

/// A question, and the one tool that it was made from.
#[derive(Debug, Clone)]
pub struct Query {
    /// The words.
    pub text: String,
    /// The id of the tool.
    pub target: String,
}

impl Corpus {
    /// The catalog of a seed.
    pub fn new(seed: u64, tools: usize) -> Self {
        Self {
            seed,
            tools,
            vocabulary: Vocabulary,
        }
    }

    /// The tool of a number.
    pub fn tool(&self, number: usize) -> Tool {
        Tool::new(
            number,
            &mut Random::new(self.seed, TOOLS_STREAM, number),
            &self.vocabulary,
        )
    }

    /// All tools in order.
    pub fn tools(&self) -> impl Iterator<Item = Tool> + '_ {
        (0..self.tools).map(|number| self.tool(number))
    }

    /// The change of a number: the even ones replace a tool, the odd ones are new.
    pub fn update(&self, number: usize) -> Tool {
        let mut random = Random::new(self.seed, UPDATES_STREAM, number);
        if number.is_multiple_of(2) {
            // Another text under the id of a tool that is there.
            let replaced = self.tool(random.below(self.tools));
            let mut tool = Tool::new(0, &mut random, &self.vocabulary);
            tool.id = replaced.id;
            tool.name = replaced.name;
            return tool;
        }
        Tool::new(self.tools + number, &mut random, &self.vocabulary)
    }

    /// The query of a number: words of one tool among words of any, in a sentence of about ten words.
    pub fn query(&self, number: usize) -> Query {
        let mut random = Random::new(self.seed, QUERIES_STREAM, number);
        let tool = self.tool(random.below(self.tools));
        let content: Vec<&str> = tool
            .description
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty() && !Grammar::is_function_word(word))
            .collect();
        let mut words = vec![Grammar::opening(&mut random).to_owned(), tool.verb.clone()];
        words.push(Grammar::function_word(&mut random).to_owned());
        words.push(tool.object.clone());
        for _ in 0..2 + random.below(2) {
            words.push(Grammar::function_word(&mut random).to_owned());
            if let Some(word) = content.get(random.below(content.len())) {
                words.push((*word).to_owned());
            }
        }
        if random.below(4) == 0 {
            words.push(self.vocabulary.word(&mut random));
        }
        Query {
            text: words.join(" "),
            target: tool.id,
        }
    }
}
