import { basename, dirname, join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { findVoices } from '../diarization/find-voices.ts';
import { readSet } from '../read-set.ts';
import { spread } from '../run.ts';
import { readSamples } from '../sound.ts';
import type { EngineLocation } from '../tasks.ts';
import { JUDGED_CLIP_SECONDS, JUDGED_RATE_HZ } from './human-likeness.ts';
import { sentencesToSpeak, speakToWav, type SynthesisStyle } from './spoken-set.ts';

/** A clip without silence at its ends; `speaker` is null if unknown. */
export type LikenessClip = { samples: Float32Array; speaker: string | null };

/**
 * Half of the recordings and sentences: `test` is reported, `development` may be looked at while
 * judges are made.
 */
export type Half = 'test' | 'development';

/** Tables with speakers that the judges learnt from; the others are in the group `held-out`. */
const LEARNT_TABLES: readonly string[] = ['eng-learners-train', 'eng-speakers'];
const MOST_RECORDINGS = 60;
const SENTENCES = 8;
/** Sentences of the development half come after these. */
const TEST_SENTENCES = 60;
const WINDOW = JUDGED_RATE_HZ / 100;
/** Level below the loudest window at which sound at both ends is cut off. */
const QUIET_SHARE = 0.03;
/** Shorter clips say too little. */
const MIN_SECONDS = 0.8;

/** Clips of a table of recordings, one a recording; of speakers that no judge has learnt from. */
export async function recordedClips(table: string, half: Half): Promise<LikenessClip[]> {
  const name = basename(table, '.tsv');
  const { items } = await readSet(table);
  const unseen = LEARNT_TABLES.includes(name)
    ? new Set(
        (await findVoices([dirname(table)], 'held-out')).filter((voice) => voice.table === name).map((v) => v.speaker),
      )
    : null;
  const allowed = items.filter(({ speaker }) => unseen === null || unseen.has(speaker ?? ''));
  const rest = half === 'test' ? 1 : 0;
  const chosen = spread(
    allowed.filter((_, index) => index % 2 === rest),
    MOST_RECORDINGS,
  );
  const clips: LikenessClip[] = [];
  for (const { path, speaker } of chosen) clips.push({ samples: await readClip(path), speaker });
  return clips.filter(({ samples }) => samples.length >= MIN_SECONDS * JUDGED_RATE_HZ);
}

/** Clips of sentences that each voice speaks. */
export async function spokenClips(
  options: { language: Language; voices: readonly SynthesisVoice[]; style: SynthesisStyle; half: Half; folder: string },
  place: EngineLocation,
): Promise<LikenessClip[]> {
  const { language, voices, style, half, folder } = options;
  const first = half === 'test' ? 0 : TEST_SENTENCES;
  const sentences = (await sentencesToSpeak(language, first + SENTENCES)).slice(first);
  const clips: LikenessClip[] = [];
  for (const voice of voices)
    for (const [index, sentence] of sentences.entries()) {
      const path = join(folder, `${style.model}-${voice.id}-${index}.wav`);
      await writeFile(path, await speakToWav(sentence, language, voice, style, place));
      clips.push({ samples: await readClip(path), speaker: voice.id });
    }
  return clips;
}

/** The part of a recording that is judged. */
export async function readClip(path: string): Promise<Float32Array> {
  return firstSpeech(await readSamples(path, 4));
}

/** Cuts clips to the lengths of others in turn: judges know more of longer ones. */
export function cutAlike(clips: readonly LikenessClip[], lengthModels: readonly LikenessClip[]): LikenessClip[] {
  if (lengthModels.length === 0) return [...clips];
  return clips.map(({ samples, speaker }, index) => ({
    samples: samples.slice(0, lengthModels[index % lengthModels.length]!.samples.length),
    speaker,
  }));
}

/** The first seconds of sound after the silence at its beginning. */
export function firstSpeech(samples: Float32Array): Float32Array {
  const levels: number[] = [];
  for (let at = 0; at + WINDOW <= samples.length; at += WINDOW) {
    levels.push(Math.hypot(...samples.subarray(at, at + WINDOW)));
  }
  const threshold = QUIET_SHARE * levels.reduce((most, level) => Math.max(most, level), 0);
  const first = Math.max(
    0,
    levels.findIndex((level) => level > threshold),
  );
  const last = levels.findLastIndex((level) => level > threshold) + 1;
  return samples.slice(first * WINDOW, Math.min(last * WINDOW, first * WINDOW + JUDGED_CLIP_SECONDS * JUDGED_RATE_HZ));
}
