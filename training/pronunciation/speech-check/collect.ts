// Features of recordings and synthesized sounds, for fitting (fit.ts) and measurement.
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createRandom } from '#packages/numeric/random.ts';
import { createSoundFrames, SOUND_FRAME_MS } from '#packages/audio/speech/sound-frames.ts';
import { featuresOf, windowsOf } from '#packages/audio/speech/window-features.ts';
import { voiceModelOf } from '@jyutsing/engines/runtime/speech-detection';
import { JYUTPING_ONSETS, JYUTPING_RIMES } from '@jyutsing/text/syllables/jyutping';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { FITTED_KINDS, makeNotSpeech, MUSIC_KINDS, UNSEEN_KINDS } from '#testbed/sound/not-speech.ts';
import { firstNumber } from '../../../eval/pronunciation/held-out.ts';
import { byTelephone, clipped, colored, inRoom, loudestPiece, mixAt, whispered } from './alterations.ts';

const RATE_HZ = 16_000;

/** One sound with the features of its windows; `isSpeech` labels each window, null if ambiguous. */
export type Clip = {
  /** `fit`, or `check` (held out by speaker or kind). */
  part: 'fit' | 'check';
  kind: string;
  isSpeech: boolean;
  windows: { index: number; activeMs: number; features: number[]; counts: boolean }[];
};

type Recording = { path: string; set: string; part: 'fit' | 'check' };

const isInOnePartOf = (name: string, parts: number) => firstNumber(name) % parts === 0;

/**
 * Recordings of the sets with held-out ones: one learner in five, one recording of the man in ten,
 * one of the two women.
 */
export async function listRecordings(sets: string, share: number): Promise<Recording[]> {
  const found: Recording[] = [];
  for (const set of ['yue-syllables-kt', 'cmn-words', 'eng-learners-train', 'eng-speakers']) {
    const [head = '', ...lines] = (await readFile(join(sets, `${set}.tsv`), 'utf8')).trim().split('\n');
    const columns = head.split('\t');
    for (const line of lines) {
      const cells = line.split('\t');
      const file = cells[columns.indexOf('file')]!;
      const speaker = cells[columns.indexOf('speaker')] ?? '';
      const name = basename(file, extname(file));
      const isHeldOut =
        set === 'eng-learners-train'
          ? isInOnePartOf(speaker, 5)
          : set === 'eng-speakers'
            ? isInOnePartOf(speaker, 5)
            : set === 'cmn-words'
              ? speaker === 'cw'
              : isInOnePartOf(name, 10);
      if (isInOnePartOf(`${name} chosen`, Math.max(1, Math.round(1 / share))))
        found.push({ path: join(sets, file), set, part: isHeldOut ? 'check' : 'fit' });
    }
  }
  return found;
}

async function loadSound(path: string): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: 600_000, signal: new AbortController().signal };
  for await (const { samples } of decodeAudio(path, options)) pieces.push(samples);
  return joinSamples(pieces);
}

export const voiceOf = voiceModelOf({ builtinModelsDir: resolve(import.meta.dirname, '../../../models') });

/** Windows of `sound`, labeled where `clean` is not much softer than at its loudest. */
async function rowsOf(sound: Float32Array, clean: Float32Array): Promise<Clip['windows']> {
  const frames = createSoundFrames(sound);
  const voice = await voiceOf(sound);
  const { levelDb } = sound === clean ? frames : createSoundFrames(clean);
  const loudest = levelDb.reduce((most, level) => Math.max(most, level), -100);
  return windowsOf(frames).map((window) => {
    let loud = 0;
    for (let frame = window.firstFrame; frame < window.endFrame; frame += 1)
      if (levelDb[frame]! > loudest - 15) loud += 1;
    return {
      index: window.index,
      activeMs: window.active.length * SOUND_FRAME_MS,
      features: featuresOf(frames, window, voice),
      counts: loud >= 4,
    };
  });
}

const ALTERATIONS = [
  'noise 0 dB',
  'noise 5 dB',
  'noise 12 dB',
  'music 5 dB',
  'music 12 dB',
  'telephone',
  'clipped',
  'room',
  'whispered',
  'everything',
  'short',
  'short',
  'short',
  'microphone',
  'microphone',
  'other voice',
  'other voice',
  'other voice',
];

function alter(sound: Float32Array, how: string, seed: number, kinds: readonly string[]): Float32Array {
  const random = createRandom(seed);
  const makeBackground = (isMusic: boolean) => {
    const fitting = kinds.filter((kind) => MUSIC.has(kind) === isMusic);
    const kind = fitting[Math.floor(random() * fitting.length)]!;
    return makeNotSpeech(kind, seed, Math.min(8_000, (1_000 * sound.length) / RATE_HZ));
  };
  const background = /^(noise|music) (\d+) dB$/.exec(how);
  if (background !== null) return mixAt(sound, makeBackground(background[1] === 'music'), Number(background[2]));
  if (how === 'telephone') return byTelephone(sound);
  if (how === 'clipped') return clipped(sound, 0.5 + 0.45 * random());
  if (how === 'room') return inRoom(sound, 0.2 + 0.5 * random(), seed);
  if (how === 'microphone') return sound;
  // From a fourth up to a fifth down: other throats and pitches.
  if (how === 'other voice') return resample(sound, RATE_HZ, Math.round(RATE_HZ * (0.75 + 0.75 * random())));
  if (how === 'whispered') return whispered(sound, seed);
  if (how === 'short') return loudestPiece(sound, 100 + 250 * random());
  return byTelephone(mixAt(inRoom(sound, 0.3, seed), makeBackground(random() < 0.5), 8));
}

const MUSIC: ReadonlySet<string> = new Set([
  ...MUSIC_KINDS,
  'bells',
  'distorted guitar',
  'harpsichord',
  'clarinet',
  'an orchestra',
]);

/** Alterations after which the original levels are meaningless. */
const ITS_OWN: ReadonlySet<string> = new Set(['whispered', 'short', 'other voice']);

/** Each recording unmodified and once altered. */
export async function* speechClips(sets: string, share: number): AsyncGenerator<Clip> {
  for (const [index, { path, set, part }] of (await listRecordings(sets, share)).entries()) {
    const sound = (await loadSound(path)).subarray(0, 8 * RATE_HZ);
    yield { part, kind: set, isSpeech: true, windows: await rowsOf(sound, sound) };
    const how = ALTERATIONS[index % ALTERATIONS.length]!;
    const changed = alter(sound, how, index, Object.keys(part === 'fit' ? FITTED_KINDS : UNSEEN_KINDS));
    const altered = index % 4 === 0 ? changed : colored(changed, index);
    yield { part, kind: how, isSpeech: true, windows: await rowsOf(altered, ITS_OWN.has(how) ? altered : sound) };
  }
}

const VOICES = [
  'yue-latn-jyutping',
  'yue-latn-jyutping+f3',
  'yue-latn-jyutping+m3',
  'yue-latn-jyutping+f5',
  'yue-latn-jyutping+m7',
];

/**
 * Syllables and words of a synthesizer at many pitches and rates, as learners may submit synthetic
 * speech.
 */
export async function* spokenClips(count: number): AsyncGenerator<Clip> {
  const syllables = JYUTPING_ONSETS.flatMap((onset) =>
    JYUTPING_RIMES.filter((rime) => /[aeiou]/.test(rime)).map((rime) => onset + rime),
  );
  for (let index = 0; index < count; index += 1) {
    const random = createRandom(index + 70_000);
    const length = index % 2 === 0 ? 1 : 2 + Math.floor(random() * 6);
    const syllable = () => syllables[Math.floor(random() * syllables.length)]!;
    const text = Array.from({ length }, () => `${syllable()}${1 + Math.floor(random() * 6)}`).join(' ');
    const voice = VOICES[index % VOICES.length]!;
    const spoken = await speak(text, { voice, rate: 100 + 150 * random(), pitch: 20 + 70 * random() });
    const spokenSound = resample(spoken.channels[0]!, spoken.sampleRateHz, RATE_HZ);
    const sound = index % 3 === 0 ? colored(spokenSound, index) : spokenSound;
    yield {
      part: index % 5 === 4 ? 'check' : 'fit',
      kind: 'synthesizer',
      isSpeech: true,
      windows: await rowsOf(sound, sound),
    };
  }
}

/** Sounds of each kind without speech, some of them by telephone, in a room or with noise. */
export async function* otherClips(perKind: number): AsyncGenerator<Clip> {
  for (const [part, kinds] of [
    ['fit', FITTED_KINDS],
    ['check', UNSEEN_KINDS],
  ] as const) {
    for (const kind of Object.keys(kinds)) {
      for (let seed = 1; seed <= perKind; seed += 1) {
        const random = createRandom(seed);
        let sound = makeNotSpeech(
          kind,
          seed + (part === 'fit' ? 0 : 5_000),
          seed % 3 === 0 ? 100 + 400 * random() : 500 + 4_000 * random(),
        );
        if (seed % 2 === 1) sound = colored(sound, seed);
        if (seed % 5 === 1) sound = byTelephone(sound);
        if (seed % 5 === 2) sound = inRoom(sound, 0.3, seed);
        if (seed % 5 === 3) sound = mixAt(sound, makeNotSpeech('pink noise', seed, 2_000), 10 + 20 * random());
        const rows = await rowsOf(sound, sound);
        yield { part, kind, isSpeech: false, windows: rows.map((row) => ({ ...row, counts: true })) };
      }
    }
  }
}
