import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ARPABET_PHONES } from '#packages/engines/builtin/decoder/arpabet.ts';
import type { EnglishTarget } from '#packages/engines/builtin/pronunciation/english/compare-words.ts';
import type { AcousticAnalysis } from '#packages/engines/builtin/pronunciation/types.ts';
import { isTestLearner } from '../../../eval/pronunciation/held-out.ts';

/** Ratings of a word by five raters. */
export type JudgedWord = {
  /** 0–1. */
  accuracy: number;
  /** By rater: expected phones, each 1 (good), 0.5 (accented) or 0 (wrong or missing). */
  raters: { phone: string; quality: number }[][];
};

/** A row of eng-learners-train.tsv with its line of .words.jsonl. */
type Learner = {
  file: string;
  text: string;
  speaker: string;
  /** Whether the speaker is excluded from training of the acoustic model. */
  isHeldOut: boolean;
  /** Shares, 0–1. */
  accuracy: number;
  fluency: number;
  completeness: number;
  total: number;
  words: JudgedWord[];
};

/** A recording with its analysis and target, as in the service. */
export type AnalyzedLearner = Learner & { analysis: AcousticAnalysis; target: EnglishTarget };

/** All sentences of RECORDINGS/eng-learners-train. */
export async function readLearners(recordings: string): Promise<Learner[]> {
  const judged = new Map<string, JudgedWord[]>();
  const lines = (await readFile(join(recordings, 'eng-learners-train.words.jsonl'), 'utf8')).trim().split('\n');
  for (const line of lines) {
    const { utt, words } = JSON.parse(line) as { utt: string; words: { accuracy: number; phones: string[] }[] };
    judged.set(
      utt,
      words.map(({ accuracy, phones }) => ({
        accuracy: accuracy / 10,
        raters: phones.map((ratings) => ratedPhones(ratings)),
      })),
    );
  }
  const table = (await readFile(join(recordings, 'eng-learners-train.tsv'), 'utf8')).trim().split('\n');
  const columns = (table[0] ?? '').split('\t');
  return table.slice(1).map((line) => {
    const cells = line.split('\t');
    const cell = (name: string): string => cells[columns.indexOf(name)] ?? '';
    const file = cell('file');
    return {
      file,
      text: cell('text'),
      speaker: cell('speaker'),
      isHeldOut: isTestLearner(cell('speaker')),
      accuracy: Number(cell('accuracy')) / 10,
      fluency: Number(cell('fluency')) / 10,
      completeness: Number(cell('completeness')),
      total: Number(cell('total')) / 10,
      words: judged.get(file.replace(/^.*\//, '').replace(/\.[a-z]+$/, '')) ?? [],
    };
  });
}

/** Raters' symbols that stand for two phones, or for a phone of another name. */
const SPELLED_OUT: Readonly<Record<string, readonly string[]>> = {
  TS: ['T', 'S'],
  DZ: ['D', 'Z'],
  TR: ['T', 'R'],
  DR: ['D', 'R'],
  IR: ['IH', 'R'],
  AR: ['AA', 'R'],
  OR: ['AO', 'R'],
  UR: ['UH', 'R'],
  AIR: ['EH', 'R'],
  OO: ['AO'],
  EE: ['IY'],
  AXR: ['ER'],
};

/** Parses `W {IY} (R) [L]`: accented, wrong or missing, inserted. */
function ratedPhones(rated: string): { phone: string; quality: number }[] {
  return rated
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .trim()
    .split(/\s+/)
    .flatMap((sign) => {
      const quality = sign.startsWith('(') ? 0 : sign.startsWith('{') ? 0.5 : 1;
      const name = sign.replaceAll(/[^A-Z]/g, '');
      return (SPELLED_OUT[name] ?? [name]).map((phone) => ({ phone, quality }));
    })
    .filter(({ phone }) => ARPABET_PHONES.includes(phone));
}
