//! Names in the spellings that people and models write, and with one typo. Knows no tools and no catalog.

use honeyguide_bench_kit::corpus::Random;

/// Joins the words of a name.
type Join = fn(&[String]) -> String;

/// The spellings, and how each joins the words of a name.
pub const SPELLINGS: [(&str, Join); 6] = [
    ("snake_case", |words| words.join("_")),
    ("kebab-case", |words| words.join("-")),
    ("camelCase", |words| {
        let (first, rest) = words.split_at(words.len().min(1));
        first.concat() + &rest.iter().map(|word| capital(word)).collect::<String>()
    }),
    ("PascalCase", |words| {
        words.iter().map(|word| capital(word)).collect()
    }),
    ("SCREAMING_SNAKE", |words| words.join("_").to_uppercase()),
    ("spaced words", |words| words.join(" ")),
];

/// The kinds of typo.
pub const TYPOS: [&str; 4] = ["insert", "delete", "replace", "swap"];

/// Letters of a word from which on a typo must be forgiven.
const TYPO_LETTERS: usize = 5;

/// The words of a name in lower case, cut at signs and at camel humps.
pub fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let (mut words, mut word) = (Vec::new(), String::new());
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| letters[place]);
        let after = letters.get(place + 1);
        let hump = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_alphanumeric() && after.is_some_and(|after| after.is_lowercase())
            });
        if (hump || !letter.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// What is left of a name when its spelling does not count.
pub fn key(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The words with one typo in one word of five letters or more; nothing without such a word.
pub fn with_typo(words: &[String], kind: &str, random: &mut Random) -> Option<Vec<String>> {
    let long: Vec<usize> = (0..words.len())
        .filter(|place| {
            words[*place]
                .chars()
                .filter(|letter| letter.is_alphabetic())
                .count()
                >= TYPO_LETTERS
        })
        .collect();
    let chosen = *long.get(random.below(long.len()))?;
    let mut letters: Vec<char> = words[chosen].chars().collect();
    let place = random.below(letters.len());
    match kind {
        "insert" => letters.insert(place, other_than(letters[place], random)),
        "delete" => {
            letters.remove(place);
        }
        "replace" => letters[place] = other_than(letters[place], random),
        _ => {
            // Two neighbours that differ: to swap the same letter twice is no typo.
            let pairs: Vec<usize> = (1..letters.len())
                .filter(|place| letters[place - 1] != letters[*place])
                .collect();
            let place = *pairs.get(random.below(pairs.len()))?;
            letters.swap(place - 1, place);
        }
    }
    let mut spelt = words.to_vec();
    spelt[chosen] = letters.into_iter().collect();
    Some(spelt)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn other_than(letter: char, random: &mut Random) -> char {
    loop {
        let other = char::from(b'a' + random.below(26) as u8);
        if other != letter {
            return other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_at_signs_and_humps() {
        for (name, cut) in [
            ("create_pull-request", "create pull request"),
            ("getHTTPResponse2Xml", "get http response2 xml"),
            ("5G_City", "5g city"),
            ("Movies_1_BuyMovieTickets", "movies 1 buy movie tickets"),
        ] {
            assert_eq!(words(name).join(" "), cut, "{name}");
        }
    }

    #[test]
    fn the_six_spellings_are_told_apart() {
        let words = words("get_user_id");
        let spelt: Vec<String> = SPELLINGS.iter().map(|(_, join)| join(&words)).collect();
        let expected = "get_user_id,get-user-id,getUserId,GetUserId,GET_USER_ID,get user id";
        assert_eq!(spelt.join(","), expected);
        assert!(spelt.iter().all(|name| key(name) == "getuserid"));
    }

    #[test]
    fn a_typo_changes_one_long_word_by_one_edit() {
        let words = words("get_weather");
        for (kind, letters) in TYPOS.into_iter().zip([8, 6, 7, 7]) {
            for number in 0..50 {
                let spelt = with_typo(&words, kind, &mut Random::new(1, 1, number)).unwrap();
                assert_eq!(spelt[0], "get");
                assert_eq!(spelt[1].chars().count(), letters, "{kind}");
                assert_ne!(spelt[1], "weather");
            }
        }
        assert!(with_typo(&super::words("get_user"), "insert", &mut Random::new(1, 1, 1)).is_none());
    }
}
