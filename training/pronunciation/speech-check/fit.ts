// usage: node training/pronunciation/speech-check/fit.ts --sets RECORDINGS [--share 0.2] [--kinds
// 100] [--spoken 1000] [--write] Fits the network that separates speech from noise and music, and
// prints its errors on held-out speakers and kinds of sounds. --write stores it where the service
// reads it.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { logOddsOf, type SpeechNetwork } from '#packages/audio/speech/speech-network.ts';
import { LENIENT, spokenWindows } from '#packages/audio/speech/spoken-windows.ts';
import { otherClips, speechClips, spokenClips, type Clip } from './collect.ts';
import { fitNetwork, type Example } from './network.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    share: { type: 'string', default: '0.2' },
    kinds: { type: 'string', default: '100' },
    /** Number of sounds of our own synthesizer. */
    spoken: { type: 'string', default: '1000' },
    write: { type: 'boolean', default: false },
  },
});
if (values.sets === undefined) {
  console.error('usage: fit.ts --sets RECORDINGS [--share 0.2] [--kinds 100] [--spoken 1000] [--write]');
  process.exit(2);
}

/** Shifts of the log odds for other thresholds, to show the trade-off of the two errors. */
const SHIFTS = [-1, 1, 2];

const clips: Clip[] = [];
for await (const clip of otherClips(Number(values.kinds))) clips.push(clip);
for await (const clip of spokenClips(Number(values.spoken))) clips.push(clip);
for await (const clip of speechClips(values.sets, Number(values.share))) clips.push(clip);

/** Weight of a speech window relative to others: refusing a speaker is the worse error. */
const SPEECH_WEIGHT = 1.5;

const network = fitNetwork(examplesOf(clips.filter(({ part }) => part === 'fit')), 1);
if (values.write) {
  const path = new URL('../../../packages/audio/speech/speech-network.json', import.meta.url);
  await writeFile(path, `${JSON.stringify(rounded(network))}\n`);
}
for (const part of ['fit', 'check'] as const) {
  printFigures(part, network, 0);
  for (const shift of SHIFTS) printFigures(part, network, shift);
}

/**
 * Weights kinds by the square root of their size, and all speech by SPEECH_WEIGHT relative to the
 * rest.
 */
function examplesOf(clips: readonly Clip[]): Example[] {
  const counts = new Map<string, number>();
  const rows = clips.flatMap(({ kind, isSpeech, windows }) =>
    windows.filter(({ counts }) => counts).map(({ features }) => ({ kind, isSpeech, features })),
  );
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const weightOf = (kind: string) => 1 / Math.sqrt(counts.get(kind)!);
  const total = (isSpeech: boolean) =>
    rows.filter((row) => row.isSpeech === isSpeech).reduce((sum, { kind }) => sum + weightOf(kind), 0);
  const balance = (SPEECH_WEIGHT * total(false)) / total(true);
  return rows.map(({ kind, isSpeech, features }) => ({
    features,
    isSpeech,
    weight: weightOf(kind) * (isSpeech ? balance : 1),
  }));
}

function printFigures(part: Clip['part'], fitted: SpeechNetwork, shift: number): void {
  const wrong = new Map<string, { count: number; wrong: number; isSpeech: boolean }>();
  for (const { kind, isSpeech, windows } of clips.filter((clip) => clip.part === part)) {
    const judged = windows.map(({ index, activeMs, features }) => ({
      index,
      activeMs,
      logOdds: logOddsOf(features, fitted) + shift,
    }));
    const entry = wrong.get(kind) ?? { count: 0, wrong: 0, isSpeech };
    entry.count += 1;
    if (spokenWindows(judged, LENIENT).length > 0 !== isSpeech) entry.wrong += 1;
    wrong.set(kind, entry);
  }
  for (const isSpeech of [true, false]) {
    const kinds = [...wrong].filter(([, entry]) => entry.isSpeech === isSpeech);
    const all = kinds.reduce((sum, [, entry]) => ({ count: sum.count + entry.count, wrong: sum.wrong + entry.wrong }), {
      count: 0,
      wrong: 0,
    });
    console.log(
      `${part}, log odds + ${shift}: ${isSpeech ? 'speech refused' : 'no speech let through'}: ${all.wrong} of ${all.count}`,
    );
    if (shift !== 0) continue;
    for (const [kind, entry] of kinds) console.log(`  ${kind}: ${entry.wrong} of ${entry.count}`);
  }
}

function rounded(fitted: SpeechNetwork): SpeechNetwork {
  return {
    means: round(fitted.means),
    deviations: round(fitted.deviations),
    hidden: fitted.hidden.map(round),
    output: round(fitted.output),
  };
}

function round(numbers: readonly number[]): number[] {
  return numbers.map((number) => Number(number.toPrecision(4)));
}
