import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editDistance } from '../../../eval/score.ts';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { pcmOf } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import type { Choice } from '../table.ts';

/**
 * The version 2.0.0 that the registry calls the latest is older: it asks for version 1.1.0 of the
 * agents.
 */
const PACKAGES = ['@livekit/agents@1.9.0', '@livekit/agents-plugin-openai@1.9.0', '@livekit/rtc-node@0.13.35', 'zod@4'];
const SENTENCE = '我住喺九龍，返工要搭地鐵。';
const MAX_ERROR = 0.3;

type Event = { type: string; text?: string; language?: string };

/**
 * Installs the speech-to-text of LiveKit agents (about 300 MB), streams it a sentence through the
 * service and prints what an agent gets. Returns whether every case got live text and the right
 * final one.
 */
export async function runLivekit({ folder: installed }: Choice): Promise<boolean> {
  await using folder = await temporaryFolder();
  const programs = installed ?? join(folder.path, 'livekit');
  if (installed === null) {
    await mkdir(programs);
    await writeFile(join(programs, 'package.json'), '{"type":"module","private":true}');
    console.error(`Installing ${PACKAGES.join(', ')} into ${programs} ...`);
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], programs);
  }
  const program = join(programs, 'jyutsing-compat.mjs');
  await copyFile(join(import.meta.dirname, 'program.js'), program);
  const service = await startService(join(folder.path, 'data'), { WARM_UP: 'listen,live' });
  try {
    const spoken = await speak(toJyutping(SENTENCE));
    const sound = joinSounds([silence(700, spoken.sampleRateHz), spoken, silence(1_500, spoken.sampleRateHz)], 0);
    const soundPath = join(folder.path, 'sentence.pcm');
    await writeFile(soundPath, pcmOf(sound, 24_000));
    const play = async (...caseNames: string[]): Promise<unknown> =>
      JSON.parse(
        await run(process.execPath, [program, `${service.baseUrl}/v1`, OWNER_KEY, soundPath, ...caseNames], programs),
      );
    let isAllRight = true;
    for (const name of (await play()) as string[])
      isAllRight = report(name, (await play(name)) as Event[]) && isAllRight;
    return isAllRight;
  } finally {
    await service.stop();
  }
}

/** Prints one case; returns whether it got what it should. */
function report(name: string, events: readonly Event[]): boolean {
  const final = events.find(({ type }) => type === 'FINAL_TRANSCRIPT');
  const live = events.filter(({ type }) => type === 'INTERIM_TRANSCRIPT').length;
  const isStream = !name.includes('without a stream');
  const error = final === undefined ? 1 : errorIn(final.text ?? '');
  const isRight = error <= MAX_ERROR && (!isStream || live > 0);
  const failure = events.find(({ type }) => type === 'FAILED')?.text ?? '';
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name}: ${live} live texts, "${final?.text ?? ''}" ${failure}`);
  return isRight;
}

function errorIn(text: string): number {
  const [heardLetters, expected] = [text, SENTENCE].map((sentence) => [...sentence.replaceAll(/[\s，。]/gu, '')]) as [
    string[],
    string[],
  ];
  return editDistance(heardLetters, expected) / expected.length;
}

/** Runs a program and returns what it prints; its errors are shown. Throws when it fails. */
async function run(command: string, programArguments: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, programArguments, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${command} ended with status ${status}:\n${output}`);
  return output;
}
