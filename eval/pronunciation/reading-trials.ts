import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { createSpokenJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { asTable, type TableFormat } from '../report.ts';
import type { EngineLocation } from '../tasks.ts';
import { speakToWav } from '../tts/spoken-set.ts';
import { analyzeRecording } from './analyze-recording.ts';

const TABLE = new URL('../../packages/text/testing/tables/readings-in-context.tsv', import.meta.url);
/** Shorter texts have no place for two wrong words. */
const MIN_CHARACTERS = 5;
/** Everyday words of one character, which take the places of two others. */
const WRONG_WORDS = ['山', '飛', '紙', '橙', '月', '狗'];

/** A text with a character that is read by its context, and how it is said. */
export type ReadingSentence = { text: string; jyutping: string };

/** A sentence in one of our voices with the scores of its text and of one with two wrong words. */
export type ReadingTrial = { text: string; voice: string; score: number; wrongText: string; wrongScore: number };

/**
 * Sentences of the reviewed table of readings in context, evenly chosen. Their marked character has
 * the reading of the table, whatever the dictionary says.
 */
export function readingSentences(count: number): ReadingSentence[] {
  const read = createSpokenJyutping();
  const sentences = new Map<string, string>();
  for (const row of readFileSync(TABLE, 'utf8').trim().split('\n').slice(1)) {
    const [, readings = '', texts = ''] = row.split('\t');
    for (const marked of texts.split(' ')) {
      const text = marked.replaceAll(/[{}]/gu, '');
      const at = Array.from(marked.slice(0, marked.indexOf('{'))).length;
      const syllables = read(text).map(({ jyutping }) => jyutping ?? '');
      if (syllables.length < MIN_CHARACTERS || !/^\p{Script=Han}+$/u.test(text)) continue;
      const isRead = readings.split('/').includes(syllables[at]!);
      sentences.set(text, syllables.with(at, isRead ? syllables[at]! : readings.split('/')[0]!).join(' '));
    }
  }
  const all = [...sentences].map(([text, jyutping]) => ({ text, jyutping }));
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]!);
}

/** A text with other words at a third and at two thirds of its length. */
export function withWrongWords(text: string, index: number): string {
  const characters = Array.from(text);
  const unused = WRONG_WORDS.filter((word) => !text.includes(word));
  for (const [turn, share] of [1 / 3, 2 / 3].entries()) {
    characters[Math.floor(share * characters.length)] = unused[(index + turn) % unused.length]!;
  }
  return characters.join('');
}

/** Speaks the sentences with alternating voices and scores each. */
export async function runReadingTrials(
  input: { sentences: readonly ReadingSentence[]; voices: readonly SynthesisVoice[]; model: string },
  scorer: Scorer,
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<ReadingTrial[]> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-readings-'));
  const trials: ReadingTrial[] = [];
  try {
    const path = join(folder, 'sentence.wav');
    for (const [index, { text, jyutping }] of input.sentences.entries()) {
      const voice = input.voices[index % input.voices.length]!;
      const style = { model: input.model, temperature: 0.9, jyutping };
      await writeFile(path, await speakToWav(text, 'cantonese', voice, style, place));
      const analysis = await analyzeRecording(scorer, path);
      const wrongText = withWrongWords(text, index);
      const scoreOf = async (target: string) =>
        'refused' in analysis ? 0 : scorer.assess(analysis, await readTarget(target, 'cantonese')).score;
      trials.push({
        text,
        voice: voice.id,
        score: await scoreOf(text),
        wrongText,
        wrongScore: await scoreOf(wrongText),
      });
      onProgress(index + 1);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return trials;
}

/** A table of how many pass, and the texts whose result is wrong. */
export function readingReport(trials: readonly ReadingTrial[], format: TableFormat): string {
  const shareOf = (count: number) => `${count} (${((100 * count) / trials.length).toFixed(1)} %)`;
  const failed = trials.filter(({ score }) => !isPassed(score));
  const accepted = trials.filter(({ wrongScore }) => isPassed(wrongScore));
  const table = asTable(
    ['readings by context', 'sentences', 'pass', 'pass with two wrong words'],
    [['in our voices', String(trials.length), shareOf(trials.length - failed.length), shareOf(accepted.length)]],
    format,
  );
  const lines = [
    ...failed.map(({ text, voice, score }) => `failed: ${text} (${voice}) ${score.toFixed(0)}`),
    ...accepted.map(({ text, wrongText, wrongScore }) => `passed: ${wrongText} for ${text} ${wrongScore.toFixed(0)}`),
  ];
  return [table, ...lines].join('\n');
}

function isPassed(score: number): boolean {
  return score >= PASS_MARKS.cantonese;
}
