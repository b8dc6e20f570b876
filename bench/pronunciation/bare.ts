import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { engineEnvironment } from '../engine-environment.ts';
import type { Recording } from './recordings.ts';

/**
 * Milliseconds of each round. `allMs`: reading the text, decoding, analyzing and assessing;
 * `acousticMs`: the acoustic model once more, alone.
 */
export type BareScores = Record<
  'allMs' | 'readTextMs' | 'readSoundMs' | 'analyzeMs' | 'assessMs' | 'acousticMs',
  number[]
>;

/** Runs the bare scorer for `seconds` in `processes` processes at once. */
export async function runBareScorers(
  { path, language, text }: Recording,
  { seconds, processes }: { seconds: number; processes: number },
): Promise<BareScores[]> {
  const run = async (): Promise<BareScores> => {
    const script = join(import.meta.dirname, 'bare-scorer.ts');
    const child = spawn(process.execPath, [script, path, language, String(seconds), text], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: engineEnvironment(),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    await once(child, 'close');
    return JSON.parse(output) as BareScores;
  };
  return Promise.all(Array.from({ length: processes }, run));
}
