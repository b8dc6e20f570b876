import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';

/**
 * `text_position` counts characters from 1; `audio_position` is in milliseconds; a phoneme event
 * without a name ends the previous one.
 */
type EspeakEvent = {
  type: string;
  text_position: number;
  word_length: number;
  audio_position: number;
  id?: string | number;
};

/** The package has no types; this is the part in use. */
type EspeakModule = {
  eSpeakNGWorker: new () => {
    set_voice(name: string): number;
    set_rate(wordsPerMinute: number): void;
    set_pitch(pitch: number): void;
    set_range(range: number): void;
    synthesize(text: string, onAudio: (audio: Int16Array | null, events: readonly EspeakEvent[]) => boolean): void;
  };
  /** The whole memory of the program, including its settings, its noise and its pitch drift. */
  HEAPU8: Uint8Array;
};

/** `yue` reads jyutping, `cmn` pinyin with digits, `en` words. */
export type SourceVoice = 'yue' | 'cmn' | 'en';

const VOICE_NAMES: Readonly<Record<SourceVoice, string>> = {
  yue: 'yue-latn-jyutping',
  cmn: 'cmn-latn-pinyin',
  en: 'en-us',
};

/** A phone of a word, without the marks of stress. */
export type SourcePhone = { name: string; stress: 0 | 1 | 2; startMs: number; endMs: number };
/** A word as espeak-ng splits it; `at` is its start in the text, from 0. */
export type SourceWord = { at: number; startMs: number; endMs: number; phones: SourcePhone[] };
export type SourceSpeech = { samples: Float32Array; sampleRateHz: number; words: SourceWord[] };

export type EspeakDriver = {
  /**
   * Synthesizes a text in a monotone of `SOURCE_PITCH_HZ`, deterministically. Blocks; throws
   * `engine_failed`, also for a text above 4 KiB.
   */
  say(voice: SourceVoice, text: string): SourceSpeech;
};

const ESPEAK_SAMPLE_RATE_HZ = 22_050;
const WORDS_PER_MINUTE = 150;
/**
 * Pitch in hertz, high enough that windows of three periods do not blur stops, low enough that
 * harmonics resolve the formants.
 */
const ESPEAK_PITCH = 80;
export const SOURCE_PITCH_HZ = 125.5;
const LANGUAGE_DATA = new URL(import.meta.resolve('@echogarden/espeak-ng-emscripten/espeak-ng.data'));
/** Memory that is kept above the size of the heap after the start. */
const HEAP_MARGIN_BYTES = 65_536;

/** Longest text of a call, in bytes of UTF-8. */
const MAX_TEXT_BYTES = 4_096;

const drivers = new Map<string, Promise<EspeakDriver>>();

/** Opens the only instance of a process: calls are synchronous and independent. */
export function openEspeak(): Promise<EspeakDriver> {
  return memoizeAsync(drivers, 'espeak', startEspeak);
}

/**
 * espeak-ng keeps the phase of its pitch drift, the state of its noise and the rest of the last
 * sound between calls, so that the same text sounds different each time. Its whole memory is
 * therefore saved after loading a voice and restored before each call: 0.3 ms for 2.5 MB, less than
 * changing the voice takes.
 */
async function startEspeak(): Promise<EspeakDriver> {
  const { default: loadEspeak } = await import('@echogarden/espeak-ng-emscripten');
  const languages = createLanguageData();
  languages.load();
  const module: EspeakModule = await loadEspeak({ getPreloadedPackage: () => languages.bytes });
  const espeak = new module.eSpeakNGWorker();
  reserveTextBuffer(espeak);
  const states = new Map<SourceVoice, Uint8Array>();
  for (const voice of Object.keys(VOICE_NAMES) as SourceVoice[]) {
    espeak.set_voice(VOICE_NAMES[voice]);
    espeak.set_rate(WORDS_PER_MINUTE);
    espeak.set_pitch(ESPEAK_PITCH);
    espeak.set_range(0);
    states.set(voice, module.HEAPU8.slice(0, usedBytes(module.HEAPU8) + HEAP_MARGIN_BYTES));
  }
  languages.unload();
  const synthesize = (voice: SourceVoice, text: string): SourceSpeech => {
    module.HEAPU8.set(states.get(voice)!);
    const pieces: Int16Array[] = [];
    const words: SourceWord[] = [];
    const collect = createWordCollector(words);
    espeak.synthesize(text, (audio, events) => {
      if (audio !== null) pieces.push(audio.slice());
      for (const event of events) collect(event);
      return false;
    });
    return { samples: toFloats(pieces), sampleRateHz: ESPEAK_SAMPLE_RATE_HZ, words };
  };
  const driver: EspeakDriver = {
    say(voice, text) {
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
        throw new AppError('engine_failed', 'A text is too long for one call.');
      try {
        return synthesize(voice, text);
      } catch (thrown) {
        // The text has letters of a script that the voice lacks: the program looks for them in
        // another language.
        if (languages.load()) return driver.say(voice, text);
        throw new AppError('engine_failed', 'The synthesizer failed on this text.', { cause: thrown });
      }
    },
  };
  return driver;
}

/**
 * Provides the data of all languages, 24 MB, of which a voice reads its own part when it is set.
 * While they are not loaded, its files are views outside of the buffer, which throw when they are
 * read.
 */
function createLanguageData(): { bytes: ArrayBuffer; load(): boolean; unload(): void } {
  const { size } = statSync(LANGUAGE_DATA);
  const bytes = new ArrayBuffer(0, { maxByteLength: size });
  return {
    bytes,
    /** Loads the data; returns false when they are loaded already. */
    load() {
      if (bytes.byteLength > 0) return false;
      bytes.resize(size);
      const file = openSync(LANGUAGE_DATA, 'r');
      readSync(file, new Uint8Array(bytes));
      closeSync(file);
      return true;
    },
    unload: () => bytes.resize(0),
  };
}

/**
 * The package keeps the address of its text buffer in JavaScript, where restoring the memory
 * snapshot does not reach, and allocates a larger one for a longer text. After such a call the
 * address would point into memory that the program considers free, and later texts would overwrite
 * its data. So the buffer is grown for the longest text before the snapshot; it grows at the call
 * after the one that did not fit.
 */
function reserveTextBuffer(espeak: InstanceType<EspeakModule['eSpeakNGWorker']>): void {
  const longest = ' '.repeat(MAX_TEXT_BYTES);
  for (let call = 0; call < 3; call += 1) espeak.synthesize(longest, () => false);
}

function usedBytes(heap: Uint8Array): number {
  let length = heap.length;
  while (length > 0 && heap[length - 1] === 0) length -= 1;
  return length;
}

/** Builds words with phones from events: a phone lasts until the next timed event. */
function createWordCollector(words: SourceWord[]): (event: EspeakEvent) => void {
  let open: SourcePhone | null = null;
  const close = (atMs: number) => {
    if (open !== null) open.endMs = Math.max(open.startMs, atMs);
    open = null;
  };
  return ({ type, text_position: position, audio_position: atMs, id }) => {
    if (type !== 'word' && type !== 'phoneme') return;
    close(atMs);
    const last = words.at(-1);
    if (last !== undefined && last.phones.length > 0) last.endMs = Math.max(last.endMs, last.phones.at(-1)!.endMs);
    if (type === 'word') words.push({ at: position - 1, startMs: atMs, endMs: atMs, phones: [] });
    else if (last !== undefined && typeof id === 'string' && id !== '' && !id.startsWith('(')) {
      const stress = id.includes('ˈ') ? 1 : id.includes('ˌ') ? 2 : 0;
      open = { name: id.replaceAll(/[ˈˌ]/g, ''), stress, startMs: atMs, endMs: atMs };
      last.phones.push(open);
    }
  };
}

function toFloats(pieces: readonly Int16Array[]): Float32Array {
  const samples = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) for (const sample of piece) samples[at++] = sample / 32_768;
  return samples;
}
