// `node training/likeness/make-clips.ts --sets RECORDINGS --synthetic FOLDER --out FOLDER`:
// clips of people and machines with random rooms, noise, equalizers and codecs, as judges see them.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { createRandom } from '#packages/numeric/random.ts';
import { findVoices } from '../../eval/diarization/find-voices.ts';
import { readTable } from '../../eval/pronunciation/tables.ts';
import { spread } from '../../eval/run.ts';
import { readSamples } from '../../eval/sound.ts';
import { JUDGED_CLIP_SECONDS, JUDGED_RATE_HZ, likenessFeatures } from '../../eval/tts/human-likeness.ts';
import { logMels, MEL_BANDS } from '../../eval/tts/log-mels.ts';
import { shuffled, trimQuietEnds } from '../language-identifier/shape-sound.ts';
import { augment, backgroundOf, type Background } from './augment.ts';

type Source = { paths: string[]; isHuman: boolean; kind: string; speaker: string; part: string };

const CLIP_SAMPLES = JUDGED_CLIP_SECONDS * JUDGED_RATE_HZ;
const MOST_RECORDINGS = { 'eng-learners-train': 12, 'eng-speakers': 3, 'cmn-words': 600 };
const MOST_CLIPS = { people: 3, machines: 2 };
/** Single words are joined with pauses, as the machines' words are. */
const WORDS_TABLE = 'cmn-words';
/** The other woman's recordings are those of the voice `syllable-cmn`, which is judged. */
const WORDS_SPEAKER = 'cw';
const TIMES_CHANGED = 4;
const SHARE_JOINED = 0.25;

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    synthetic: { type: 'string' },
    out: { type: 'string' },
    limit: { type: 'string' },
  },
});
if (values.sets === undefined || values.synthetic === undefined || values.out === undefined) {
  process.stderr.write('usage: --sets RECORDINGS --synthetic FOLDER --out FOLDER [--limit SOURCES]\n');
  process.exit(2);
}
const random = createRandom(11);
const out = resolve(values.out);
await mkdir(out, { recursive: true });
const limit = Number(values.limit ?? Infinity);
const people = spread(await findPeople(resolve(values.sets)), limit);
const machines = spread(await findMachines(resolve(values.synthetic)), limit);
const mels = createWriteStream(join(out, 'mels.bin'));
const lines = createWriteStream(join(out, 'clips.jsonl'));
const backgrounds: Background[] = [];
let count = 0;
for (const source of [...people, ...machines]) {
  for (const clip of await clipsOf(source)) {
    if (source.isHuman) backgrounds.push(backgroundOf(clip));
    await write(clip, source);
    // Joined speech of people counts as synthetic: it shows what joining alone does to a voice.
    if (source.isHuman && source.kind !== WORDS_TABLE && random() < SHARE_JOINED) {
      const joined = shuffled(shuffled(clip, random), random);
      await write(padded(joined), { ...source, isHuman: false, kind: 'joined' });
    }
  }
}
mels.end();
lines.end();
await Promise.all([finished(mels), finished(lines)]);
console.log(`${count} clips`);

async function write(clip: Float32Array, { isHuman, kind, speaker, part }: Source): Promise<void> {
  for (let time = 0; time < TIMES_CHANGED; time += 1) {
    const background = backgrounds[Math.floor(random() * backgrounds.length)];
    if (background === undefined) {
      throw new AppError('invalid_parameter', `${values.sets} has no recording of people that is long enough.`);
    }
    const changed = augment(clip, { isHuman, background }, random);
    const { frames, values: bands, isSpeech } = logMels(changed);
    const bytes = new Uint8Array(frames * (MEL_BANDS + 1));
    for (let frame = 0; frame < frames; frame += 1) {
      for (let band = 0; band < MEL_BANDS; band += 1) {
        // A step is a third of a decibel.
        bytes[frame * (MEL_BANDS + 1) + band] = Math.max(0, Math.min(255, 160 + 60 * bands[frame * MEL_BANDS + band]!));
      }
      bytes[frame * (MEL_BANDS + 1) + MEL_BANDS] = isSpeech[frame]!;
    }
    mels.write(bytes);
    const features = likenessFeatures(changed).map((value) => Number(value.toFixed(4)));
    lines.write(`${JSON.stringify({ isHuman, kind, speaker, part, features })}\n`);
    count += 1;
  }
}

async function findPeople(sets: string): Promise<Source[]> {
  const groups = await Promise.all(
    (['training', 'development'] as const).map(async (group) =>
      (await findVoices([sets], group)).map((voice) => ({ ...voice, part: group === 'training' ? 'train' : 'check' })),
    ),
  );
  return groups.flat().flatMap(({ table, speaker, paths, part }) => {
    const most = MOST_RECORDINGS[table as keyof typeof MOST_RECORDINGS] ?? 0;
    if (table === WORDS_TABLE && speaker !== WORDS_SPEAKER) return [];
    const step = Math.max(1, Math.floor(paths.length / most));
    const chosen = most === 0 ? [] : paths.filter((_, index) => index % step === 0).slice(0, most);
    // One reader in six is held out, to check the network.
    const group = table === 'eng-speakers' && Number(speaker) % 6 === 0 ? 'check' : part;
    const source = { isHuman: true, kind: table, speaker: `${table}/${speaker}`, part: group };
    if (table !== WORDS_TABLE) return chosen.map((path) => ({ ...source, paths: [path] }));
    return Array.from({ length: Math.floor(chosen.length / 3) }, (_, i) => ({
      ...source,
      paths: chosen.slice(3 * i, 3 * i + 3),
    }));
  });
}

async function findMachines(folder: string): Promise<Source[]> {
  const table = await readTable([folder], 'synthetic');
  if (table === null) throw new AppError('invalid_parameter', `${folder} has no synthetic.tsv.`);
  return table.rows.map(({ file = '', speaker = '', kind = '' }, index) => ({
    paths: [join(folder, file)],
    isHuman: false,
    kind,
    speaker,
    part: index % 8 === 0 ? 'check' : 'train',
  }));
}

/** Pieces of equal length from one recording, or from several joined with pauses. */
async function clipsOf({ paths, isHuman }: Source): Promise<Float32Array[]> {
  const pieces: Float32Array[] = [];
  for (const path of paths) pieces.push(trimQuietEnds(await readSamples(path, 12)));
  const pause = Math.round(0.12 * JUDGED_RATE_HZ);
  const sound = new Float32Array(pieces.reduce((sum, { length }) => sum + length + pause, -pause));
  let at = 0;
  for (const piece of pieces) {
    sound.set(piece, at);
    at += piece.length + pause;
  }
  if (sound.length < CLIP_SAMPLES * 0.6) return [];
  const most = isHuman ? MOST_CLIPS.people : MOST_CLIPS.machines;
  const whole = Math.max(1, Math.min(most, Math.floor(sound.length / CLIP_SAMPLES)));
  return Array.from({ length: whole }, (_, i) => padded(sound.slice(i * CLIP_SAMPLES, (i + 1) * CLIP_SAMPLES)));
}

function padded(sound: Float32Array): Float32Array {
  const clip = new Float32Array(CLIP_SAMPLES);
  clip.set(sound.subarray(0, CLIP_SAMPLES));
  return clip;
}
