//! Which languages in Latin letters a vocabulary was made for. Knows no tokenizer.
//!
//! A vocabulary holds the frequent words of the texts that it was made from as one piece each, and cuts the words of other languages
//! up. Of twenty words of everyday life, MiniLM has 19 whole in English, and in no other language more than 7. A vocabulary of sixteen
//! languages (universal sentence encoder) has 15 to 20 in seven of them, 8 in Polish, and 7 in Swedish and in Indonesian, which it was
//! not made for.

use std::collections::HashSet;

/// The words by the ISO 639-1 codes of their languages: what tools are asked for, none of them spelt as in English, and none with an
/// accent, which some vocabularies leave out.
const WORDS: [(&str, &str); 11] = [
    (
        "de",
        "heute woche wetter geld haus freund arbeit schreiben zeigen finden brief preis nacht wasser kaufen senden jahr rechnung \
         suchen antwort",
    ),
    (
        "en",
        "today week weather money house friend work write show find delete letter road price night water buy send name year",
    ),
    (
        "es",
        "hoy semana tiempo dinero casa amigo trabajo escribir mostrar encontrar borrar carta calle precio noche agua comprar enviar \
         nombre buscar",
    ),
    (
        "fr",
        "demain semaine temps argent maison ami travail lire montrer trouver supprimer lettre rue prix nuit eau acheter envoyer nom \
         chercher",
    ),
    (
        "id",
        "hari minggu cuaca uang rumah teman kerja menulis tampilkan temukan hapus surat jalan harga malam beli kirim nama tahun \
         cari",
    ),
    (
        "it",
        "oggi settimana tempo soldi casa amico lavoro scrivere mostrare trovare cancellare lettera strada prezzo notte acqua \
         comprare inviare nome anno",
    ),
    (
        "nl",
        "vandaag weer geld huis vriend werk schrijven tonen vinden verwijderen brief straat prijs nacht kopen sturen naam jaar \
         zoeken antwoord",
    ),
    (
        "pl",
        "dzisiaj pogoda dom przyjaciel praca list ulica cena noc woda nazwa rok jutro szukaj zadanie kalendarz rachunek plik czas \
         lekarz",
    ),
    (
        "pt",
        "hoje semana tempo dinheiro casa amigo trabalho escrever mostrar encontrar apagar carta rua noite comprar enviar nome ano \
         buscar conta",
    ),
    (
        "sv",
        "idag vecka pengar arbete skriva visa hitta radera brev gata pris vatten skicka namn resa svar dokument faktura klocka \
         kalender",
    ),
    (
        "tr",
        "hafta hava para yazmak bulmak silmek mektup sokak fiyat gece almak isim kitap dosya hesap takvim randevu adres mesaj oda",
    ),
];

/// The codes of the languages of which half of the words or more are pieces, sorted.
pub(crate) fn of(tokens: &[String]) -> Vec<String> {
    let marks = |letter: char| !letter.is_alphabetic();
    let pieces: HashSet<String> = tokens
        .iter()
        .map(|token| token.trim_start_matches(marks).to_lowercase())
        .collect();
    let is_known = |words: &str| {
        let whole = words.split(' ').filter(|word| pieces.contains(*word)).count();
        whole * 2 >= words.split(' ').count()
    };
    WORDS
        .iter()
        .filter(|(_, words)| is_known(words))
        .map(|(code, _)| (*code).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, mark: &str) -> Vec<String> {
        text.split(' ').map(|word| format!("{mark}{word}")).collect()
    }

    #[test]
    fn every_language_has_twenty_words_without_accents_and_few_that_english_has() {
        let (_, english) = WORDS[1];
        for (code, words) in WORDS {
            assert_eq!(words.split(' ').count(), 20, "{code}");
            assert!(
                words
                    .bytes()
                    .all(|letter| letter.is_ascii_lowercase() || letter == b' '),
                "{code}"
            );
            let shared = words
                .split(' ')
                .filter(|word| english.split(' ').any(|other| other == *word));
            assert!(code == "en" || shared.count() == 0, "{code}");
        }
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn a_vocabulary_knows_the_languages_of_which_it_has_half_of_the_words() {
        let [(_, german), (_, english), ..] = WORDS;
        let half = german.split(' ').take(10).collect::<Vec<_>>().join(" ");
        let less = german.split(' ').take(9).collect::<Vec<_>>().join(" ");
        let with = |more: &str| [pieces(english, ""), pieces(more, "")].concat();
        assert_eq!(of(&with(&half)), ["de", "en"]);
        assert_eq!(of(&with(&less)), ["en"]);
        assert_eq!(of(&pieces(&half, "")), ["de"]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn a_piece_may_be_marked_and_in_capitals() {
        let [_, (_, english), ..] = WORDS;
        for mark in ["\u{2581}", "##", " ", "\u{120}"] {
            let expected: &[&str] = if mark == "\u{120}" { &[] } else { &["en"] };
            assert_eq!(of(&pieces(english, mark)), expected, "{mark}");
        }
        assert_eq!(of(&pieces(&english.to_uppercase(), "")), ["en"]);
    }
}
