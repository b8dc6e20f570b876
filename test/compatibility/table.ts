import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editDistance } from '../../eval/score.ts';
import { silence, wavBytes } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { pcmOf } from '#testbed/clients/live-client.ts';

const SENTENCE = '我住喺九龍，返工要搭地鐵。';
/** Made-up speech is read by the built-in recognizer with few errors. */
const MAX_ERROR = 0.35;

/**
 * The clients to run: `folder` has their packages already; `only`: their names, null for all;
 * `isShort`: those that are installed in seconds.
 */
export type Choice = { folder: string | null; only: readonly string[] | null; isShort: boolean };

/** An ability of a client, and the text that it received or the reason why it failed. */
export type Outcome = { does: string; got: string };

/** Writes the sentence that all clients send, as sentence.wav and sentence.pcm (16 kHz). */
export async function writeSentence(folder: string): Promise<void> {
  const spoken = await speak(toJyutping(SENTENCE));
  const sound = joinSounds([silence(700, spoken.sampleRateHz), spoken, silence(1_500, spoken.sampleRateHz)], 0);
  await writeFile(join(folder, 'sentence.pcm'), pcmOf(sound, 16_000));
  await writeFile(join(folder, 'sentence.wav'), wavBytes(sound));
}

/** Prints the rows of a table for each client, and collects what does not work. */
export function createTable() {
  const failed: string[] = [];
  return {
    add(name: string, version: string, outcomes: readonly Outcome[]): void {
      for (const outcome of outcomes) {
        const isRight = isExpected(outcome);
        if (!isRight) failed.push(`${name}: ${outcome.does}`);
        console.log(
          `| ${version} | ${outcome.does} | ${isRight ? '' : 'FAILED '}${outcome.got.replaceAll(/\s+/g, ' ').trim()} |`,
        );
      }
    },
    /** Prints the sum; returns whether everything worked. */
    end(): boolean {
      console.log(failed.length === 0 ? 'Everything works.' : `These do not work: ${failed.join('; ')}`);
      return failed.length === 0;
    },
  };
}

/** Whether the sentence was understood, wherever its text is expected, and nothing failed. */
function isExpected({ does, got }: Outcome): boolean {
  if (got.startsWith('FAILED') || got === '' || got === 'None' || got.startsWith('0 ')) return false;
  if (!/^(?:file|live|realtime|push|SubRip|WebVTT|Flux)/.test(does)) return true;
  const [letters, expected] = [got, SENTENCE].map((text) => text.match(/\p{Script=Han}/gu) ?? []);
  return editDistance(letters ?? [], expected ?? []) / (expected ?? []).length <= MAX_ERROR;
}

/** Runs a program that prints a line of JSON for each ability; a failure of its own counts too. */
export async function outcomesOf(
  command: string,
  programArguments: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome[]> {
  const { status, output } = await run(command, programArguments, { env: { ...process.env, ...environment } });
  const lines = output.split('\n').filter((line) => line.startsWith('{"does"'));
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  return status === 0 ? outcomes : [...outcomes, { does: 'end', got: `FAILED ${output.trim().slice(-300)}` }];
}

/** Runs a program; returns what it printed to both outputs. */
export async function run(
  command: string,
  programArguments: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
) {
  const child = spawn(command, programArguments, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const add = (text: string) => (output += text);
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
