import { isWordHere, spelledLetters } from './acronyms.ts';
import type { CodePart, Token, TokenMeaning } from './tokens.ts';
import { cutLetters, INVISIBLE, visibleLetters } from './letters.ts';
import { matchFirstOfSpan } from './match-code-spans.ts';
import { matchRoman } from './match-roman.ts';
import { countsThings, isBetweenCodes } from './short-forms.ts';
import { isTouching, tokenAt, matchAt, textBefore, type TextCursor } from './text-cursor.ts';

const WORD = new RegExp(
  `\\p{Script=Latin}(?:[\\p{Script=Latin}\\p{M}]|[${INVISIBLE}](?=[${INVISIBLE}]{0,8}\\p{Script=Latin})){0,200}(?:'\\p{Script=Latin}{1,20}){0,3}`,
  'uy',
);
const NEXT_OF_COMPOUND = /-(?=\p{Script=Latin})/uy;
const DOTTED_CAPITALS = /(?:[A-Z]\.){2,8}|Ph\.D\./y;
const DOTTED_SMALL = /(?:[a-z]\.){2,6}/y;
/** Latin abbreviations that are read as English words: "for example", "that is". */
const READ_AS_PHRASE = /^(?:e\.g|i\.e)\./;
/** A rate or an amount, before p.a. */
const RATE_BEFORE = /[\d%kKmM]\s?$/u;
const TITLE =
  /(?:Mrs?|Ms|Mt|Dr|Prof|St|Gen|Capt|Lt|Sgt|Rev|Hon|Col|Sen|Gov|Maj|Cpl|vs|Fig|Vol|Dept|approx|Rd|Ave|Blvd|Lv)\.(?= ?[&\p{L}\d])/uy;
/**
 * Abbreviations that also end sentences: the point belongs to them only where the sentence
 * continues.
 */
const SHORTENED =
  /(?:etc|Inc|Ltd|Co|Corp|Jr|Sr|[Ee]st|[Ee]sp|[Tt]emp|[Ii]ncl|[Ee]xcl|[Mm]ax|[Mm]in|[Hh]rs?|[Mm]ins?)\.(?=,| [\p{Ll}\d])|(?:[Nn]os?|[Ee]xt|[Aa]pt|fig|(?<=(?:see|in|and|[(]) ?)figs|Figs|[Vv]ols?|s{1,2}|[Ss]ecs?|p{1,2}|[Pp]aras?|[Cc]ls?|[Ss]ch|[Cc]hs?|Arts?|Caps?|[Rr]egs?|r|rr|Op|op|Ex)\.(?= ?\d)|[Cc]a\.(?= ?\d)|c\.(?= ?(?:1\d{3}(?!\d)|\d{2,4} (?:BC|AD)))|(?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\.(?=,| ?[\p{Ll}\d(]| (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/uy;
/** An initial before a surname: J. Wong. */
const INITIAL = /[A-Z]\.(?= \p{Lu}\p{Ll})/uy;
/** The point of the compass behind a road, Queen's Rd. E., unless its point ends the sentence. */
const DIRECTION = /[NSEW]\.(?=,| [\p{Ll}\d])/uy;
const ROAD_BEFORE = /(?:R(?:oa)?d|St(?:reet)?|Ave(?:nue)?|Blvd)\.? $/u;
const NAME_BEGINS = /(?:^|[\n,;:(]\s*|(?:Mr|Mrs|Ms|Dr|Prof)\.? |(?:by|and|from) )$/u;
/** Written short for "without" and "with". */
const SLASHED = /w\/o(?![\p{Script=Latin}\d])|w\/(?= )/uy;
const CODE = /\p{Script=Latin}{1,10}(?:-?\d{1,8}(?:\p{Lu}{1,3}|\p{Ll})?){1,4}(?![\p{Script=Latin}\d%]|\.\d)/uy;
/** A letter, a point and a number that names: H.264. */
const CODEC = /[A-Z]\.\d{3}(?![\d.\p{Script=Latin}])/uy;
/** The number of a floor and its slash: 3/F-5/F. */
const FLOOR_BEFORE = /\d\/$/u;
/** A part of a year, which is no code: mid-2023. */
const PART_OF_YEAR = /(?:early|mid|late|pre|post)-(?:(?:1[1-9]|20)\d\d(?!\d)|[1-9]0s(?![\p{Script=Latin}\d]))/iuy;
const DIGIT_CODE =
  /\d{1,6}(?:-?[A-Z]{1,4}|[a-z]{1,2})(?:\d{1,6}[A-Z]{0,2})?(?![\p{Script=Latin}\d])|7-Eleven\b|\d{1,2}in\d{1,2}\b/uy;
/** Digits that name something; a range of rooms has a hyphen: 1201-03. */
const NAMED_DIGITS = /\d{3,20}(?:-\d{2})?(?![\d.,:/-]\d|\d)/y;
/**
 * From this many digits on, a number without commas identifies rather than counts, unless it is
 * round.
 */
const MIN_NAME_DIGITS = 7;
export const NAMED_BEFORE =
  /(?:搭|坐|公[交車车]|公共汽[車车]|房間號?|房间号?|課室|课室|教室|病房|班房|套房|巴士線|郵編|邮编|郵政編碼|電話尾|尾[三四五六3-6]?[位個](?:號碼?|字|數字|數目字)?|尾四?號碼?|(?:PIN|pin|Pin|QR|OTP)碼|巴士|城巴|九巴|新巴|小巴|隧巴|路線|路线|航班|房號?|密碼|密码|編號|编号|號碼|号码|代號|代号|股份代號|戶口|户口|帳號|账号|卡號|单号|單號|內線|分機|驗證碼|验证码|證號|尾號|尾号|取件码|取件碼|訂單|订单|OTP|otp|(?<![a-z])(?:[Pp]ass)?[Cc]ode|CODE|[Pp]assword|(?<=\d ?)[轉转]|分机|CV[VC]|ID|PIN|Room|Rm|Shop|Unit|Suite|Booth|Locker|Flat|Bus|bus|Route|route|Flight|room|flat|flight|尾數|[後后末](?:[三四五六]|[3-6])[位個个](?=係|是|為|为|[：:])|輕鐵|頻道|[學学]號|学号|单元|單元|新城|佔中|叱[咤吒]|商台|商業電台|單據|收據|發票|會員|籌號|車牌號?|车牌号?|代碼|代码|分機號|分机号|基金|等緊|轉乘|轉搭|转乘|[错錯][误誤][码碼]|[状狀][态態][码碼]|[路街道巷村苑园園里弄]\p{Script=Han}{0,2}\d{1,4}[号號]|[\dA-Z][栋棟幢座]|端口號?|端口号?|通訊埠|連接埠|localhost|(?<![a-z])[Pp]ort|\p{Script=Han}[A-Z] ?·|(?<=\d\.\d{1,3}\.\d{1,3}):|(?<![A-Za-z])(?:(?!IQ|EQ|HP|MP|XP)[A-Z]{2}|RTX|GTX|DSE|HKDSE)|(?:[Cc]ard|[Aa]ccount|[Nn]umber|[Pp]hone|[Mm]obile) (?:ending|ends) (?:in|with))\.?(?:係|是|為|为|:|：| is:?| was)? ?[#＃]? ?$|(?:^|\p{Script=Han}|\p{Script=Latin} ) ?[#＃] ?$/u;
export const NAMED_AFTER =
  /^ ?(?:室|號房|号房|房|[號号]?[舖鋪铺](?!頭)|號巴士|号巴士|巴士|路(?:公交|公[車车]|巴士|[車车](?!站)|電車|电车)|號小巴|號路線|號?循環線|線(?![上下索條性])|阿信屋)/u;
/** Events and things that are named by digits: 911事件, 711便利店, 101大樓. */
export const NAMED_EVENT_AFTER =
  /^(?![號号])(?:[和同與与及、或]\d{3})?(?:\p{Script=Han}{0,4})(?:事件|恐襲|襲擊|事變|太子站?|元朗|[慘血]案|慘劇|大?地震|便利[店舖]|遊行|集會|暴動|衝突|起義|衝擊|購物[節日]|购物[节日]|大促|高校|院校|大[學学](?!生)|工程(?!師|师)|空難|海難|屠殺|政變|革命|抗爭|海嘯|風災|水災|大水|佔[中領]|雨傘|火災|車禍)|^(?:晚[會会](?!場)|消[費费]者|權益日|权益日|打假|大[廈厦](?![受需要停全])|觀景台|观景台|光棍[節节]|示愛|情人節|錯誤|膠水|大樓|熱線|協議|客機|戰機|跑車|房車|型|系列|國道|公路|號線)/u;
/** Days of shops and of people alone, in four digits: 1111光棍節, 1212購物節. */
const FESTIVE_DAY = /^(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const FESTIVE_DAY_AFTER = /^ ?(?:光棍[節节]|[購购]物[節节]|大促|網購|网购|狂歡節|狂欢节)/u;
/** The tower of Taipei by its number of floors. */
const TAIPEI_BEFORE = /[台臺]北$/u;
/** Days of love that sound like words: 520記得送花. */
const DAY_OF_LOVE = /^52[01]$/;
const DAY_OF_LOVE_AFTER =
  /^ ?(?:快[樂乐]|[記记]得|送[花禮礼]|[表告]白|求婚|示[愛爱]|嗰[日晚]|[當当][日天晚]|那天|我[愛爱]你|[結结]婚|[註注][冊册]|[禮礼]物|[驚惊]喜|浪漫|情人[節节])/u;
const DAY_OF_LOVE_BEFORE = /(?:^|[，。！？；,.!?;\n]\s*|[今聽明尋]日|今晚|今天|明天|今年|[過过祝]|就係|又係)$/u;
/** A route where it goes: 968去天后, but 120去買餸 is money. */
const ROUTE_TO = /^ ?[去往](?=\p{Script=Han}{2})(?!邊|旅)(?!\p{Script=Han}{0,5}[買食睇玩攞做飲找換畀俾交還捐])/u;
/** The beginning of a clause, where no amount belongs to a verb. */
const CLAUSE_BEFORE = /(?:^|[，。！？；,.!?;\n])\s*$/u;
/** Words before a route that one can take: 有968去天后. */
const OFFERED_BEFORE = /(?:[有冇無]|可以|或者|定係|改?[搭轉坐])$/u;
/** Companies whose stock is named by its code: 港交所388. */
const LISTED_COMPANY_BEFORE =
  /(?:藍籌股?|蓝筹股?|[科網网地銀银煤車车]股|科技股|交所|控股|集[團团]|[銀银]行|地[產产]|置[業业]|[電电][訊讯信]|石油|石化|移[動动]|[聯联]通|人[壽寿]|保[險险]|平安|科技|汽[車车]|[電电]力|煤[氣气]|中[電电]|中銀香港|[匯滙汇][豐丰]|恒生|友邦|[騰腾][訊讯]|阿里巴?巴?|美[團团]|京[東东]|百度|快手|[網网]易|比[亞亚]迪|吉利|中芯|港[鐵铁]|[領领]展|[國国]泰|金沙|[銀银][娛娱]|新地|長[實和]|恒地|九[倉龍]倉?|太古|安踏|李[寧宁]|盈富|基金|神華)$/u;
/** Companies and funds behind the code of their stock: 2800盈富基金. */
const LISTED_COMPANY_AFTER =
  /^ ?(?:盈富|[騰腾][訊讯]|阿里巴|美[團团]|[匯滙汇][豐丰]|港交所|友邦|港[鐵铁]|[領领]展|中[銀银]香港|中[國国]移[動动]|[國国]泰|[長长][和實实]|新地|恒[生地]|中芯|吉利|快手|安踏|李[寧宁]|[網网]易|百度|比[亞亚]迪|(?![個人港美日歐英萬億元蚊間名位隻單])\p{Script=Han}{2,4}(?:控股|ETF))(?!\p{Script=Han}{0,4}(?:客|[員员]工|用[戶户]|股[東东]|里程|積分|分))/u;
/** Amounts that go into what one buys: 月供2000盈富基金. */
const PAID_BEFORE = /(?:供|投資|投资|[用俾畀付使攞]|投|\$|約|约|近|逾|超過|有|多達|請|聘|裁)(?:咗|了|返|埋)? ?$/u;
/** The text after the code of a stock: no unit and nothing that is counted. */
const STOCK_AFTER =
  /^ ?(?:$|[，。！？；、,.!?;:：)）\]]|[升跌漲涨收報报今昨聽明係系是嘅的同和及都又再高低創创破現现]|股[價价票]|一隻|走勢|走势)/u;
/** The price of a stock behind its code, and indexes, which have points: 3690收報126.4元. */
const QUOTED_AFTER = /^ ?(?:收[報报](?![告紙纸])|[現现][報报]|股[價价](?!值))/u;
const INDEX_BEFORE =
  /(?:指[數数]?|大市|元|點|点|[黃黄]金|金[價价]|油[價价]?|日[經经]|期[貨货]|[幣币]|[匯汇]|[價价])\D{0,4}$/u;
/** Makers of planes, cars and devices, which name a model by its digits: 波音747. */
const MAKER_BEFORE =
  /(?:波音|空[中巴客]|空中巴士|標[緻致]|保時捷|寶馬|平治|奔馳|法拉利|林寶堅尼|紳寶|雷諾|萬事得|馬自達|凌志|福士|諾基亞|佳能|尼康|徠卡|型號) ?$/u;
/** Words beside 711 that make it the shop rather than a number. */
const SHOP_BEFORE = /(?:去|喺|入|落|間|樓下|隔離)$/u;
const SHOP_AFTER = /^(?:買|飲|食|攞|影印|有得|門口)/u;
/** Further names before one, 輕鐵705同706, and how far back a list of them is seen. */
const LISTED = /(?:\d{3,6}[A-Z]? ?(?:[同及和与與或、,，/至到-]|以及) ?){1,4}$/u;
const MAX_LIST = 40;
/** The same behind a name: 705 of 705同706循環線. */
const NEXT_LISTED = /^(?: ?[同及和与與或、] ?\d{3,6}[A-Z]?){1,4}/u;
/** A stock in brackets after its name: 阿里巴巴(9988). */
const IN_BRACKETS = /^(?!(?:19|20)\d\d$|\d+00$)\d{4,6}$/;
/** Grades for admission to universities, and slang, read one by one: three, three, two, two. */
const ONE_BY_ONE = /^(?:3322|33222|332233|2266|7788)$/;
/** Classifiers and units after a number that counts; 台灣, 日本 and the like are places. */
const COUNTED =
  /^ ?(?:[個个人蚊次分點点萬万億亿架輛辆隻只名宗月塊块條条件噸吨呎寸米磅斤克頁页份種种層层歲岁秒週周倍]|[間间](?!中)|尺(?!寸)|里(?!程)|公[斤里升噸吨尺分]|升(?![級级班\d])|款(?![項项式])|套(?!房)|[張张](?!先|小姐|太|生|醫|医)|元(?!朗)|[日本](?![本來来地])|年(?!級|级)|部(?!隊|队)|台(?![灣湾北中])|家(?![庭姐長长居人])|場(?![地館馆])|位(?![置於于])|題(?!目)|强|強|小時|小时|星期)/u;

/**
 * Matches a token that begins with a Latin letter: an abbreviation, a code, a Roman numeral,
 * letters or a word.
 */
export function matchLatin(source: TextCursor): Token | null {
  const { text, at } = source;
  if (!isTouching(source)) {
    const isYear = source.language === 'english' && matchAt(PART_OF_YEAR, text, at) !== null;
    const isFloor = FLOOR_BEFORE.test(textBefore(source)) && /^F ?-/u.test(text.slice(at, at + 3));
    const special =
      abbreviation(source) ??
      matchRoman(source) ??
      matchFirstOfSpan(source) ??
      (isYear || isFloor ? null : (code(source, CODEC) ?? code(source, CODE)));
    if (special !== null) return special;
  }
  return matchWord(source);
}

/** Matches a word or a compound of words, and letters that are read one by one. */
export function matchWord(source: TextCursor): Token | null {
  const { text, at } = source;
  const word = matchAt(WORD, text, at)?.[0].replace(/(?<=.)ⁿ.*$/u, '');
  if (word === undefined) return null;
  const length = compoundLength(text, at + word.length) + word.length;
  const asWritten = text.slice(at, at + length);
  const written = visibleLetters(asWritten);
  if (length > word.length) return tokenAt(source, length, compound(written));
  const letters =
    singleLetter(source, written) ??
    spelledLetters(
      written,
      /^[A-Z]{2}/.test(written) &&
        (isShouted(source, length) ||
          isWordHere(written, textBefore(source), text.slice(at + length, at + length + 12), source.language)),
    );
  const joined =
    LETTERS_AND_WORD.exec(written) ??
    (letters === null ? (LETTER_AND_LETTERS.exec(written) ?? WORD_AND_LETTERS.exec(written)) : null);
  const cut = joined === null ? null : cutLetters(asWritten, joined[1]?.length ?? 0);
  if (cut !== null) return tokenAt(source, length, { kind: 'code', parts: cut.map(partOf) });
  return tokenAt(source, length, letters === null ? { kind: 'latin' } : { kind: 'letters', ...letters });
}

/** Letters and then a word in one, HKTVmall and hkbus. */
const LETTERS_AND_WORD = /^([A-Z]{3,6}|hk)([a-z]{3,20})$/;
/** A small letter before others, and the reverse of the above: eMPF, mRNA, PolyU, EdUHK. */
const LETTER_AND_LETTERS = /^([a-z])([A-Z]{2,6})$/;
const WORD_AND_LETTERS = /^([A-Z][a-z]{2,20}|[a-z]{2,20}|Ed)(UHK|HK|U|[A-Z]?TV|FM|AI|VR|XR|UI|UX)$/;

/** Tells a compound of letters (USB-C), of letters and words (micro-USB), and one word. */
function compound(written: string): TokenMeaning {
  const parts = written.split('-');
  const letters = parts.map((part) => (/^[A-Z]$/.test(part) ? part : (spelledLetters(part, false)?.letters ?? null)));
  const hasBoth = letters.includes(null) && letters.some((part) => (part?.length ?? 0) > 1);
  if (hasBoth && (/\p{Ll}/u.test(written) || parts.some((part) => /^[B-DF-HJ-NP-TV-Z]{2,4}$/.test(part)))) {
    const kindOf = (index: number) => (letters[index] === null ? 'latin' : 'letters');
    return { kind: 'code', parts: parts.map((text, index) => ({ kind: kindOf(index), text })) };
  }
  return letters.includes(null) ? { kind: 'latin' } : { kind: 'letters', letters: letters.join(''), plural: false };
}

/** The length of a compound (`check-in`, `mother-in-law`) after its first part. */
function compoundLength(text: string, start: number): number {
  let at = start;
  for (let parts = 0; parts < 5; parts += 1) {
    const hyphen = matchAt(NEXT_OF_COMPOUND, text, at);
    const next = hyphen === null ? null : matchAt(WORD, text, at + 1);
    if (next === null) break;
    at += 1 + next[0].length;
  }
  return at - start;
}

/** The letter of a word that is one letter (A餐); null where it is a word: "a test", "I". */
function singleLetter(source: TextCursor, written: string): { letters: string; plural: boolean } | null {
  if (!/^[A-Za-z]$/.test(written)) return null;
  const { text, at, language } = source;
  const besideLatin =
    /[\p{Script=Latin}][,.]? $/u.test(textBefore(source)) || /^ \p{Script=Latin}{2}/u.test(text.slice(at + 1, at + 4));
  const isInBrackets = /[(（]$/u.test(textBefore(source)) && /^[)）]/u.test(text.slice(at + 1));
  const isWord =
    /^[aIA]$/.test(written) && !isInBrackets && (besideLatin || (language === 'english' && written !== 'A'));
  return isWord ? null : { letters: written.toUpperCase(), plural: false };
}

/** Whether all nearby Latin words are in capitals, several of them long. */
function isShouted({ text, at }: TextCursor, length: number): boolean {
  const around = text.slice(Math.max(0, at - 30), at) + text.slice(at + length, at + length + 30);
  return !/\p{Ll}/u.test(around) && /\p{Lu}{3,}[^\p{L}]+\p{Lu}{3,}/u.test(around);
}

function abbreviation(source: TextCursor): Token | null {
  const { text, at } = source;
  const capitals = matchAt(DOTTED_CAPITALS, text, at);
  if (capitals !== null) {
    const letters = capitals[0].replaceAll('.', '').toUpperCase();
    return tokenAt(source, capitals[0].length, { kind: 'letters', letters, plural: false });
  }
  const initial =
    (NAME_BEGINS.test(textBefore(source)) ? matchAt(INITIAL, text, at) : null) ??
    (ROAD_BEFORE.test(textBefore(source)) ? matchAt(DIRECTION, text, at) : null);
  if (initial !== null)
    return tokenAt(source, initial[0].length, { kind: 'letters', letters: initial[0].charAt(0), plural: false });
  const small = matchAt(DOTTED_SMALL, text, at)?.[0] ?? '';
  if (small !== '' && !READ_AS_PHRASE.test(small) && !(small === 'p.a.' && RATE_BEFORE.test(textBefore(source)))) {
    const letters = small.replaceAll('.', '').toUpperCase();
    return tokenAt(source, small.length, { kind: 'letters', letters, plural: false });
  }
  const other =
    matchAt(SLASHED, text, at) ??
    matchAt(DOTTED_SMALL, text, at) ??
    matchAt(TITLE, text, at) ??
    matchAt(SHORTENED, text, at);
  return other === null ? null : tokenAt(source, other[0].length, { kind: 'latin' });
}

function code(source: TextCursor, pattern: RegExp): Token | null {
  const match = matchAt(pattern, source.text, source.at);
  if (match === null) return null;
  const parts = (match[0].match(/\d+|[^\d.-]+/gu) ?? []).map(partOf);
  return tokenAt(source, match[0].length, { kind: 'code', parts });
}

function partOf(written: string): CodePart {
  const text = visibleLetters(written);
  return { kind: partKind(text), text, ...(text !== written && { written }) };
}

function partKind(text: string): CodePart['kind'] {
  if (/^\d/.test(text)) return 'digits';
  const isLetters = (text.length <= 2 && !/^[A-Z][aeiouy]$/.test(text)) || spelledLetters(text, false) !== null;
  return isLetters && !/^(?:in|up|go|to|my|we|on|no|be|me|Ed)$/.test(text) ? 'letters' : 'latin';
}

/** The address of a device, and the code of a stock with its exchange. */
const HARDWARE_ADDRESS = /[\dA-Fa-f]{2}(?:([:-])[\dA-Fa-f]{2})(?:\1[\dA-Fa-f]{2}){4}(?![\dA-Fa-f])/y;
/** An address of version 6 with the length of its network: fe80::1, 2001:db8::/32. */
const NETWORK_ADDRESS =
  /(?=::1(?![\dA-Fa-f:])|(?=[\dA-Fa-f:]{0,44}\d)(?:[\dA-Fa-f]{0,4}:){0,7}(?:[A-Fa-f]{0,3}\d[\dA-Fa-f]{2,3}|[A-Fa-f]{1,3}\d[\dA-Fa-f]{1,2}|[A-Fa-f]{2}\d[\dA-Fa-f]))(?:(?:[\dA-Fa-f]{1,4}:){7}[\dA-Fa-f]{1,4}|(?:[\dA-Fa-f]{1,4}(?::[\dA-Fa-f]{1,4}){0,6})?::(?:[\dA-Fa-f]{1,4}(?::[\dA-Fa-f]{1,4}){0,6})?)(?![\p{L}\d:])(?:\/\d{1,3}(?!\d))?/uy;
const STOCK = /(\d{1,6})\.(HK|SH|SZ|SS)(?![\p{Script=Latin}\d])/uy;

/** Matches 00:1A:2B:3C:4D:5E and fe80::1, each sign by itself, and 0700.HK. */
export function matchListedName(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  const address = matchAt(HARDWARE_ADDRESS, source.text, source.at);
  if (address !== null) {
    const parts = (address[0].match(/[\dA-Fa-f]/gu) ?? []).map(partOf);
    return tokenAt(source, address[0].length, { kind: 'code', parts });
  }
  const network = matchAt(NETWORK_ADDRESS, source.text, source.at);
  if (network !== null) {
    const parts = (network[0].match(/(?<=\/)\d+|[\dA-Fa-f:/]/gu) ?? []).map(partOfAddress);
    return tokenAt(source, network[0].length, { kind: 'code', parts });
  }
  const [stock, digits = '', exchange = ''] = matchAt(STOCK, source.text, source.at) ?? [];
  if (stock === undefined) return null;
  const parts: CodePart[] = [
    ...Array.from(digits, (text) => ({ kind: 'digits' as const, text })),
    { kind: 'letters', text: exchange },
  ];
  return tokenAt(source, stock.length, { kind: 'code', parts });
}

const SIGNS_OF_ADDRESS: Readonly<Record<string, string>> = { ':': 'colon', '/': 'slash' };

function partOfAddress(written: string): CodePart {
  const name = SIGNS_OF_ADDRESS[written];
  return name === undefined ? partOf(written) : { kind: 'latin', text: name, written };
}

const BRAND = /7-11(?=$|[便門嘅度買有去，。,])/uy;
/** The shop behind a word for a place, unless the ends of a range have a unit: 喺7-11月. */
const SHOP = /7-11(?! ?[月日號号點点時时歲岁級级度樓楼層层頁页座年週周人個个名位折萬千分秒天%\d-])/uy;
const PLACE_BEFORE = /(?:[喺間间]|[入落返去到過过](?:咗|了)?|樓下|楼下|隔[離离]|[對对]面|附近|旁邊|旁边|門口|轉角) ?$/u;
/** 24/7, "round the clock", and 50/50, "even", which are said in English. */
const IN_ENGLISH = /(?:24\/7|50\/50)(?![\d/])/y;

/** Matches the shop 7-11, which is no range, and 24/7 and 50/50, which are no fractions. */
export function matchBrand(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  const shop = source.language !== 'english' && PLACE_BEFORE.test(textBefore(source)) ? code(source, SHOP) : null;
  return shop ?? code(source, BRAND) ?? (source.language === 'cantonese' ? code(source, IN_ENGLISH) : null);
}

/** The end of a word for a count, whose number stands in brackets: 人數（1253）. */
const COUNT_BEFORE = /(?:[數数量額额人共計计]|(?<!股)票)$/u;
/** Moves of a stock, behind its code in full-width brackets, in which counts stand too. */
const STOCK_MOVED = /^[）)] ?(?:[升跌漲涨收報报挫彈弹現现今昨]|股[價价票])/u;

/** Whether digits in brackets are the code of the company before them: 阿里巴巴(9988), 港交所（388）. */
function isStockInBrackets(source: TextCursor, digits: string, after: string): boolean {
  const [, name = '', bracket = ''] = /(.*\p{Script=Han})([(（])$/su.exec(textBefore(source)) ?? [];
  if (name === '' || COUNT_BEFORE.test(name) || !/^[)）]/u.test(after)) return false;
  if (/^\d{3,6}$/.test(digits) && LISTED_COMPANY_BEFORE.test(name)) return true;
  return IN_BRACKETS.test(digits) && (bracket === '(' || STOCK_MOVED.test(after));
}

function isDayOfLove(source: TextCursor, digits: string, after: string): boolean {
  return DAY_OF_LOVE.test(digits) && DAY_OF_LOVE_AFTER.test(after) && DAY_OF_LOVE_BEFORE.test(textBefore(source));
}

/** Matches an identifier that begins with a digit: 5G, 104X, room 1203, bus 960. */
export function matchCode(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  const { text, at } = source;
  const digits = matchAt(NAMED_DIGITS, text, at);
  if (digits !== null) {
    const after = text.slice(at + digits[0].length, at + digits[0].length + MAX_LIST);
    const before = textBefore(source, MAX_LIST).replace(LISTED, '');
    const isNamed =
      ONE_BY_ONE.test(digits[0]) ||
      isStockInBrackets(source, digits[0], after) ||
      (NAMED_BEFORE.test(before) && !countsThings(before, after)) ||
      (digits[0].length <= 4 && MAKER_BEFORE.test(textBefore(source))) ||
      (/^(?!(?:19|20)\d\d$|\d*00$)\d{3,5}$/.test(digits[0]) &&
        LISTED_COMPANY_BEFORE.test(textBefore(source)) &&
        STOCK_AFTER.test(after)) ||
      (/^(?!(?:19|20)\d\d$|\d*000$|\d00$)\d{3,5}$/.test(digits[0]) &&
        LISTED_COMPANY_AFTER.test(after) &&
        !PAID_BEFORE.test(textBefore(source))) ||
      (/^(?!\d*00$)\d{3,5}$/.test(digits[0]) && QUOTED_AFTER.test(after) && !INDEX_BEFORE.test(textBefore(source))) ||
      (digits[0] === '101' && TAIPEI_BEFORE.test(textBefore(source))) ||
      isDayOfLove(source, digits[0], after) ||
      (digits[0] === '711' && (SHOP_BEFORE.test(textBefore(source)) || SHOP_AFTER.test(after))) ||
      (digits[0].length >= MIN_NAME_DIGITS && !digits[0].endsWith('000') && !/^ ?\p{Script=Latin}/u.test(after));
    const isEvent =
      NAMED_EVENT_AFTER.test(after) && !COUNTED.test(after) && digits[0].length === 3 && !digits[0].endsWith('00');
    const isRoute =
      digits[0].length === 3 &&
      !digits[0].endsWith('00') &&
      ROUTE_TO.test(after) &&
      (CLAUSE_BEFORE.test(textBefore(source)) || OFFERED_BEFORE.test(textBefore(source)));
    if (
      isEvent ||
      (FESTIVE_DAY.test(digits[0]) && FESTIVE_DAY_AFTER.test(after)) ||
      isRoute ||
      NAMED_AFTER.test(after.replace(NEXT_LISTED, '')) ||
      (isNamed && !COUNTED.test(after))
    ) {
      return tokenAt(source, digits[0].length, { kind: 'code', parts: digits[0].split('-').map(partOf) });
    }
  }
  // The letters of F.1-F.3 belong to the next number.
  const [hyphen] = matchAt(/\d+-/y, text, at) ?? [];
  if (
    hyphen !== undefined &&
    isBetweenCodes(textBefore(source) + hyphen.slice(0, -1), text.slice(at + hyphen.length, at + hyphen.length + 8))
  )
    return null;
  return code(source, DIGIT_CODE);
}
