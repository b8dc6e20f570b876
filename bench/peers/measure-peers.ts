import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { wavBytes } from '#testbed/sound/audio.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { engineEnvironment } from '../engine-environment.ts';
import { readSet } from '../../eval/read-set.ts';
import { editDistance } from '../../eval/score.ts';
import { textTokens } from '../../eval/tokens.ts';
import type { Measurement } from '../report.ts';

const run = promisify(execFile);
const MIB = 1_024 ** 2;
const ROUNDS = 2;
/** Clips as agents, keyboards and language lessons send them, in seconds. */
const CLIP_S = { shortest: 1, longest: 4 };
/** Silence between joined recordings, in seconds. */
const PAUSE_S = 0.6;
/** Joined recordings have about so many seconds. */
const MINUTES_S = 120;
const GOALS = { clips: 10, minutes: 2 };
const WHISPER_LANGUAGES: Readonly<Record<Language, string>> = { cantonese: 'zh', mandarin: 'zh', english: 'en' };

export type PeerOptions = {
  /** Recordings of people with their texts, as evaluations read them. */
  set: string;
  language: Language;
  /** Interpreter of an environment with `pip install faster-whisper==1.2.1`. */
  python: string;
  /** The folder of the published weights that training/listener/prepare makes. */
  whisper: string;
};

type Cost = { cpuSeconds: number; peakBytes: number; texts: string[]; version?: string };
type Recording = { samples: Float32Array; text: string };

/**
 * Compares the built-in recognizer with faster-whisper, which runs the weights that the listener
 * comes from: the same files, one thread, one run; the lesser of two rounds counts. faster-whisper
 * is told Chinese for Cantonese, which is what these weights know.
 */
export async function measurePeers(options: PeerOptions): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const recordings = await readRecordings(options);
  const clips = recordings.filter((clip) => seconds(clip) >= CLIP_S.shortest && seconds(clip) <= CLIP_S.longest);
  const groups = { clips, minutes: joined(recordings) };
  const measurements: Measurement[] = [];
  for (const name of ['clips', 'minutes'] as const) {
    const group = groups[name];
    const files = await Promise.all(group.map((recording, index) => write(folder.path, `${name}-${index}`, recording)));
    const costs = { here: [] as Cost[], there: [] as Cost[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.here.push(await hearHere(options, files));
      costs.there.push(await hearThere(options, files));
    }
    const [here, there] = [leastOf(costs.here), leastOf(costs.there)];
    const total = group.reduce((sum, recording) => sum + seconds(recording), 0);
    measurements.push(...rowsOf(name, { here, there, total, group, language: options.language }));
  }
  return measurements;
}

const seconds = ({ samples }: Recording) => samples.length / RECOGNIZER_SAMPLE_RATE_HZ;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const mebibytes = ({ peakBytes }: Cost) => `${(peakBytes / MIB).toFixed(0)} MiB`;

type Compared = { here: Cost; there: Cost; total: number; group: readonly Recording[]; language: Language };

function rowsOf(name: keyof typeof GOALS, { here, there, total, group, language }: Compared): Measurement[] {
  const what = `${group.length} ${name === 'clips' ? 'clips of 1 to 4 s' : 'recordings of minutes'}, ${language}`;
  const ratio = there.cpuSeconds / here.cpuSeconds;
  const timesRealTime = ({ cpuSeconds }: Cost) => `${(total / cpuSeconds).toFixed(1)} × real time`;
  const [wrongHere, wrongThere] = [here, there].map(({ texts }) => errorsOf(texts, group, language)) as [
    number,
    number,
  ];
  return [
    {
      label: `${what}: processor time of faster-whisper ${there.version} ÷ ours`,
      value: `${ratio.toFixed(1)} (${timesRealTime(there)}, ours ${timesRealTime(here)})`,
      goal: `≥ ${GOALS[name]}`,
      met: ratio >= GOALS[name],
    },
    {
      label: `${what}: wrong, ours beside theirs`,
      value: `${percent(wrongHere)} beside ${percent(wrongThere)}`,
      goal: 'fewer',
      met: wrongHere < wrongThere,
    },
    {
      label: `${what}: peak memory, ours beside theirs`,
      value: `${mebibytes(here)} beside ${mebibytes(there)}`,
      goal: 'no more',
      met: here.peakBytes <= there.peakBytes,
    },
  ];
}

async function readRecordings({ set, language }: PeerOptions): Promise<Recording[]> {
  const { items } = await readSet(set);
  const { signal } = new AbortController();
  const recordings: Recording[] = [];
  for (const { path, text } of items) {
    const pieces: Float32Array[] = [];
    const options = { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: Infinity, signal };
    for await (const { samples } of decodeAudio(path, options)) pieces.push(samples.slice());
    if (textTokens(language, text ?? '').length > 0)
      recordings.push({ samples: joinSamples(pieces), text: text ?? '' });
  }
  return recordings;
}

/** Recordings in a row, with pauses between them, until they have MINUTES_S. */
function joined(recordings: readonly Recording[]): Recording[] {
  const pause = new Float32Array(PAUSE_S * RECOGNIZER_SAMPLE_RATE_HZ);
  const found: Recording[] = [];
  for (const { samples, text } of recordings) {
    const last = found.at(-1);
    if (last === undefined || last.samples.length >= MINUTES_S * RECOGNIZER_SAMPLE_RATE_HZ)
      found.push({ samples, text });
    else found.splice(-1, 1, { samples: joinSamples([last.samples, pause, samples]), text: `${last.text} ${text}` });
  }
  return found;
}

async function write(folder: string, name: string, { samples }: Recording): Promise<string> {
  const path = join(folder, `${name}.wav`);
  await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [samples] }));
  return path;
}

async function hearHere({ language }: PeerOptions, files: readonly string[]): Promise<Cost> {
  const entry = join(import.meta.dirname, 'hear-entry.ts');
  return readCost(process.execPath, [...process.execArgv, entry, language, ...files]);
}

async function hearThere({ python, whisper, language }: PeerOptions, files: readonly string[]): Promise<Cost> {
  const script = join(import.meta.dirname, 'faster_whisper_cost.py');
  return readCost(python, [script, whisper, WHISPER_LANGUAGES[language], ...files]);
}

/** Both have the environment of our worker processes, and one thread. */
async function readCost(command: string, args: readonly string[]): Promise<Cost> {
  const env = { ...engineEnvironment(), OMP_NUM_THREADS: '1' };
  const { stdout } = await run(command, args, { maxBuffer: 2 ** 26, env });
  return JSON.parse(stdout) as Cost;
}

function leastOf(costs: readonly Cost[]): Cost {
  return costs.reduce((least, cost) => (cost.cpuSeconds < least.cpuSeconds ? cost : least));
}

/** Characters or words that are wrong, as a share of those of the texts. */
function errorsOf(texts: readonly string[], group: readonly Recording[], language: Language): number {
  let [errors, length] = [0, 0];
  for (const [index, { text }] of group.entries()) {
    const expected = textTokens(language, text);
    errors += editDistance(textTokens(language, texts[index] ?? ''), expected);
    length += expected.length;
  }
  return errors / length;
}
