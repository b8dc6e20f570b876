import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { engineEnvironment } from '../engine-environment.ts';

type BareEngine = { firstMs: number[]; speed: number };

/**
 * Writes a shipped voice to a file for the bare engine; returns the path and the id of the voice.
 */
export async function writeVoice(folder: string): Promise<{ voicePath: string; voiceId: string }> {
  const [shipped] = loadShippedVoices(join(import.meta.dirname, '../../voices'));
  if (shipped === undefined) throw new Error('there is no shipped voice');
  const { id, profile } = shipped.voice;
  const voicePath = join(folder, 'voice.json');
  await writeFile(voicePath, JSON.stringify({ id, profile, reference: null }));
  return { voicePath, voiceId: id };
}

/** Runs the bare engine in `processes` processes at once; each speaks the texts in a loop. */
export async function runBareEngines(
  voicePath: string,
  texts: readonly string[],
  options: { seconds: number; processes: number },
): Promise<BareEngine[]> {
  const run = async (): Promise<BareEngine> => {
    const path = join(import.meta.dirname, 'bare-engine.ts');
    const child = spawn(process.execPath, [path, voicePath, String(options.seconds), JSON.stringify(texts)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: engineEnvironment(),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    await once(child, 'close');
    return JSON.parse(output) as BareEngine;
  };
  return Promise.all(Array.from({ length: options.processes }, run));
}
