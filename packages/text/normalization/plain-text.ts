import type { Language } from '@jyutsing/contracts/transcript';
import { foldCharacters } from '#text/script/fold-characters.ts';
import { readingForm } from '#text/script/reading-form.ts';
import { withoutFillers } from '#text/script/keep-positions.ts';
import { plainLetters } from '#text/script/plain-letters.ts';
import { withoutMarkup } from './markup.ts';

/**
 * Characters that stand for an ASCII one; each is one UTF-16 unit, so that positions stay valid.
 */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  '−': '-',
  '‐': '-',
  '‑': '-',
  '﹣': '-',
  '’': "'",
  '‘': "'",
  '％': '%',
  '﹪': '%',
  '＄': '$',
  '﹩': '$',
  '￡': '£',
  '￥': '¥',
  '￦': '₩',
  '＋': '+',
  '－': '-',
  '／': '/',
  '⁄': '/',
  '∕': '/',
  '＝': '=',
  '＆': '&',
  '＃': '#',
  '＠': '@',
  '＿': '_',
  '＜': '<',
  '＞': '>',
  '○': '〇',
};
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ−‐‑﹣’‘％﹪＄﹩￡￥￦＋－／⁄∕＝＆＃＠＿＜＞○]/gu;
const FULL_WIDTH_OFFSET = 0xff01 - 0x21;
/** Full-width marks within numbers and addresses: ３：３０, 1，000, ａｂｃ．ｃｏｍ, not 1．A. */
const MARK_IN_NUMBER =
  /(?<=\d)[：．](?=\d)|(?<=[a-z\d])．(?=(?:[a-z\d-]{1,62}．){0,4}(?:com|org|net|edu|gov|hk|cn|tw)(?![a-z\d]))|(?<=(?<![\d双雙])\d{1,3}(?:，\d{3})*)，(?=\d{3}(?!\d|大促|[购購]物|路[公电電]|[号號]))/giu;
/** A full-width space between groups of digits, of a telephone number. */
const SPACE_IN_NUMBER = /(?<=\d)\u3000(?=\d)/gu;
/** A decimal point in the middle of the line, before a unit: 1·78米. */
const MIDDLE_POINT =
  /(?<=\d)[·‧](?=\d+ ?(?:[米厘公尺呎吋磅斤倍元蚊萬万億亿度折秒升吨噸克千百里寸]|[兩两](?!\p{Script=Han})|年(?![代度級级])|天(?![津安])|[周週](?!年)|小[時时]|平[方米]|海里|立方))/gu;
const MARKS: Readonly<Record<string, string>> = { '：': ':', '．': '.', '，': ',' };

/**
 * The text without markup, with the characters that people see (see `foldCharacters`,
 * `plainLetters`), full-width letters, digits and signs as ASCII, and unless it is Mandarin with
 * the Traditional characters that Simplified ones stand for; every UTF-16 unit keeps its position.
 */
export function plainText(text: string, language: Language): string {
  const plain = plainLetters(withoutMarkup(text))
    .replace(FULL_WIDTH, (char) => WRITTEN_FOR[char] ?? String.fromCharCode(char.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(MARK_IN_NUMBER, (char) => MARKS[char] ?? char)
    .replace(SPACE_IN_NUMBER, ' ')
    .replace(MIDDLE_POINT, '.');
  return language === 'mandarin' ? foldCharacters(plain) : readingForm(plain);
}

/** A plain text as patterns of words and numbers match it; positions are not those of the text. */
export function visibleText(text: string, language: Language): string {
  return withoutFillers(plainText(text, language)).text;
}
