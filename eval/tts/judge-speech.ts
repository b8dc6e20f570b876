import { createRandom } from '#packages/audio/vocoder/random.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addInRoom, addNoise, makeRoom } from '../diarization/room.ts';
import { readSet } from '../read-set.ts';
import { spread } from '../run.ts';
import { readSamples } from '../sound.ts';
import type { EngineLocation } from '../tasks.ts';
import { fitLikeness, likenessFeatures } from './human-likeness.ts';
import { sentencesToSpeak, speakToWav, type SynthesisStyle } from './spoken-set.ts';

/** Mean likeness to people, 0..1, of clips of one kind under one condition. */
export type LikenessRow = { what: string; condition: Condition; clips: number; likeness: number; accepted: number };

/** Controls: a judge that is fooled by a room or by noise judges the room. */
const CONDITIONS = ['clean', 'in a room', 'with noise', 'muffled'] as const;
type Condition = (typeof CONDITIONS)[number];

const CLIP_SECONDS = 6;
const TRAINING_CLIPS = 120;
const TEST_CLIPS = 48;
/** The formant voices that the judge learns from; it is tested on the others. */
const TRAINED_MODEL = 'espeak';
const TRAINING_VOICES = 3;
const TRAINING_LANGUAGES: readonly Language[] = ['cantonese', 'mandarin', 'english'];
const SENTENCES = 16;

type Voice = Parameters<typeof speakToWav>[2];
type Options = {
  /** Tables of recordings of people to learn from, and of others to test with. */
  people: readonly string[];
  testPeople: readonly string[];
  voices: readonly Voice[];
  /** Of the sentences that are judged. */
  language: Language;
  style: SynthesisStyle;
  folder: string;
};

/**
 * Trains a classifier of people and synthetic speech on statistics of clips, and tests it on other
 * people, other voices and other sentences, clean and under each control.
 */
export async function judgeSpeech(
  { people, testPeople, voices, language: judged, style, folder }: Options,
  place: EngineLocation,
): Promise<LikenessRow[]> {
  const random = createRandom(1);
  const known = voices.slice(0, TRAINING_VOICES);
  const other = voices.slice(TRAINING_VOICES);
  const spoken = async (model: string, by: readonly Voice[], languages: readonly Language[], from: number) => {
    const clips: Float32Array[] = [];
    for (const language of languages) {
      const sentences = (await sentencesToSpeak(language, from + SENTENCES)).slice(from);
      for (const voice of by)
        for (const [index, sentence] of sentences.entries()) {
          const path = join(folder, `${model}-${language}-${voice.id}-${index}.wav`);
          await writeFile(path, await speakToWav(sentence, language, voice, { ...style, model }, place));
          clips.push(await readSamples(path, CLIP_SECONDS));
        }
    }
    return clips;
  };
  const training = [
    ...(await recorded(people, TRAINING_CLIPS)).map((clip) => ({ clip, isHuman: true })),
    ...(await spoken(TRAINED_MODEL, known, TRAINING_LANGUAGES, 0)).map((clip) => ({ clip, isHuman: false })),
  ];
  const judge = fitLikeness(
    training.flatMap(({ clip, isHuman }) =>
      CONDITIONS.map((condition) => ({ features: likenessFeatures(under(condition, clip, random)), isHuman })),
    ),
  );
  const tested = {
    'other people': await recorded(testPeople, TEST_CLIPS),
    [`${TRAINED_MODEL}, other voices`]: await spoken(TRAINED_MODEL, other, [judged], SENTENCES),
    [`${style.model}, all voices`]: await spoken(style.model, voices, [judged], SENTENCES),
  };
  return Object.entries(tested).flatMap(([what, clips]) =>
    CONDITIONS.map((condition) => {
      const scores = clips.map((clip) => judge(likenessFeatures(under(condition, clip, random))));
      const likeness = scores.reduce((a, b) => a + b, 0) / scores.length;
      return { what, condition, clips: clips.length, likeness, accepted: share(scores) };
    }),
  );
}

const share = (scores: readonly number[]) => scores.filter((score) => score > 0.5).length / scores.length;

async function recorded(tables: readonly string[], count: number): Promise<Float32Array[]> {
  const clips: Float32Array[] = [];
  for (const table of tables) {
    const { items } = await readSet(table);
    for (const { path } of spread(items, Math.ceil(count / tables.length)))
      clips.push(await readSamples(path, CLIP_SECONDS));
  }
  return clips;
}

/** A clip under a condition, with its peak at full scale. */
function under(condition: Condition, clip: Float32Array, random: () => number): Float32Array {
  const peak = clip.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6);
  const sound = new Float32Array(clip.length);
  if (condition === 'in a room') addInRoom(sound, clip, 0, 1 / peak, makeRoom(random));
  else for (let i = 0; i < clip.length; i += 1) sound[i] = clip[i]! / peak;
  if (condition === 'with noise') addNoise(sound, -40 + 10 * random(), random);
  if (condition === 'muffled')
    for (let i = 1; i < sound.length; i += 1) sound[i] = 0.5 * sound[i]! + 0.5 * sound[i - 1]!;
  return sound;
}
