import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';

export const HALVES = ['test', 'development'] as const;
export type Half = (typeof HALVES)[number];

/** Forms of a transcript. Captions have no punctuation; lines end at pauses or anywhere. */
export const FORMS = ['punctuated', 'captions at pauses', 'captions anywhere'] as const;
export type Form = (typeof FORMS)[number];

/** Talk with annotated key sentences. */
export type KeyedTranscript = {
  name: string;
  language: SummaryLanguage;
  /** Video title; null if the file has none. */
  title: string | null;
  sentences: { text: string; isKey: boolean }[];
};

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const LANGUAGE_CODES: Readonly<Record<string, SummaryLanguage>> = {
  yue: 'cantonese',
  cmn: 'mandarin',
  eng: 'english',
  jpn: 'japanese',
  kor: 'korean',
};

/**
 * Reads the transcripts of one half: one sentence per line, `[3] ` before key sentences (see
 * transcripts/keying.md), `# ` before a title on the first line. Throws AppError for an unknown
 * language.
 */
export async function readTranscripts(half: Half): Promise<KeyedTranscript[]> {
  const folder = join(import.meta.dirname, 'transcripts', half);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const language = LANGUAGE_CODES[name.slice(0, 3)];
      if (language === undefined) throw new AppError('invalid_parameter', `${name}: unknown language code.`);
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line.trim() !== '');
      const title = lines[0]?.startsWith('# ') === true ? lines.shift()!.slice(2) : null;
      const sentences = lines.map((line) => ({ text: line.replace(/^\[\d+\] /, ''), isKey: /^\[\d+\] /.test(line) }));
      return { name: name.replace('.txt', ''), language, title, sentences };
    }),
  );
}

/** The text in a form. Caption lines have 5–12 words or 8–18 characters; deterministic. */
export function inForm({ language, sentences }: KeyedTranscript, form: Form): string {
  const spaced = language === 'english' || language === 'korean';
  const gap = spaced ? ' ' : '';
  if (form === 'punctuated') return sentences.map(({ text }) => text).join(gap);
  const random = seededRandom(sentences.length);
  if (form === 'captions anywhere') {
    return linesOf(sentences.map(({ text }) => bareText(text, spaced)).join(gap), spaced, random).join('\n');
  }
  return sentences
    .flatMap(({ text }) => text.split(/(?<=[，。、,.?!？！])\s*/u))
    .flatMap((clause) => clauseLines(bareText(clause, spaced), spaced))
    .join('\n');
}

/** Removes punctuation and capitals, as in automatic captions. */
export function bareText(text: string, spaced: boolean): string {
  const words = text.replace(/[^\p{L}\p{M}\d'’ ]+/gu, spaced ? ' ' : '');
  return words.replace(/ +/g, ' ').trim().toLowerCase();
}

/** Breaks a clause into lines of similar length between words. */
function clauseLines(clause: string, spaced: boolean): string[] {
  const segments = Array.from(WORDS.segment(clause), ({ segment }) => segment);
  const words = spaced ? clause.split(' ') : segments;
  const total = spaced ? words.length : clause.length;
  const count = Math.ceil(total / (spaced ? 12 : 18));
  const lines: string[] = [];
  let size = 0;
  for (const word of words) {
    const line = Math.min(count - 1, Math.floor((size * count) / total));
    lines[line] = lines[line] === undefined ? word : `${lines[line]}${spaced ? ' ' : ''}${word}`;
    size += spaced ? 1 : word.length;
  }
  return lines.filter((line) => line !== undefined && line.trim() !== '');
}

function linesOf(text: string, spaced: boolean, random: () => number): string[] {
  const parts = spaced ? text.split(' ') : Array.from(text);
  const lines: string[] = [];
  for (let at = 0; at < parts.length;) {
    const size = spaced ? 5 + Math.floor(random() * 8) : 8 + Math.floor(random() * 11);
    lines.push(parts.slice(at, at + size).join(spaced ? ' ' : ''));
    at += size;
  }
  return lines.filter((line) => line !== '');
}

/** Seeded random numbers in [0, 1) (linear congruential generator, Numerical Recipes). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
