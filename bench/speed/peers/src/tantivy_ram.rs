//! tantivy with its index in memory: one text field, English stems, stop words, BM25; a change is a commit and a reload.

use honeyguide_bench_kit::measure::{Engine, HITS};
use honeyguide_bench_kit::sets::{Item, text_of};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::tokenizer::{Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer};
use tantivy::{DocAddress, Index, IndexReader, IndexWriter, ReloadPolicy, Score, TantivyDocument, Term};

/// The least it takes: every commit starts a fresh buffer, and a larger one costs page faults.
const WRITER_BYTES: usize = 15_000_000;

pub struct Tantivy {
    reader: IndexReader,
    writer: IndexWriter,
    analyzer: TextAnalyzer,
    id: Field,
    text: Field,
}

impl Engine for Tantivy {
    const NAME: &'static str = "tantivy";
    type Batch = Vec<(String, String)>;
    type Change = (String, String);
    type Query = String;
    type Hits = Vec<(Score, String)>;

    fn batch(items: &[Item]) -> Vec<(String, String)> {
        items.iter().map(Self::change).collect()
    }

    fn change(item: &Item) -> (String, String) {
        (item.id.clone(), text_of(&item.value()))
    }

    fn query(text: &str) -> String {
        text.to_owned()
    }

    fn build(batch: Vec<(String, String)>) -> Self {
        let mut schema = Schema::builder();
        let id = schema.add_text_field("id", STRING | STORED);
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("words")
            .set_index_option(IndexRecordOption::WithFreqs);
        let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let index = Index::create_in_ram(schema.build());
        let words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(64))
            .filter(LowerCaser)
            .filter(StopWordFilter::new(Language::English).expect("English has stop words"))
            .filter(Stemmer::new(Language::English))
            .build();
        index.tokenizers().register("words", words.clone());
        let writer = index.writer_with_num_threads(1, WRITER_BYTES).expect("a writer in memory");
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .expect("a reader in memory");
        let mut engine = Self {
            reader,
            writer,
            analyzer: words,
            id,
            text,
        };
        // What was read stays in memory, so that what grows is what the engine holds.
        for tool in std::mem::ManuallyDrop::new(batch).iter() {
            engine.add(tool);
        }
        engine.publish();
        engine
    }

    fn search(&mut self, query: &String) -> Vec<(Score, String)> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut tokens = self.analyzer.token_stream(query);
        while let Some(token) = tokens.next() {
            let term = Term::from_field_text(self.text, &token.text);
            clauses.push((Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))));
        }
        let searcher = self.reader.searcher();
        let best: Vec<(Score, DocAddress)> = searcher
            .search(&BooleanQuery::new(clauses), &TopDocs::with_limit(HITS).order_by_score())
            .expect("a search in memory");
        let id = |address| {
            let document: TantivyDocument = searcher.doc(address).expect("a hit has a document");
            document.get_first(self.id).and_then(|id| id.as_str().map(str::to_owned)).unwrap_or_default()
        };
        best.into_iter().map(|(score, address)| (score, id(address))).collect()
    }

    fn update(&mut self, change: (String, String)) {
        self.writer.delete_term(Term::from_field_text(self.id, &change.0));
        self.add(&change);
        self.publish();
    }

    fn ids(&self, hits: &Vec<(Score, String)>) -> Vec<String> {
        hits.iter().map(|(_, id)| id.clone()).collect()
    }
}

impl Tantivy {
    fn add(&mut self, (id, text): &(String, String)) {
        let mut document = TantivyDocument::default();
        document.add_text(self.id, id);
        document.add_text(self.text, text);
        self.writer.add_document(document).expect("a document is added in memory");
    }

    fn publish(&mut self) {
        self.writer.commit().expect("a commit in memory");
        self.reader.reload().expect("a reload in memory");
    }
}
