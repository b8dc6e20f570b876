import { readFileSync } from 'node:fs';
import type { Language } from '@jyutsing/contracts/transcript';
import { boundaryFeatures } from './boundary-features.ts';
import { oddsOf, regressionOf, type Regression, type StoredRegression } from './regression.ts';

const TOKEN = /[\p{Script=Latin}\d]+|\p{Script=Han}/gu;

/**
 * Clause ends by the characters on both sides. `characters`: those that count as another one,
 * because it is their Simplified form or writes the same word. A table of its own, because OpenCC's
 * take 30 MB of the process that answers requests.
 */
export type ClauseModel = Regression & { characters: ReadonlyMap<string, string> };

/** As JSON; `characters` in pairs. */
export type StoredClauseModel = StoredRegression & { characters: string };

export function clauseModelOf({ characters, ...regression }: StoredClauseModel): ClauseModel {
  const pairs = characters.match(/../gu) ?? [];
  return { ...regressionOf(regression), characters: new Map(pairs.map((pair) => [pair[0]!, pair[1]!])) };
}

let shipped: ClauseModel | null = null;

/** Fitted by training/clause-ends/fit.ts; loaded on first use. */
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
