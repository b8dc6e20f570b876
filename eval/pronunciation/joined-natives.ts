import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { createRandom } from '#packages/numeric/random.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speechOf } from '../clips.ts';
import { readSamples } from '../sound.ts';
import { TEST_SPEAKER_CMN } from './held-out.ts';
import { canonicalSyllable } from './minimal-pairs.ts';
import type { NativeSet, NativeSpeech } from './native-trials.ts';
import { readTable } from './tables.ts';

/** Words and syllables of two women. */
const TABLE = 'cmn-words';
const SENTENCES = 150;
const FEWEST_SYLLABLES = 5;
const SEED = 11;
const BETWEEN = silence(40);
const AROUND = silence(200);

type Word = { path: string; text: string };
type ReadWord = Word & { units: readonly TargetSyllable[]; speech: Float32Array };

/**
 * Recordings of Mandarin words, and of syllables by a woman whom no model knows, joined to
 * sentences of five to eight syllables, because no sentences of natives exist: each word keeps the
 * tones in which it was said alone. Written into the folder; always the same. Null without the
 * table.
 */
export async function joinNatives(
  folders: readonly string[],
  limit: number,
  folder: string,
): Promise<NativeSet[] | null> {
  const table = await readTable(folders, TABLE);
  if (table === null) return null;
  const words: Word[] = [];
  const syllables: Word[] = [];
  for (const { file = '', text = '', pinyin = '', speaker } of table.rows) {
    const path = join(table.folder, file);
    const syllable = canonicalSyllable('mandarin', pinyin);
    if (speaker !== TEST_SPEAKER_CMN && /^\p{Script=Han}{2,3}$/u.test(text)) words.push({ path, text });
    if (speaker === TEST_SPEAKER_CMN && syllable !== null) syllables.push({ path, text: syllable });
  }
  const count = Math.min(limit, SENTENCES);
  const sets: NativeSet[] = [];
  for (const [name, list] of [
    ['sentences joined of words by the Mandarin voice trained on', words],
    ['sentences joined of syllables by a Mandarin voice never trained on', syllables],
  ] as const) {
    if (list.length === 0) continue;
    const prefix = join(folder, `joined-${sets.length}`);
    sets.push({ name, language: 'mandarin', recordings: await joinSentences(list, count, prefix) });
  }
  return sets;
}

async function joinSentences(words: readonly Word[], count: number, prefix: string): Promise<NativeSpeech[]> {
  const random = createRandom(SEED);
  const sentences: NativeSpeech[] = [];
  while (sentences.length < count) {
    const least = FEWEST_SYLLABLES + Math.floor(2 * random());
    const chosen: ReadWord[] = [];
    while (chosen.flatMap(({ units }) => units).length < least) {
      chosen.push(await read(words[Math.floor(random() * words.length)]!));
    }
    const path = `${prefix}-${sentences.length}.wav`;
    const sound = joinSamples([AROUND, ...chosen.flatMap(({ speech }) => [speech, BETWEEN]), AROUND]);
    await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [sound] }));
    const text = chosen.map((word) => word.text).join(' ');
    sentences.push({ path, text, units: chosen.flatMap(({ units }) => units) });
  }
  return sentences;
}

/** A word of the table; without units if it has more than syllables, or no speech. */
async function read(word: Word): Promise<ReadWord> {
  const { units } = /\p{Script=Han}/u.test(word.text)
    ? await readTarget(word.text, 'mandarin')
    : { units: [{ kind: 'syllable' as const, text: word.text, readings: [word.text], afterPause: false }] };
  const syllables = units.filter((unit) => unit.kind === 'syllable');
  const speech = await speechOf(await readSamples(word.path));
  return { ...word, units: speech.length > 0 && syllables.length === units.length ? syllables : [], speech };
}

function silence(ms: number): Float32Array {
  return new Float32Array((ms / 1_000) * RECOGNIZER_SAMPLE_RATE_HZ);
}
