import { computed, signal } from '@preact/signals';
import { openPcmPlayer, PCM_RATE_HZ, type PcmPlayer } from '#console/audio/pcm-player.ts';
import { joinMp3, type Mp3Part } from '#console/audio/mp3-file.ts';
import { wavFile } from '#console/audio/wav-file.ts';
import { charactersIn } from '#console/core/characters.ts';
import { client } from '#console/core/session.ts';
import { wordPieces, type WordPiece } from './passages.ts';

/** A text to speak; with a `reading` of null the service reads the text as it finds right. */
export type Passage = { text: string; reading: string | null };
export type Manner = {
  voice: string | null;
  language: 'cantonese' | 'mandarin' | 'english';
  speed: number;
  pitch: number;
  /** Seconds of the whole speech; null leaves its length to the speed. */
  duration: number | null;
};
type Spoken = { samples: Float32Array; pieces: WordPiece[] };

/** Speech that was made and charged is kept, so that hearing it again costs nothing. */
const spoken = signal<ReadonlyMap<string, Spoken>>(new Map());

const keyOf = (passage: Passage, manner: Manner) => JSON.stringify([passage, manner]);

/** The characters that speaking would cost. */
export function costOf(passages: readonly Passage[], manner: Manner): number {
  const fresh = passages.filter((passage) => !spoken.value.has(keyOf(passage, manner)));
  return fresh.reduce((sum, { text }) => sum + charactersIn(text), 0);
}

/** The words of a passage, once it was spoken in this manner. */
export function piecesOf(passage: Passage, manner: Manner): WordPiece[] | null {
  return spoken.value.get(keyOf(passage, manner))?.pieces ?? null;
}

type Run = { player: PcmPlayer; stop: AbortController };
const run = signal<Run | null>(null);
/** The seconds at which each passage begins, as far as they are known. */
const starts = signal<readonly number[]>([]);

export const isSpeaking = computed(() => run.value !== null);
export const isPaused = computed(() => run.value?.player.isPaused.value ?? false);

/** The passage that is heard, and the time within it; null while none is heard. */
export const heardPassage = computed(() => {
  const { player } = run.value ?? {};
  if (player === undefined) return null;
  const index = starts.value.findLastIndex((start) => start <= player.time.value);
  return index < 0 ? null : { index, time: player.time.value - (starts.value[index] ?? 0) };
});

/**
 * Plays the passages one after the other, each as soon as it has arrived, and waits for the end.
 * Throws why a passage cannot be spoken.
 */
export async function speakAloud(passages: readonly Passage[], manner: Manner): Promise<void> {
  stopSpeaking();
  const player = openPcmPlayer();
  const newRun: Run = { player, stop: new AbortController() };
  run.value = newRun;
  starts.value = [];
  const currentKeys = new Set(passages.map((passage) => keyOf(passage, manner)));
  spoken.value = new Map([...spoken.value].filter(([key]) => currentKeys.has(key)));
  try {
    let seconds = 0;
    for (const passage of passages) {
      const { samples } = await obtain(passage, manner, newRun);
      player.append(samples);
      starts.value = [...starts.value, seconds];
      seconds += samples.length / PCM_RATE_HZ;
    }
    player.finish();
    await player.over;
  } catch (failure) {
    if (!newRun.stop.signal.aborted) throw failure;
  } finally {
    player.close();
    if (run.value === newRun) run.value = null;
  }
}

export function pauseOrContinue(): void {
  run.value?.player.togglePause();
}

export function stopSpeaking(): void {
  run.value?.stop.abort();
  run.value?.player.close();
  run.value = null;
}

/** Returns null until every passage was spoken. */
export function fileOf(passages: readonly Passage[], manner: Manner): Blob | null {
  const parts = passages.flatMap((passage) => spoken.value.get(keyOf(passage, manner))?.samples ?? []);
  return parts.length === 0 || parts.length < passages.length ? null : wavFile(parts, PCM_RATE_HZ);
}

/**
 * Makes an MP3 file of the passages at once, without playing it, in which the headings begin
 * chapters. Throws why a passage cannot be spoken.
 */
export async function mp3Of(
  passages: readonly Passage[],
  headings: ReadonlySet<string>,
  manner: Manner,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: Mp3Part[] = [];
  for (const passage of passages) {
    const sound = await client()
      .speak(passage.text, { ...optionsOf(passage, manner), format: 'mp3', signal })
      .blob();
    const title = headings.has(passage.text) ? passage.text : null;
    parts.push({ bytes: new Uint8Array(await sound.arrayBuffer()), title });
  }
  return joinMp3(parts);
}

function optionsOf(passage: Passage, { voice, language, speed, pitch, duration }: Manner) {
  return {
    voice: voice ?? undefined,
    language,
    speed: speed === 1 ? undefined : speed,
    pitch: pitch === 0 ? undefined : pitch,
    duration: duration ?? undefined,
    jyutping: passage.reading ?? undefined,
  };
}

async function obtain(passage: Passage, manner: Manner, { player, stop }: Run): Promise<Spoken> {
  const key = keyOf(passage, manner);
  const earlier = spoken.value.get(key);
  if (earlier !== undefined) return earlier;
  const { signal } = stop;
  const speech = client().speak(passage.text, { ...optionsOf(passage, manner), format: 'wav', signal });
  const { file, timestamps } = await speech.withTimestamps();
  const samples = await player.decode(Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0)).buffer);
  const result = { samples, pieces: wordPieces(passage.text, timestamps) };
  spoken.value = new Map([...spoken.value, [key, result]]);
  return result;
}
