import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '#testbed/service/service.ts';
import { engineEnvironment } from './engine-environment.ts';
import type { Measurement } from './report.ts';

const run = promisify(execFile);
const MIB = 1_024 ** 2;
/** An hour of sound is ten minutes, decoded six times by one process. */
const SECONDS = 600;
const TIMES = 6;
const ROUNDS = 2;
const GOAL_RATIO = 0.8;

/** Stereo files as people have them, and how the `ffmpeg` command writes them. */
const FILES = {
  MP3: ['sound.mp3', '-c:a', 'libmp3lame', '-b:a', '128k'],
  AAC: ['sound.m4a', '-c:a', 'aac', '-b:a', '128k'],
  Opus: ['sound.opus', '-c:a', 'libopus', '-b:a', '64k', '-ar', '48000'],
  FLAC: ['sound.flac', '-c:a', 'flac'],
} as const;

/** A beeping tone on each side, over pink noise. */
const SOUND = [
  `sine=frequency=220:beep_factor=4:sample_rate=44100:duration=${SECONDS}[left]`,
  `sine=frequency=310:beep_factor=3:sample_rate=44100:duration=${SECONDS}[right]`,
  '[left][right]amerge=inputs=2[tones]',
  `anoisesrc=color=pink:amplitude=0.05:sample_rate=44100:duration=${SECONDS}:seed=1,pan=stereo|c0=c0|c1=c0[noise]`,
  '[tones][noise]amix=inputs=2:normalize=0',
].join(';');

/** Processor time in seconds, and the peak memory of the process in bytes. */
type Cost = { cpuSeconds: number; peakBytes: number };

/**
 * Compares the decoding of files to mono at 16 kHz with that of the `ffmpeg` command, side by side;
 * the lesser of two rounds counts, since other work only adds to it. The start of a process is part
 * of the cost of `ffmpeg` only, some hundredths of a second.
 */
export async function measureDecoding(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const measurements: Measurement[] = [];
  const source = join(folder.path, 'sound.wav');
  await run('ffmpeg', ['-v', 'error', '-filter_complex', SOUND, source]);
  for (const [name, [file, ...encoding]] of Object.entries(FILES)) {
    const path = join(folder.path, file);
    await run('ffmpeg', ['-v', 'error', '-i', source, ...encoding, path]);
    const [costsHere, costsOfFfmpeg]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      costsHere.push(await decodeHere(path));
      costsOfFfmpeg.push(await decodeWithFfmpeg(path));
    }
    const [leastHere, leastOfFfmpeg] = [costsHere, costsOfFfmpeg].map(leastOf) as [Cost, Cost];
    const ratio = leastHere.cpuSeconds / leastOfFfmpeg.cpuSeconds;
    measurements.push({
      label: `an hour of ${name}: processor time ÷ that of ffmpeg; peak memory`,
      value: `${ratio.toFixed(2)} (${seconds(leastHere)} ÷ ${seconds(leastOfFfmpeg)}); ${mebibytes(leastHere)} (ffmpeg ${mebibytes(leastOfFfmpeg)})`,
      goal: `≤ ${GOAL_RATIO}`,
      met: ratio <= GOAL_RATIO,
    });
  }
  return measurements;
}

async function decodeHere(path: string): Promise<Cost> {
  const entry = join(import.meta.dirname, 'decode-entry.ts');
  const { stdout } = await run(process.execPath, [...process.execArgv, entry, path, String(TIMES)], {
    env: engineEnvironment(),
  });
  return JSON.parse(stdout) as Cost;
}

/** The command prints `bench: utime=0.59s stime=0.02s rtime=…` and `bench: maxrss=29012kB`. */
async function decodeWithFfmpeg(path: string): Promise<Cost> {
  const decoding = [
    '-stream_loop',
    String(TIMES - 1),
    '-i',
    path,
    '-vn',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    'f32le',
    '-y',
    '/dev/null',
  ];
  const { stderr } = await run('ffmpeg', ['-nostdin', '-hide_banner', '-benchmark', ...decoding]);
  const figure = (pattern: RegExp) => Number(pattern.exec(stderr)?.[1] ?? NaN);
  return {
    cpuSeconds: figure(/utime=([\d.]+)s/) + figure(/stime=([\d.]+)s/),
    peakBytes: figure(/maxrss=(\d+)/) * 1_024,
  };
}

function leastOf(costs: readonly Cost[]): Cost {
  return {
    cpuSeconds: Math.min(...costs.map(({ cpuSeconds }) => cpuSeconds)),
    peakBytes: Math.min(...costs.map(({ peakBytes }) => peakBytes)),
  };
}

const seconds = ({ cpuSeconds }: Cost) => `${cpuSeconds.toFixed(2)} s`;
const mebibytes = ({ peakBytes }: Cost) => `${(peakBytes / MIB).toFixed(0)} MiB`;
