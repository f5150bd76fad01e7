//! Words that say nothing of what is wanted: function words, requests, politeness.
//!
//! Must not know capitals or queries. English words of content that are function words elsewhere (`die`, `son`,
//! `sin`, `come`, `comment`, `car`, `plus`, `hat`, `van`, `war`, `del`) are left out.

mod table;

use super::particles::{CHINESE, JAPANESE, KOREAN};

pub(super) use table::stop_word_of;

/// Whose stop word it is: capitals save a foreign one (`DE`, `MIT`), and hardly an English one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    /// English, and a function word of another language as well.
    Shared,
    Other,
    /// Of a script without spaces, cut into pairs.
    Pairs,
}

const ENGLISH: &str = "the and but if then else than nor of at for with without about against \
    between into onto through during before after above below from up down out off over under within across \
    along around among upon toward towards until till while because since though although unless whether via vs \
    again further here there where when why how any both each few more most much many other others another \
    some such not only own same too very just even ever still yet already else instead etc eg ie \
    mine myself us our ours ourselves you your yours yourself yourselves him his himself she hers \
    herself it its itself they them their theirs themselves what which who whom whose this that these those \
    whatever whichever anything something everything nothing someone anyone everyone somebody anybody everybody \
    now is are were be been being have had having does did doing done would could should shall can may \
    might must ought cannot dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt wont im ive \
    youre youve theyre weve lets thats whats theres heres \
    s t d m ll re don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn shouldn mustn ain mightn needn \
    need needs needed want wants wanted like please pls plz help helps let kindly thanks thank hi hello hey dear ok \
    okay sure yes wanna gonna gotta use uses using used able \
    look looks looking give gives given know wondering specific specified";

/// English words that are function words elsewhere, too: they say nothing of the language.
const SHARED: &str = "a an as am in on me no do by my to we so will also her once or he has i was per all ve";

/// Spanish, French, German, Portuguese, Italian and Dutch, then Russian; accents off, as the folding leaves them.
const OTHER: &str = "el la los las un una unos unas lo al y o en con por para que se su sus es le les mi mis tu te nos \
    este esta estos estas ese esa eso como pero mas muy cual cuando donde ser estar fue porque quien quiero \
    necesito puedes puedo favor \
    de du des une et ou au aux ce cet cette ces dans avec est sont pas ne qui quoi sur mon ma mes ton ta tes sa ses \
    notre nos votre vos leur leurs je il elle nous vous ils elles pour par sans chez etre avoir veux voudrais peux \
    pouvez plait faut quel quelle quels quelles lorsque puis donc aussi tres \
    der das dem den ein eine einen einem einer eines und oder mit von zu zum zur fur ist sind nicht auf aus bei nach \
    wie ich mir mich mein meine meinen wir uns unser sie ihr ihre er im vom als um auch noch nur wenn dass kann \
    konnen konnte mochte mochten bitte soll sollen wird werden wurde haben habe sein uber unter durch gegen ohne \
    zwischen wo wer welche welcher welches diese dieser dieses alle ob aber doch sehr \
    uma uns umas do da das em na nas dos ao aos pelo pela pelos pelas nao ou seu sua seus suas meu minha meus minhas \
    isso isto ele ela eles elas voce voces eu quero preciso pode poderia quando onde qual quais quem muito \
    gli uno di della dello delle dei degli alla allo alle agli nel nella nelle nello nei dal dalla sul sulla che non \
    si sono mio mia miei mie tuo tua suo sua anche questo questa questi queste quello quella vorrei voglio puoi \
    per tra fra perche cosa dove ho ha hanno piu \
    het een ik dat op aan voor niet zijn om ook dan bij naar uit mijn deze dit er maar hoe waar wil graag \
    kun kunt kunnen worden wordt heeft hebben zou moet heb \
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня \
    еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом \
    себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб чтобы без будто чего раз тоже себе \
    под будет ж тогда кто этот того потому этого какой какая какие совсем ним здесь этом один почти мой моя мои мое \
    тем нее сейчас были куда зачем всех можно при наконец два об другой хоть после над больше тот через эти нас про \
    них какую много разве эту свою этой перед лучше чуть том такой им более всегда конечно всю между это \
    пожалуйста нужно нужен нужна хочу помоги помогите можешь можете могу мог хотел";

/// What requests are made of in these languages, and in Polish and Turkish.
const REQUESTS: &str = "zeig zeige gib gibt hab hatte brauche muss mussen schon hier dann denn wann warum welchen welchem beim dich \
    dein deine meiner meinem unsere seine ihren etwas lass vor bis seit wahrend jede jeder jedes gerade jetzt sich \
    kannst konntest konnten diesem diesen gern montre montrez donne fais fait faire peut pourrais pourriez aimerais \
    besoin merci bonjour suis ont avez cela quand combien pourquoi moi qu entre depuis avant apres tous toute \
    toutes chaque autre ici muestra muestrame ensename hazme quisiera quieres puede podrias tengo tiene estoy \
    estan cuanto cuantos cuanta cuales desde hasta hacia sobre nuestro nuestra tambien toda todas otro otra \
    cada algun alguna aqui hola gracias mostre mostra tem tenho estou sao pra ate tambem esse essa deste desta nesta \
    neste quer queria gostaria posso mostrami fammi dammi devo potresti puo sulle nell sull \
    quale quali quanto quanti gia ancora grazie tutto tutti tutte ogni altro altra loro przez przy dla nad przed \
    miedzy oraz lub albo aby zeby jak jaki jaka jakie gdzie kiedy czy nie tego tej tym tych byl byla bylo \
    byc bedzie masz mnie moja moje mojego mojej moich swoj jego jej juz jeszcze tez takze tylko moze mozesz \
    mozna prosze chce potrzebuje pokaz daj zrob ktory ktora ktore ktorych jesli wszystkie wszystkich veya bir \
    bana sana beni benim nasil neden nerede hangi kac kadar icin ile gibi sonra daha cok yok degil olan olarak \
    olur ise eger tum butun bunu lutfen istiyorum gerek goster misin eder \
    покажи показать дай сделай сделать скажи подскажи сколько который которая которое которые которых свой свои \
    своей моей моего моих наш наша эта этих либо около привет спасибо";

/// The lists; the first that has a word says whose it is.
const LISTS: [(&str, Language); 7] = [
    (ENGLISH, Language::English),
    (SHARED, Language::Shared),
    (OTHER, Language::Other),
    (REQUESTS, Language::Other),
    (KOREAN, Language::Pairs),
    (JAPANESE, Language::Pairs),
    (CHINESE, Language::Pairs),
];

/// The same for tests, which know no number.
#[cfg(test)]
pub(super) fn stop_word(word: &str) -> Option<Language> {
    stop_word_of(word, super::hash::hash(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::name_key;

    #[test]
    fn every_listed_word_is_found_and_is_written_as_the_folding_leaves_it() {
        for word in ENGLISH.split_whitespace() {
            assert_eq!(stop_word(word), Some(Language::English), "{word}");
        }
        for word in SHARED.split_whitespace() {
            assert_eq!(stop_word(word), Some(Language::Shared), "{word}");
        }
        for pair in [KOREAN, JAPANESE, CHINESE]
            .into_iter()
            .flat_map(str::split_whitespace)
        {
            assert!(stop_word(pair).is_some(), "{pair}");
        }
        for word in OTHER.split_whitespace().chain(REQUESTS.split_whitespace()) {
            assert!(stop_word(word).is_some(), "{word}");
            assert_eq!(name_key(word), word);
        }
    }

    #[test]
    fn words_of_content_are_no_stop_words() {
        for word in [
            "", "issue", "find", "list", "die", "son", "car", "os", "id", "db", "pr", "ci", "go", "del",
            "plus", "日本", "comment", "van", "met", "hay",
        ] {
            // "id" is here for tools; "I'd" is cut at its apostrophe.
            assert_eq!(stop_word(word), None, "{word}");
        }
    }
}
