//! Words: a Zipf-like vocabulary whose head is real and whose long tail is made of syllables, and the small words that
//! hold a sentence together. Knows no tool.

use super::random::Random;

/// Ranks of the vocabulary.
const RANKS: f64 = 54_000.0;
/// How flat the head is: the ranks' shares fall as 1 / (rank + FLATNESS).
const FLATNESS: f64 = 4.0;

/// The words that carry meaning.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary;

/// The words that carry none.
#[derive(Debug)]
pub struct Grammar;

impl Vocabulary {
    /// A word by its share.
    pub fn word(&self, random: &mut Random) -> String {
        let rank = FLATNESS * ((RANKS + FLATNESS) / FLATNESS).powf(random.unit()) - FLATNESS;
        self.at(rank as usize)
    }

    /// What a tool does.
    pub fn verb(&self, random: &mut Random) -> String {
        VERBS[random.below(VERBS.len())].to_owned()
    }

    /// The word of a rank.
    fn at(&self, rank: usize) -> String {
        let head = HEAD.len();
        if let Some(word) = HEAD.get(rank) {
            return (*word).to_owned();
        }
        let mut number = rank - head;
        let ending = ENDINGS[number % ENDINGS.len()];
        number /= ENDINGS.len();
        let mut word = String::new();
        // Two syllables at least: shorter ones would be words of the head, and stop words.
        for place in 0.. {
            if place >= 2 && number == 0 {
                break;
            }
            word.push_str(SYLLABLES[number % SYLLABLES.len()]);
            number /= SYLLABLES.len();
        }
        word.push_str(ending);
        word
    }
}

impl Grammar {
    /// A small word of a sentence.
    pub fn function_word(random: &mut Random) -> &'static str {
        FUNCTION[random.below(FUNCTION.len())]
    }

    /// How a request begins.
    pub fn opening(random: &mut Random) -> &'static str {
        OPENINGS[random.below(OPENINGS.len())]
    }

    /// Whether a word is a small one.
    pub fn is_function_word(word: &str) -> bool {
        FUNCTION.contains(&word)
    }
}

const FUNCTION: &[&str] = &[
    "the", "a", "of", "for", "to", "and", "in", "with", "from", "by", "on", "this", "that", "or", "is", "as",
    "at", "be", "it", "an",
];

const OPENINGS: &[&str] = &["please", "can you", "i want to", "help me", "now", "we need to"];

const VERBS: &[&str] = &[
    "create",
    "list",
    "get",
    "update",
    "delete",
    "search",
    "send",
    "archive",
    "merge",
    "close",
    "open",
    "export",
    "import",
    "assign",
    "move",
    "fetch",
    "convert",
    "calculate",
    "schedule",
    "upload",
    "download",
    "validate",
    "publish",
    "cancel",
    "restore",
    "translate",
    "compare",
    "monitor",
    "approve",
    "summarize",
];

const HEAD: &[&str] = &[
    "data",
    "name",
    "value",
    "user",
    "file",
    "list",
    "type",
    "returned",
    "number",
    "time",
    "date",
    "result",
    "string",
    "query",
    "page",
    "text",
    "message",
    "project",
    "account",
    "record",
    "field",
    "items",
    "given",
    "using",
    "status",
    "service",
    "address",
    "address",
    "content",
    "image",
    "report",
    "group",
    "event",
    "order",
    "price",
    "customer",
    "format",
    "response",
    "request",
    "server",
    "table",
    "database",
    "source",
    "target",
    "path",
    "folder",
    "document",
    "channel",
    "email",
    "team",
    "member",
    "task",
    "issue",
    "comment",
    "branch",
    "commit",
    "review",
    "label",
    "invoice",
    "payment",
    "ticket",
    "calendar",
    "contact",
    "column",
    "row",
    "alert",
    "metric",
    "location",
    "city",
    "country",
    "language",
    "weather",
    "temperature",
    "currency",
    "amount",
    "balance",
    "transaction",
    "product",
    "category",
    "inventory",
    "shipment",
    "delivery",
    "driver",
    "vehicle",
    "route",
    "distance",
    "speed",
    "duration",
    "interval",
    "period",
    "annual",
    "monthly",
    "current",
    "previous",
    "maximum",
    "minimum",
    "average",
    "total",
    "filter",
    "sorted",
    "matching",
    "specific",
    "optional",
    "required",
    "default",
    "identifier",
    "unique",
    "detailed",
    "information",
    "available",
    "supported",
    "existing",
    "selected",
    "including",
    "multiple",
    "several",
    "public",
    "private",
    "security",
    "access",
    "permission",
    "token",
    "session",
    "device",
    "network",
    "domain",
    "website",
    "browser",
    "article",
    "library",
    "version",
    "package",
    "release",
    "deployment",
    "container",
    "cluster",
    "instance",
    "storage",
    "bucket",
    "object",
    "resource",
    "policy",
    "schedule",
    "workflow",
    "pipeline",
    "model",
    "training",
    "prediction",
    "score",
    "rating",
    "survey",
    "question",
    "answer",
    "student",
    "course",
    "school",
    "patient",
    "medical",
    "health",
    "doctor",
    "recipe",
    "ingredient",
    "restaurant",
    "booking",
    "hotel",
    "flight",
    "airport",
    "ticketing",
    "passenger",
    "music",
    "video",
    "movie",
    "artist",
    "album",
    "playlist",
    "game",
    "player",
    "match",
    "league",
    "stock",
    "market",
    "portfolio",
    "investment",
    "interest",
    "loan",
    "tax",
    "employee",
    "salary",
    "department",
    "manager",
    "meeting",
    "agenda",
    "reminder",
    "notification",
    "subscription",
    "campaign",
    "audience",
    "advertisement",
    "keyword",
    "translation",
    "sentence",
    "paragraph",
    "summary",
    "chart",
    "graph",
    "matrix",
    "vector",
    "equation",
    "triangle",
];

const SYLLABLES: &[&str] = &[
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we",
    "zi", "bro", "cla", "dre", "fli", "gro", "plu", "pra", "ste", "tri", "sko", "nor", "mal", "ten", "vis",
    "ron", "cal", "mer", "den", "lin", "gor", "tus", "pan",
];

const ENDINGS: &[&str] = &["", "s", "ing", "ed", "er", "tion", "ly", "ment", "al", "x"];
