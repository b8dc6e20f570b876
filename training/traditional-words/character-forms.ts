import { join } from 'node:path';
import hongKongVariants from 'opencc-js/dict/HKVariants';
import shinjitai from 'opencc-js/dict/JPShinjitaiCharacters';
import toTraditional from 'opencc-js/dict/STCharacters';
import toSimplified from 'opencc-js/dict/TSCharacters';
import { USUAL_FORMS } from '#packages/text/script/hong-kong-forms.ts';
import { linesOf } from '../language-model/corpora.ts';
import { readSentences } from './read-sentences.ts';

/** How characters are written in Traditional and Simplified texts. */
export type CharacterForms = {
  /** A Traditional text in the characters that Hong Kong usually writes. */
  usual(text: string): string;
  /** Traditional character → its Simplified one, where they differ. */
  simplified: ReadonlyMap<string, string>;
  /** Another Traditional form of a character → the usual one: 説 → 說. */
  variants: ReadonlyMap<string, string>;
  /** A Japanese form that is no Chinese character in use → the Traditional one: 駅 → 驛. */
  shinjitai: ReadonlyMap<string, string>;
  /** All characters that a character of a Simplified text may stand for. */
  candidates: ReadonlySet<string>;
  /** Whether the Simplified form of a word leaves no character open. */
  isDecided(word: string): boolean;
};

/** A character that Simplified writing keeps in words of its own, and the sign of a currency. */
const KEPT = new Set(['著', '円']);
/** Traditional characters in Hong Kong that Big5 has in another form. */
const ALSO_TRADITIONAL = ['恒'];
/** A character that occurs as often in Traditional sentences is no slip of the pen. */
const MIN_COUNT = 8;

/** The Traditional characters of Big5, without the extensions, which hold Simplified forms too. */
function traditionalCharacters(): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = 0xa4; lead <= 0xf9; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const isTrail = trail <= 0x7e || trail >= 0xa1;
      const isExtension = lead === 0xc6 ? trail > 0xa0 : lead === 0xc7 || lead === 0xc8;
      if (isTrail && !isExtension && lead * 256 + trail <= 0xf9d5) bytes.push(lead, trail);
    }
  }
  return new Set(new TextDecoder('big5').decode(Uint8Array.from(bytes)));
}

/**
 * The characters of Traditional writing: those of Big5 that the lexicon has, and those of
 * sentences.
 */
export function charactersInUse(folder: string): ReadonlySet<string> {
  const lexicon = new Set(linesOf(join(folder, 'rime-lexicon.tsv')).map((line) => line.split('\t')[0] ?? ''));
  const counts = new Map<string, number>();
  for (const { text, isHeldOut } of readSentences(folder)) {
    if (!isHeldOut) for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const listed = [...traditionalCharacters()].filter((character) => lexicon.has(character));
  const frequent = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([character]) => character);
  return new Set([...listed, ...frequent, ...ALSO_TRADITIONAL]);
}

/** Old forms in OpenCC's table of Japanese characters, and the Chinese ones. */
const OLD_FORMS: Readonly<Record<string, string>> = { 澁: '澀', 鄕: '鄉', 鬭: '鬥', 鑛: '礦' };

/**
 * Traditional characters that Simplified writing keeps in some words only; OpenCC knows them by
 * word.
 */
const ALSO_SIMPLIFIED = [
  ['覆', '复'],
  ['藉', '借'],
  ['甦', '苏'],
] as const;

const pairsOf = (table: string): (readonly [string, string])[] =>
  table.split('|').map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return [from, to] as const;
  });

/** Reads the tables of OpenCC and the characters in use of the folder's lexicon. */
export function characterForms(folder: string): CharacterForms {
  const official = new Map(pairsOf(hongKongVariants));
  const usualOf = (character: string): string => {
    const form = official.get(character) ?? character;
    return USUAL_FORMS[form] ?? form;
  };
  const usual = (text: string) => Array.from(text, usualOf).join('');

  const simplified = new Map<string, string>();
  const reversed = pairsOf(toTraditional).map(([simple, traditional]) => [traditional, simple] as const);
  for (const [traditional, simple] of [...ALSO_SIMPLIFIED, ...pairsOf(toSimplified), ...reversed]) {
    const form = usualOf(traditional);
    if (form !== simple && !KEPT.has(form) && !simplified.has(form)) simplified.set(form, simple);
  }
  const inUse = charactersInUse(folder);
  const byKey = Map.groupBy(simplified.keys(), (character) => simplified.get(character)!);
  for (const [key, characters] of byKey) {
    if (inUse.has(key) && usualOf(key) === key) characters.push(key);
  }
  return {
    usual,
    simplified,
    variants: variantPairs([...official.keys(), ...Object.keys(USUAL_FORMS)], simplified, usualOf),
    shinjitai: shinjitaiPairs(simplified, inUse, usualOf),
    candidates: new Set([...byKey.values()].flat()),
    isDecided: (word) =>
      [...word].every((character) => (byKey.get(simplified.get(character) ?? character)?.length ?? 1) < 2),
  };
}

/** Variants that are not the Simplified form of the usual one, as 搵 has 揾. */
function variantPairs(
  forms: readonly string[],
  simplified: ReadonlyMap<string, string>,
  usualOf: (character: string) => string,
) {
  return new Map(
    forms
      .map((form) => [form, usualOf(form)] as const)
      .filter(([form, usual]) => form !== usual && simplified.get(usual) !== form),
  );
}

/** Japanese forms that are no Chinese character in use. */
function shinjitaiPairs(
  simplified: ReadonlyMap<string, string>,
  inUse: ReadonlySet<string>,
  usualOf: (character: string) => string,
) {
  const keys = new Set(simplified.values());
  return new Map(
    pairsOf(shinjitai)
      .map(([japanese, form]) => [japanese, usualOf(OLD_FORMS[form] ?? form)] as const)
      .filter(([form]) => form === usualOf(form) && !keys.has(form) && !inUse.has(form) && !KEPT.has(form)),
  );
}
