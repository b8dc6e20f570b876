import { performance } from 'node:perf_hooks';
import { median } from '@jyutsing/numeric/statistics';
import { summarizeText } from '@jyutsing/text/summary/summarize-text';
import { inForm, seededRandom, type Form, type KeyedTranscript } from './transcripts.ts';

const WARM_UP_RUNS = 3;
const MEASURED_RUNS = 7;
/** Words, or characters of Chinese and Japanese, in an hour of speech. */
const SIZES_OF_AN_HOUR = { words: 9_000, characters: 15_000 };

export type SpeedRow = {
  language: string;
  form: Form;
  hours: number;
  size: number;
  medianMs: number;
  slowestMs: number;
};

/**
 * Measures summarizing hours of speech. The text consists of the transcripts' words in random
 * order, as repeated sentences would be processed only once.
 */
export async function measureSpeed(
  transcripts: readonly KeyedTranscript[],
  form: Form,
  hours: number,
): Promise<SpeedRow> {
  const { language } = transcripts[0]!;
  const spaced = language === 'english' || language === 'korean';
  const size = hours * (spaced ? SIZES_OF_AN_HOUR.words : SIZES_OF_AN_HOUR.characters);
  const text = inForm(
    { name: 'speed', language, title: null, sentences: sentencesOfSize(transcripts, spaced, size) },
    form,
  );
  const runMs = async () => {
    const startedMs = performance.now();
    await summarizeText(text, { language });
    return performance.now() - startedMs;
  };
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await runMs();
  const timesMs: number[] = [];
  for (let run = 0; run < MEASURED_RUNS; run += 1) timesMs.push(await runMs());
  return { language, form, hours, size, medianMs: median(timesMs), slowestMs: Math.max(...timesMs) };
}

function sentencesOfSize(transcripts: readonly KeyedTranscript[], spaced: boolean, size: number) {
  const texts = transcripts.flatMap(({ sentences }) => sentences.map(({ text }) => text));
  const words = texts.flatMap((text) => (spaced ? text.split(' ') : (text.match(/.{1,3}/gu) ?? [])));
  const random = seededRandom(size);
  const sentences: { text: string; isKey: boolean }[] = [];
  for (let made = 0; made < size;) {
    const length = 5 + Math.floor(random() * 16);
    const picked = Array.from({ length }, () =>
      words[Math.floor(random() * words.length)]!.replace(/[.。?？!！]/g, ''),
    );
    const text = picked.join(spaced ? ' ' : '');
    made += spaced ? length : text.length;
    sentences.push({ text: `${text}${spaced ? '.' : '。'}`, isKey: false });
  }
  return sentences;
}
