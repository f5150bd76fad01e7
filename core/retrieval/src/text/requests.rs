//! Words that ask a tool for the same: what people say, and what descriptions write.
//!
//! Must not know queries and catalogs. Not a dictionary, but the one class of words that every request has one of: verbs for making,
//! finding, changing, removing, sending and the like, and what they are called in definitions. Koreans say native verbs and write
//! Sino-Korean nouns (`바꿔줘`, `변경`), which share no syllable; every language has a few verbs that nobody writes down. English has its lexicon.

use std::sync::LazyLock;

use super::beginning::beginning;
use super::hash::hash;
use super::query::Part;

/// Groups, apart by `|`. No two words are together in two groups.
const KOREAN: &str = "찾 찾아 찾고 알아 보여 확인 검색 조회|지우 지워 없애 없앨 빼 삭제 제거|바꾸 바꿔 바꾼 고치 고쳐 변경 수정 편집 업데|\
    바꾸 변환|바꿔 변환|바꾸 환전|바꿔 환전|만들 만드 생성 작성 제작|넣 넣어 올려 적어 추가 등록 입력|보내 부쳐 전송 발송|보내 송금 이체|부쳐 송금|\
    틀어 틀고 들려 재생|잡아 예약 예매|사줘 사려 구매 구입 주문|골라 고르 뽑아 뽑 추천 선택|불러 부르 호출|켜 켜고 실행 시작|끄 꺼 종료|\
    멈춰 멈추 정지 중지|써 쓰 적어 작성 기록|나눠 나누 분할|세어 계산|옮겨 옮기 번역|옮겨 이동|옮기 이동|담아 남겨 저장 기록|줄여 요약|\
    받아 수신 다운|물어 질문 문의|빌려 대여 대출|읽어 낭독|가격 금액 요금 비용";

/// A verb here is one ideograph, and mostly one of those that the noun is written with; the others stand here.
const CHINESE: &str = "找 搜 搜索 查询 检索|删 去掉 清掉 删除 移除 清除|改 修改 更新 编辑 更改 变更|换 转换 兑换|换 更换 替换|\
    做 建 弄 创建 新建 生成 制作|加 添 记 添加 新增 增加 记录|发 寄 发送|听 播 播放|订 约 预订 预约 订购|买 购 购买 下单 订购|看 查看 浏览 显示|\
    算 计算|打开 开启 启动|关掉 关上 关闭 停止|停 停止 暂停|写 编写 撰写|付 交 支付 缴纳 付款 缴费|转 转账|挑 选 选择 推荐|叫 呼叫|\
    钱 价格 费用 金额|存 保存 存储|退 退款 退货 退订|译 翻译|提醒 通知";

/// The same, where an ideograph is the stem of a verb: in a noun it asks for nothing.
const JAPANESE: &str = "探 調 検索 照会 確認|消 削除|作 作成 生成|変 直 変更 更新 修正 編集|送 送信|買 購入 注文|払 支払 決済|入 足 追加 登録|\
    見 表示 閲覧|聞 流 再生|止 停止|訳 翻訳|比 比較|申 申請|取 取得 予約|始 開始|終 終了|借 貸出|書 作成 記録|残 保存|測 計測|計 計算|届 配送 配達";

/// Words of alphabets stand here by what they begin with: Spanish, French, German, Italian, Portuguese, Polish, Russian, Turkish.
const BEGINNINGS: &str = "borr elim supr quit|busc encu loca cons|crea gene|camb modi actu edit|envi mand|anad agre|anul canc|repr escu|paga abon|\
    guar alma|prec cost impo tari|apag desa|ence acti|visu mues|\
    supp effa enle reti|cher trou rech cons|chan modi|chan edit|envo expe tran|joue ecou lect lire|paye regl|enre sauv|prix tari cout mont|etei desa|\
    allu acti|affi voir|\
    losc entf|such find ermi abru|erst anle gene|ande bear aktu|send schi vers|hinz erga|kauf best erwe|absp spie|zahl beza|spei sich|\
    prei kost betr gebu|auss ausm|eins anma anzu|stor abbr|\
    elim rimu canc|cerc trov|invi mand sped|acqu comp|ripr asco|salv memo|speg disa|acce atti|\
    apag excl remo dele|busc proc enco pesq|cria gera|muda alte modi atua|adic acre|toca repr ouvi|salv guar arma|prec cust valo|desl desa|liga ativ|\
    usun skas wyka|szuk znaj wysz|utwo stwo twor|zmie mody edyt aktu|wysl prze|kupi zamo|anul odwo|odtw grac pusc|zapl opla|zapi zach|cena cene kosz|\
    удал стер убер|найд найт иска поис|созд сдел сген|изме поме обно реда|отпр посл|купи зака|отме анну|вклю восп|опла запл|сохр запи|цена цену стои|\
    sile kald|bula aray aran|olus yara|degi gunc duze|gond yoll|cala oyna|odem odey|kayd sakl kayi|fiya ucre|kapa sond";

/// A word, and where in the table its group begins.
#[derive(Debug, Clone, Copy)]
struct Word {
    number: u64,
    group: u16,
    /// Whether it asks for something only where it is a whole word.
    is_whole: bool,
}

/// The words as they are listed, group by group, and their places by their numbers.
struct Table {
    words: Vec<Word>,
    places: [u16; SLOTS],
}

const SLOTS: usize = 1024;
const VACANT: u16 = u16::MAX;

/// Made when the first query that is not English asks for it.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        words: Vec::new(),
        places: [VACANT; SLOTS],
    };
    for (list, is_whole) in [
        (KOREAN, false),
        (CHINESE, false),
        (JAPANESE, true),
        (BEGINNINGS, false),
    ] {
        for group in list.split('|') {
            table.add(group, is_whole);
        }
    }
    table
});

impl Table {
    fn add(&mut self, words: &str, is_whole: bool) {
        let group = self.place();
        for word in words.split(' ') {
            let number = beginning(word).unwrap_or_else(|| hash(word));
            let mut slot = slot_of(number);
            while self.places.get(slot).is_some_and(|place| *place != VACANT) {
                slot = (slot + 1) % SLOTS;
            }
            let place = self.place();
            if let Some(vacant) = self.places.get_mut(slot) {
                *vacant = place;
            }
            self.words.push(Word {
                number,
                group,
                is_whole,
            });
        }
    }

    /// Where the next word stands.
    fn place(&self) -> u16 {
        u16::try_from(self.words.len()).unwrap_or(VACANT)
    }
}

/// Where a number is looked for first.
const fn slot_of(number: u64) -> usize {
    (number >> 32) as usize % SLOTS
}

/// Visits the numbers of the words, or beginnings, that ask for the same as this one.
pub(crate) fn others(number: u64, part: Part, visit: &mut dyn FnMut(u64)) {
    let table = &*TABLE;
    let mut slot = slot_of(number);
    while let Some(asked) = table
        .places
        .get(slot)
        .and_then(|place| table.words.get(usize::from(*place)))
    {
        if asked.number == number && (part == Part::Word || !asked.is_whole) {
            let words = table.words.iter().skip(usize::from(asked.group));
            for word in words.take_while(|word| word.group == asked.group) {
                if word.number != number {
                    visit(word.number);
                }
            }
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::analyze_query;
    use std::collections::HashSet;

    /// Whether a query with the first asks for the other, too.
    fn asks_for(query: &str, other: &str) -> bool {
        analyze_query(query).terms.iter().any(|term| {
            let number = beginning(other).unwrap_or_else(|| hash(other));
            let begins = beginning(analyze_query(query).word(term));
            let mut is_found = false;
            for asked in [Some(term.number), begins].into_iter().flatten() {
                others(asked, term.part, &mut |found| is_found |= found == number);
            }
            is_found
        })
    }

    #[test]
    fn what_is_said_asks_for_what_is_written() {
        for (said, written) in [
            ("바꿔줘", "변경"),
            ("노래 틀어줘", "재생"),
            ("찾아주세요", "조회"),
            ("삭제해줘", "지우"),
            ("找餐厅", "搜索"),
            ("删掉", "移除"),
            ("薬を探して", "検索"),
            ("borra el archivo", "eliminar"),
            ("lösche die Datei", "entfernen"),
            ("удали файл", "стереть"),
        ] {
            assert!(asks_for(said, written), "{said} {written}");
        }
    }

    #[test]
    fn other_words_ask_for_nothing() {
        for (said, written) in [
            ("체조", "조회"),
            ("体調", "確認"),
            ("delete the file", "eliminar"),
            ("날씨", "조회"),
        ] {
            assert!(!asks_for(said, written), "{said} {written}");
        }
    }

    #[test]
    fn no_two_words_are_together_twice_and_none_is_unreachable() {
        let mut seen = HashSet::new();
        assert!(TABLE.words.len() < SLOTS * 2 / 3);
        for one in &TABLE.words {
            let group = TABLE.words.iter().filter(|word| word.group == one.group);
            for other in group.filter(|other| other.number != one.number) {
                assert!(seen.insert((one.number, other.number)), "{one:?} {other:?}");
            }
            let mut count = 0;
            others(one.number, Part::Word, &mut |_| count += 1);
            assert!(count > 0, "{one:?}");
        }
        for word in [KOREAN, CHINESE, JAPANESE]
            .into_iter()
            .flat_map(|list| list.split(['|', ' ']))
        {
            assert!(!analyze_query(word).terms.is_empty(), "{word}");
        }
        for word in BEGINNINGS.split(['|', ' ']) {
            assert!(beginning(word).is_some() && word.chars().count() == 4, "{word}");
        }
    }
}
