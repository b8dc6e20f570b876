import { join } from 'node:path';
import { boundaryFeatures } from '#packages/text/boundaries/boundary-features.ts';
import { clauseTokens, type ClauseModel } from '#packages/text/boundaries/clause-odds.ts';
import { toSimplified } from '#packages/text/script/convert-script.ts';
import type { Boundary } from '../../eval/summary/cut-training.ts';
import { readTranscripts } from '../../eval/summary/transcripts.ts';
import { corpusSpelling } from '../language-model/cantonese-spelling.ts';
import { readCantoneseSentences } from '../language-model/corpora-yue.ts';
import { foldOf, linesOf } from '../language-model/corpora.ts';

/** A text as its clauses, without marks. */
export type ClauseText = { source: string; isHeldOut: boolean; clauses: string[] };

/** Neighbouring clauses of the conversations that are held out together. */
const BLOCK = 100;
const HELD_OUT_EACH = 7;
const MARKS = /[，。、,.?!？！；;：:…]+/u;

/**
 * The texts of `folder` (`hkcancor.tsv`: a clause in each line, `commonvoice-yue.txt`: a sentence
 * in each line) and the Chinese talks of the summary evaluation. One block of the conversations in
 * seven, one sentence in seven and the test half of the talks are held out.
 */
export async function readClauses(folder: string): Promise<ClauseText[]> {
  const spoken = readCantoneseSentences(folder).filter(({ source }) => source === 'hkcancor');
  const texts: ClauseText[] = [];
  for (let from = 0; from < spoken.length; from += BLOCK) {
    const clauses = spoken.slice(from, from + BLOCK).map(({ pieces }) => pieces.join(''));
    texts.push({ source: 'HKCanCor', isHeldOut: (from / BLOCK) % HELD_OUT_EACH === 0, clauses });
  }
  // Sentences of a letter follow each other in the file; neighbours should tell nothing.
  const sentences = linesOf(join(folder, 'commonvoice-yue.txt'))
    .map((line, index) => ({ line, place: (index * 7_919) % 7_417 }))
    .toSorted((one, other) => one.place - other.place);
  for (const isHeldOut of [false, true]) {
    const halfSentences = sentences.filter(({ line }) => (foldOf(line) % HELD_OUT_EACH === 0) === isHeldOut);
    texts.push({
      source: 'Common Voice',
      isHeldOut,
      clauses: halfSentences.flatMap(({ line }) => corpusSpelling(line).split(MARKS)),
    });
  }
  for (const half of ['development', 'test'] as const) {
    for (const { language, sentences: transcript } of await readTranscripts(half)) {
      if (language !== 'cantonese' && language !== 'mandarin') continue;
      const clauses = transcript.flatMap(({ text }) => text.split(MARKS));
      texts.push({ source: `invented talks, ${language}`, isHeldOut: half === 'test', clauses });
    }
  }
  return texts;
}

/** Spellings of one word; the first counts. */
const VARIANTS = ['畀俾', '啊呀', '咁噉', '啦喇', '囉咯囖', '喎㖞', '嚟黎'];
const FIRST_HAN = 0x34_00;
const LAST_HAN = 0x9f_ff;

/** The characters that count as another one; see `ClauseModel`. */
export function standardCharacters(): Map<string, string> {
  const usual = new Map(VARIANTS.flatMap(([to, ...from]) => from.map((char) => [char, to!])));
  const characters = new Map<string, string>();
  for (let code = FIRST_HAN; code <= LAST_HAN; code += 1) {
    const char = String.fromCodePoint(code);
    const standard = toSimplified(usual.get(char) ?? char);
    if (standard !== char && standard.length === 1) characters.set(char, standard);
  }
  return characters;
}

/** All positions between two tokens of a text. */
export function positionsOf({ clauses }: ClauseText, characters: ClauseModel['characters']): Boundary[] {
  const tokens: string[] = [];
  const ends = new Set<number>();
  for (const clause of clauses) {
    tokens.push(...clauseTokens(clause, characters));
    ends.add(tokens.length - 1);
  }
  return tokens.slice(0, -1).map((_, index) => ({
    features: boundaryFeatures(tokens, index, 'characters'),
    closes: 0,
    opens: 0,
    ends: ends.has(index) ? 'clause' : null,
  }));
}
