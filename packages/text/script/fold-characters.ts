import { readFileSync } from 'node:fs';
import { FILLER, keepPositions } from './keep-positions.ts';

/**
 * Radicals of the supplement by the character that they look like: each is followed by its own. The
 * others are strokes that are no word.
 */
const RADICALS =
  '⺁厂⺄乙⺅人⺆冂⺇几⺈刀⺉刀⺊卜⺋卩⺌小⺍小⺎兀⺏尢⺐尢⺑尢⺒巳⺓幺⺔彐⺕彐⺖心⺗心⺘手⺙攵⺛旡⺜日⺝月⺞歹⺟母⺠民⺡水⺢水⺣火⺤爪⺥爪⺦爿⺧牛⺨犬⺩王⺪疋⺫目⺬示⺭示⺮竹⺯糸⺰糸' +
  '⺱网⺲网⺳网⺴网⺵网⺶羊⺷羊⺸羊⺹老⺺聿⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衣⻃西⻄西⻅见⻆角⻇角⻈言⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏邑⻐金⻑長⻒長⻓长⻔门⻕阜⻖阜⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟食⻠食' +
  '⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫齊⻬齐⻭齒⻮齿⻯龍⻰龙⻱龜⻲龜⻳龟';
/** Numerals of old Chinese accounts and menus, strokes, and letters that look like 一. */
const NUMERALS = '〡一〢二〣三〤四〥五〦六〧七〨八〩九〸十〹廿〺卅㇐一㇠乙ㄧ一';
/** Old forms of radicals among the Kangxi radicals. */
const OLD_FORMS = '靑青黃黃';

const pairsOf = (pairs: string): [string, string][] =>
  Array.from(pairs.matchAll(/(.)(.)/gsu), ([, from = '', to = '']) => [from, to]);

const LOOKS = new Map([...pairsOf(RADICALS), ...pairsOf(NUMERALS)]);
const OLD = new Map(pairsOf(OLD_FORMS));

/**
 * Characters that Hong Kong's systems kept in the private area before Unicode had them: a line has
 * the first code point, then the characters of it and the next ones. Made by
 * training/traditional-words/write_hkscs.py.
 */
const PRIVATE_TABLE = new URL('./hkscs-private.txt', import.meta.url);

/**
 * Characters that are looked up: radicals, strokes, letters that look like characters,
 * compatibility characters, signs in circles, private characters.
 */
const FOLDED =
  /[\u2E80-\u2EF3\u2F00-\u2FD5\u3021-\u3029\u3038-\u303A\u3127\u31D0\u31E0\u3229-\u3247\u328A-\u32B0\u24B6-\u24E9\uE000-\uF848\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/u;
/** The letter O and signs like it between Chinese digits: 二O二六年, 三0二室. */
const ZERO =
  /(?<=[〇零一二三四五六七八九])[OoΟοОоＯｏ○◯0０]+(?=[〇零一二三四五六七八九年後后])|(?<![A-Za-z\d])[OoＯ]{2}(?=[後后])/gu;

const HAN = /\p{Script=Han}/u;
const VARIATION_SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

let openedPrivate: ReadonlyMap<string, string> | null = null;

/**
 * Folds characters that people see as others to those: characters copied from PDFs (⾹港, 金), signs
 * in circles (㊙), letters for 〇 (二O二六年), HKSCS as private characters. Every UTF-16 unit keeps its
 * position: where a character of two units would stand for one, it stays as it was
 * (`privateCharacters`).
 */
export function foldCharacters(text: string): string {
  const folded = FOLDED.test(text) ? keepPositions(text, (characters) => characters.map(foldCharacter)) : text;
  return folded.replace(ZERO, (zeros) => '〇'.repeat(zeros.length));
}

function foldCharacter(character: string): string {
  if (!FOLDED.test(character)) return character;
  const look = LOOKS.get(character) ?? privateCharacters().get(character);
  if (look !== undefined) return look;
  const [first = '', second = '', third] = character.normalize('NFKC').match(/./gsu) ?? [];
  const plain = first === '(' && third === ')' ? second : first;
  return OLD.get(plain) ?? plain;
}

/** Characters of HKSCS by their private character. */
export function privateCharacters(): ReadonlyMap<string, string> {
  openedPrivate ??= readPrivateCharacters();
  return openedPrivate;
}

function readPrivateCharacters(): Map<string, string> {
  const characters = new Map<string, string>();
  for (const line of readFileSync(PRIVATE_TABLE, 'utf8').trimEnd().split('\n')) {
    const [code = '', run = ''] = line.split(' ');
    for (const [index, character] of Array.from(run).entries()) {
      characters.set(String.fromCharCode(Number.parseInt(code, 16) + index), character);
    }
  }
  return characters;
}

/** Whether each character of a written text is one Chinese character, whatever its code point. */
export function isChinese(written: string): boolean {
  return Array.from(foldCharacters(written.replaceAll(VARIATION_SELECTORS, ''))).every(
    (character) => HAN.test(character) || character === FILLER || privateCharacters().has(character),
  );
}

/** A text with all its characters of HKSCS; positions change where they have two units. */
export function withPrivateCharacters(text: string): string {
  return text.replaceAll(/\p{Co}/gu, (character) => privateCharacters().get(character) ?? character);
}
