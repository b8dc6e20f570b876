import { readFileSync } from 'node:fs';
import type { Language } from '@jyutsing/contracts/transcript';
import { boundaryFeatures } from './boundary-features.ts';
import { oddsOf, regressionOf, type Regression, type StoredRegression } from './regression.ts';

const TOKEN = /[\p{Script=Latin}\d]+|\p{Script=Han}/gu;

/**
 * Predicts clause ends from the characters on both sides. `characters` maps a character to the one
 * that counts in its place: its Simplified form, or another way to write the same word. The model
 * has this table because OpenCC's take 30 MB of the process that answers requests.
 */
export type ClauseModel = Regression & { characters: ReadonlyMap<string, string> };

/** The model as JSON; `characters` is one text of pairs. */
export type StoredClauseModel = StoredRegression & { characters: string };

export function clauseModelOf({ characters, ...regression }: StoredClauseModel): ClauseModel {
  const pairs = characters.match(/../gu) ?? [];
  return { ...regressionOf(regression), characters: new Map(pairs.map((pair) => [pair[0]!, pair[1]!])) };
}

let shipped: ClauseModel | null = null;

/** The model that training/clause-ends/fit.ts fitted; loaded on first use. */
export function shippedClauseModel(): ClauseModel {
  const path = new URL('../../../models/clause-ends/weights.json', import.meta.url);
  return (shipped ??= clauseModelOf(JSON.parse(readFileSync(path, 'utf8')) as StoredClauseModel));
}

/** The text as the model sees it: Simplified characters, and Latin words in lower case. */
export function clauseTokens(text: string, characters: ClauseModel['characters']): string[] {
  const tokens = text.toLowerCase().match(TOKEN) ?? [];
  return tokens.map((token) => characters.get(token) ?? token);
}

/**
 * Log-odds that a clause ends after each word of a Chinese text without marks, from the words
 * alone; null for English. The last word has odds of 0, because nothing is known of what follows.
 */
export function clauseOdds(words: readonly string[], language: Language, model?: ClauseModel): number[] | null {
  if (language === 'english') return null;
  const clauseModel = model ?? shippedClauseModel();
  const tokens = clauseTokens(words.join('\n'), clauseModel.characters);
  let end = 0;
  return words.map((word) => {
    // Marks and spaces are no tokens. Lower case can have more tokens: İ is one, i̇ is two.
    end += word.toLowerCase().match(TOKEN)?.length ?? 0;
    return end === 0 || end >= tokens.length ? 0 : oddsOf(clauseModel, boundaryFeatures(tokens, end - 1, 'characters'));
  });
}
