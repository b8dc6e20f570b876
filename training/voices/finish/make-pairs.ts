import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '#packages/numeric/random.ts';
import { mapSyllable } from '#packages/engines/syllable/durations.ts';
import { createEnvelopes } from '#packages/engines/syllable/envelope.ts';
import { createBands, FINISH_BANDS } from '#packages/engines/syllable/finish.ts';
import { openVoice } from '#packages/engines/syllable/open-voice.ts';
import { addSyllable, GRAIN_SIZE, LEAD, type SoundingSyllable } from '#packages/engines/syllable/overlap-add.ts';
import { CONTOUR_STEP } from '#packages/engines/syllable/phrase-contour.ts';
import { createFrameMarks, createFrames, HOP, SIZE } from '#packages/engines/syllable/shape-envelopes.ts';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { MS, type SoundingUnit } from '#packages/engines/syllable/unit.ts';
import { readVoiceFile, syllableOf } from '#packages/engines/syllable/voice-file.ts';

// Writes recorded words beside the same words joined of other recordings (README.md).

/** Frames before and after the word. */
const MARGIN = 2;
/** Shorter silences between two syllables are none. */
const GAP = 10 * MS;
/** Each word is joined of syllables recorded by themselves, and of any. */
const VARIANTS = ['alone', 'any'] as const;
/** A frame: bands of the joined and of the recorded word in dB, and voicing of the joined one. */
const COLUMNS = 2 * FINISH_BANDS + 1;

const {
  values: { words: most = 'Infinity' },
  positionals: [voicePath, folder],
} = parseArgs({ options: { words: { type: 'string' } }, allowPositionals: true });
if (voicePath === undefined || folder === undefined)
  throw new Error('Usage: make-pairs.ts VOICE_FILE FOLDER [--words COUNT]');

const sounds = soundsOf('mandarin');
const { units } = readVoiceFile(await readFile(voicePath));
const voice = await openVoice(voicePath, sounds);
const random = createRandom(1);
const keysOf = Map.groupBy(units.keys(), syllableOf);

await mkdir(folder, { recursive: true });
const out = createWriteStream(join(folder, 'pairs.f32'));
const pairs: { word: string; frames: number }[] = [];
const words = [...units.keys()].filter((key) => key.endsWith('/0')).map((key) => key.split('/')[0]!);
for (const word of words.slice(0, Number(most))) {
  for (const variant of VARIANTS) {
    const recorded = voice.findWord(word.split('.'))!.map(({ sound }) => sound);
    const otherRecordings = recordedElsewhere(word, variant);
    if (otherRecordings === null) continue;
    const rows = pairOf(recorded, otherRecordings);
    if (!out.write(Buffer.from(rows.buffer))) await once(out, 'drain');
    pairs.push({ word, frames: rows.length / COLUMNS });
    if (pairs.length % 500 === 0) console.error(`${pairs.length} pairs`);
  }
}
out.end();
await once(out, 'finish');
await writeFile(join(folder, 'pairs.json'), JSON.stringify({ bands: FINISH_BANDS, pairs }));
voice.close();
console.error(`${pairs.length} pairs of ${Math.min(words.length, Number(most))} words`);

/** Returns a recording of each syllable from another word; null when a syllable has no other. */
function recordedElsewhere(word: string, variant: (typeof VARIANTS)[number]): SoundingUnit[] | null {
  const found: SoundingUnit[] = [];
  for (const label of word.split('.')) {
    const otherKeys = keysOf.get(label)!.filter((key) => key.split('/')[0] !== word);
    const alone = otherKeys.find((key) => !key.includes('/'));
    const key = variant === 'alone' && alone !== undefined ? alone : otherKeys[Math.floor(random() * otherKeys.length)];
    if (key === undefined) return null;
    found.push(openUnit(key));
  }
  return found;
}

function openUnit(key: string): SoundingUnit {
  const [word, at] = key.split('/') as [string, string?];
  return at === undefined ? voice.find(word, false)!.sound : voice.findWord(word.split('.'))![Number(at)]!.sound;
}

/** Rows of `COLUMNS`; the joined word has the times, pitches and levels of the recorded one. */
function pairOf(recorded: readonly SoundingUnit[], replacements: readonly SoundingUnit[]): Float32Array {
  const target = recorded[0]!.samples;
  const joined = new Float32Array(LEAD + target.length + SIZE);
  const voicing = createFrameMarks(joined.length);
  const timed = replacements.map((sound, index) => timedLike(recorded, index, sound));
  const contour = contourOf(recorded, target.length);
  const settings = { sounds, middleHz: sounds.middleHz, formants: 1 };
  const envelopes = createEnvelopes(GRAIN_SIZE);
  const phrase = { syllables: timed, contour, settings, envelopes };
  for (const index of timed.keys()) addSyllable({ sound: joined, voicing }, phrase, index);
  const ownSound = new Float32Array(joined.length);
  ownSound.set(target, LEAD);
  for (const [index, { start }] of recorded.entries())
    matchLevel(joined, ownSound, LEAD + start, LEAD + (recorded[index + 1]?.start ?? target.length));
  return rowsOf(joined, ownSound, voicing, LEAD + recorded[0]!.start, LEAD + recorded.at(-1)!.end);
}

/** A syllable of another recording at the time of one of the word. */
function timedLike(recorded: readonly SoundingUnit[], index: number, sound: SoundingUnit): SoundingSyllable {
  const { start, rime, coda, end, label } = recorded[index]!;
  const next = recorded[index + 1];
  const silence = Math.max(0, (next?.start ?? end) - end);
  const spans = { begin: start, onset: rime - start, rime: end - rime, scale: MS };
  const syllable = { sound, isFollowed: false };
  return {
    label,
    sound,
    tune: sound,
    place: index,
    length: recorded.length,
    word: 0,
    isEnglish: false,
    followsOn: false,
    isFollowed: false,
    contour: null,
    from: start,
    begin: start,
    rime,
    end,
    to: end,
    tail: silence > GAP ? silence : 0,
    isClosed: index === 0 || start - recorded[index - 1]!.end > GAP,
    isFinal: next === undefined,
    isWeak: false,
    ...mapSyllable(syllable, {
      ...spans,
      vowelShare: (coda - rime) / Math.max(1, end - rime),
      transitionShare: 1,
      keptShare: 1,
    }),
  };
}

/** The pitch of the recorded word, as the engine plans it. */
function contourOf(recorded: readonly SoundingUnit[], length: number): Float32Array {
  const contour = new Float32Array(Math.ceil(length / CONTOUR_STEP) + 1);
  for (const { contour: semitones, voicedMarks, end } of recorded.toReversed())
    for (let step = 0; step * CONTOUR_STEP <= end && step < contour.length; step += 1) {
      const next = voicedMarks.findIndex((mark) => mark >= step * CONTOUR_STEP);
      contour[step] = (next === -1 ? semitones.at(-1) : semitones[next]) ?? 0;
    }
  return contour;
}

/** Gives a part of one sound the level of another. */
function matchLevel(sound: Float32Array, like: Float32Array, from: number, to: number): void {
  const gain = Math.sqrt((energy(like.subarray(from, to)) + 1e-9) / (energy(sound.subarray(from, to)) + 1e-9));
  for (let i = from; i < to; i += 1) sound[i]! *= gain;
}

function energy(part: Float32Array): number {
  return part.reduce((sum, sample) => sum + sample * sample, 0);
}

function rowsOf(
  joined: Float32Array,
  ownSound: Float32Array,
  voicing: Uint8Array,
  from: number,
  to: number,
): Float32Array {
  const bands = createBands(SIZE / 2 + 1);
  const sides = [joined, ownSound].map((sound) => createFrames(sound, createEnvelopes(SIZE)));
  const first = Math.max(0, Math.floor(from / HOP) - MARGIN);
  const frames = Math.ceil(to / HOP) + MARGIN - first;
  const rows = new Float32Array(frames * COLUMNS);
  for (let frame = 0; frame < frames; frame += 1) {
    const row = rows.subarray(frame * COLUMNS, (frame + 1) * COLUMNS);
    for (const [side, { analyzed }] of sides.entries())
      bands.read(analyzed(first + frame).envelope, row.subarray(side * FINISH_BANDS), 0, 1);
    row[2 * FINISH_BANDS] = voicing[first + frame]!;
  }
  return rows;
}
