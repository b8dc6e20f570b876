import type { Language } from '@jyutsing/contracts/transcript';

const set = (words: string) => new Set(words.split(/\s+/u));

/** Acronyms that are read as words. */
const READ_AS_WORDS = set(
  'NASA NATO OPEC ASEAN APEC UNESCO UNICEF FIFA UEFA INTERPOL COVID SARS MERS AIDS EBOLA PIN SIM RAM ROM GIF JPEG LASER RADAR SONAR SCUBA VISA IKEA LEGO ' +
    'NIKE SONY LINE ZARA UNIQLO GUCCI DELL ACER ASUS INTEL NOKIA GOOGLE APPLE TESLA SWIFT TOEFL TOEIC IELTS STEM WIFI APP APPS CASH SALE FREE OPEN NEW ' +
    'HOT TOP OFF BIG BUY GET GO YES NO OH HI BYE HEY WOW UP ON IN TO OF THE AND FOR NOT YOU ARE ALL CAN BUT ONE TWO WAS HIS HER OUT DAY MAN BOY LOVE LIVE ' +
    'STOP HELP HELLO PLEASE SORRY THANK THANKS OKAY GOOD BAD NICE COOL BEST LAST NEXT MUST WITH THIS THAT FROM HAVE WILL WHAT WHEN WHY HOW SEE NOW ' +
    "SHE HE WE ME MY IT'S DON'T CALL TEXT MAIL ZOOM TEAM MENU CAFE BAR SPA GYM CAR BUS TAXI HONG KONG CHINA KOWLOON CITY MALL ROAD STREET PARK HOTEL BANK EXIT " +
    'GATE ROOM FLAT FLOOR WARNING DANGER NOTICE JAN FEB MAR APR JUN JUL AUG SEPT OCT NOV DEC MON TUE WED THU FRI SUN MR MRS MS DR ART FUN TOY TEA TAX BOX MAX PRO AIR',
);

/** Acronyms that are read letter by letter in any case. */
const READ_AS_LETTERS = set(
  'OK US UN EU UK UAE USA IT ID AI IQ EQ AQ VIP DIY CEO CFO CTO COO IPO ATM KOL DSE UFO FAQ AOL HIV IBM ICU IOC IOU ISO IVE OT OL UST HKUST HKU CUHK POLYU EDU ' +
    'HKEX HKIA ICAC EMBA IELP URL USB OLED UI UX EV TV PC CD DVD KTV MC DJ PR HR QR SOS GPS MTR KCR LRT BB AA GG IG FB APM IFC ICC SOGO HKTVE UPS FBI CIA USD EUR AED AUD SCMP RTHK TVB VIU RIP IGCSE ACCA HKICPA HKSAR HKEAA ETF ESG ASAP OOTD',
);

/** Acronyms that chats often write in lower case and that are read letter by letter. */
const SMALL_LETTERS = set(
  'ok mtr atm vip diy gps usb dna ceo hr pr kol dj mc tv pc cd dvd ktv ufo faq url qr gf bf bb ig fb yt wfh hk uk usa id iq eq phd dse bbq pdf ppt tvb kfc icu hkust omg lol btw fyi asap wtf brb cc ot aka nba gpu cpu wto mvp mba cfo cto gpt llm api sdk kpi seo ngo gdp cpi esg ipo etf hkd rmb usd sms vpn ssd suv bmw dhl nhk bbc cnn hbo npc fps rpg',
);

/** Acronyms of mixed case that are read letter by letter. */
const MIXED: Readonly<Record<string, string>> = {
  BSc: 'BSC',
  MSc: 'MSC',
  BEng: 'BENG',
  LLb: 'LLB',
  HKDSE: 'HKDSE',
  GHz: 'GHZ',
  iOS: 'IOS',
  pH: 'PH',
};
/** Capitals with one small letter among them: PhD, DTaP, IoT, but MoMA. */
const SMALL_WITHIN = /^(?:[A-Z]{1,2}[b-df-hj-np-tv-z][A-Z]{1,2}|[A-Z]{2}[a-z][A-Z]|[A-Z][aeiou][A-Z])$/;

/** Short names that begin with those of Hong Kong: hku, hkid. */
const OF_HONG_KONG = /^hk[a-z]{1,3}$/;

const ONSETS = set(
  'BL BR CH CL CR DR FL FR GL GR KL KR PH PL PR SC SCH SH SHR SK SL SM SN SP SPL SPR ST STR SW TH THR TR TW WH WR ZH KN QU',
);
const MIN_WORD_LENGTH = 4;

/**
 * Returns the letters of a Latin word that is read by its letters, in upper case (`MTR`, `ATMs` →
 * ATM with a plural); null for one that is read as a word. `isShouted`: the adjacent words are in
 * capitals too, so that capitals mean nothing.
 */
export function spelledLetters(word: string, isShouted: boolean): { letters: string; plural: boolean } | null {
  const mixed = Object.hasOwn(MIXED, word) ? MIXED[word] : undefined;
  if (mixed !== undefined) return { letters: mixed, plural: false };
  if (SMALL_WITHIN.test(word)) return { letters: word.toUpperCase(), plural: false };
  if (/^[A-Z][a-z]?[A-Z]s$/.test(word) && SMALL_WITHIN.test(word.slice(0, -1)))
    return { letters: word.slice(0, -1).toUpperCase(), plural: true };
  if (isFormula(word)) return { letters: word.toUpperCase(), plural: false };
  if (SMALL_LETTERS.has(word) || OF_HONG_KONG.test(word)) return { letters: word.toUpperCase(), plural: false };
  const plural = /^[A-Z]{2,5}s$/.test(word);
  const capitals = plural ? word.slice(0, -1) : word;
  if (!/^[A-Z]{2,12}$/.test(capitals)) return capitals === 'Ok' ? { letters: 'OK', plural: false } : null;
  if (READ_AS_LETTERS.has(capitals)) return { letters: capitals, plural };
  if (isShouted || READ_AS_WORDS.has(capitals) || isWordLike(capitals)) return null;
  return { letters: capitals, plural };
}

/** A syllable of English in capitals, with usual consonants at its end: PASS, TAG, ADD. */
const SYLLABLE =
  /^(?=.{4}|(?:ADD|BAN|CAP|CUT|FAX|FIT|FIX|GET|HIT|JAM|MIX|PIN|PUT|RUN|SET|TAG)$)(?:(?:BL|BR|CH|CL|CR|DR|FL|FR|GL|GR|PL|PR|QU|SC|SH|SK|SL|SM|SN|SP|ST|SW|TH|TR|TW|WH|WR|STR|[B-DF-HJ-NPR-TV-Z])[AEIOU]{1,2}|[AEIOU](?=.[A-Z]))(?:[BDGKLMNPRTX]|SS|SH|SK|ST|CH|CK|CT|DD|FF|FT|LD|LL|LP|LT|MP|ND|NG|NK|NT|PT|RD|RK|RM|RN|RP|RT|TCH|TH|ZZ)$/;
/** A time behind a day. */
const TIME_AFTER = /^ ?\d{1,2}(?::\d|\.\d\d ?[ap]| ?[ap]\.?m)/iu;
/** Aspects of a verb. */
const OF_VERB_AFTER = /^(?:咗|緊|过咗|過咗|晒|埋咗|完(?!全)|唔)/u;

/**
 * Whether a word in capitals is said and not spelt where it stands: 考試PASS咗 in Cantonese, SAT 9AM.
 */
export function isWordHere(word: string, before: string, after: string, language: Language): boolean {
  if (word === 'SAT') return TIME_AFTER.test(after);
  if (language !== 'cantonese') return false;
  if (!/^[A-Z]{3,7}$/.test(word) || READ_AS_LETTERS.has(word) || !SYLLABLE.test(word)) return false;
  return (
    (OF_VERB_AFTER.test(after) &&
      (!after.startsWith('唔') || after.startsWith('到', 1) || after.startsWith(word, 1))) ||
    before.endsWith(`${word}唔`)
  );
}

/** Longer words in capitals are rather words written large: #CHRISTMAS. */
const MAX_ACRONYM_LENGTH = 5;

/** The letters of a part of a hashtag, #OOTD, as `spelledLetters` returns them. */
export function lettersInHashtag(part: string): ReturnType<typeof spelledLetters> {
  return part.length > MAX_ACRONYM_LENGTH ? null : spelledLetters(part, false);
}

/** Chemical elements of one and of two letters that are common in formulas. */
const ELEMENT = /^(?:[HBCNOFPSKVIUW]|Li|Be|Na|Mg|Al|Si|Cl|Ca|Mn|Fe|Co|Ni|Cu|Zn|Br|Ag|Sn|Ba|Pb|Hg|Au|Ti|Cr)$/;

/** Whether a word of mixed case is the formula of a compound: NaCl, CaCO, but not CoCo. */
function isFormula(word: string): boolean {
  if (!/^[A-Z]+[a-z]/.test(word)) return false;
  const elements = word.match(/[A-Z][a-z]*/g) ?? [];
  return new Set(elements).size > 1 && elements.join('') === word && elements.every((element) => ELEMENT.test(element));
}

/** Whether a reader would try to pronounce it: it is long enough and its letters form syllables. */
function isWordLike(capitals: string): boolean {
  if (capitals.length < MIN_WORD_LENGTH || !/[AEIOUY]/.test(capitals)) return false;
  const onset = /^[^AEIOUY]*/.exec(capitals)?.[0] ?? '';
  if (onset.length > 1 && !ONSETS.has(onset)) return false;
  // HK is Hong Kong in a name: LIHKG.
  if (/[^AEIOUY]{4}|[AEIOU]{3}|Q(?!U)|HK/.test(capitals)) return false;
  return capitals.length > MIN_WORD_LENGTH || /[AEIOUY][^AEIOUY]+[AEIOUY]|[AEIOUY]{2}/.test(capitals);
}
