//! How a catalog resembles real ones, in the figures that decide what a search costs. Counts plain words, cut where a
//! letter or digit ends, without stemming: it must favour no engine's analysis.

use std::collections::{HashMap, HashSet};

/// The figures of one catalog.
#[derive(Debug)]
pub struct Realism {
    /// Bytes of JSON per tool, mean.
    pub bytes: f64,
    /// Words per document, mean, without stop words.
    pub words: f64,
    /// Distinct words of all documents.
    pub distinct: usize,
    /// Words per query, mean.
    pub query_words: f64,
    /// Share of the catalog that has a word of the query, median over queries.
    pub share: f64,
    /// Postings per query over the size of the catalog, median over queries.
    pub postings: f64,
}

/// Words that no engine indexes.
const STOP: &[&str] = &[
    "the", "a", "of", "for", "to", "and", "in", "with", "from", "by", "on", "this", "that", "or", "is", "as",
    "at", "be", "it", "an", "please", "can", "you", "i", "we", "me", "want", "need", "now", "what", "how",
    "my", "are", "do",
];

impl Realism {
    /// Measures documents, each with the bytes it has on the wire and its indexed text, and queries.
    pub fn of(documents: impl Iterator<Item = (usize, String)>, queries: &[String]) -> Self {
        let mut asked: HashMap<String, Vec<u32>> = HashMap::new();
        for word in queries.iter().flat_map(|query| words(query)) {
            asked.entry(word).or_default();
        }
        let (mut count, mut bytes, mut length) = (0_u32, 0, 0);
        let mut distinct = HashSet::new();
        for (size, text) in documents {
            bytes += size;
            let all = words(&text);
            length += all.len();
            for word in all.into_iter().collect::<HashSet<_>>() {
                if let Some(postings) = asked.get_mut(&word) {
                    postings.push(count);
                }
                distinct.insert(word);
            }
            count += 1;
        }
        let documents = f64::from(count.max(1));
        let (mut shares, mut sums) = (Vec::new(), Vec::new());
        for query in queries {
            let lists: Vec<&Vec<u32>> = words(query)
                .into_iter()
                .collect::<HashSet<_>>()
                .iter()
                .filter_map(|word| asked.get(word))
                .collect();
            let matching: HashSet<u32> = lists.iter().flat_map(|list| list.iter().copied()).collect();
            shares.push(matching.len() as f64 / documents);
            sums.push(lists.iter().map(|list| list.len()).sum::<usize>() as f64 / documents);
        }
        let spoken: usize = queries.iter().map(|query| query.split_whitespace().count()).sum();
        Self {
            bytes: bytes as f64 / documents,
            words: length as f64 / documents,
            distinct: distinct.len(),
            query_words: spoken as f64 / queries.len().max(1) as f64,
            share: median(shares),
            postings: median(sums),
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !STOP.contains(&word.as_str()))
        .collect()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}
