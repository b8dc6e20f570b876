import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editDistance } from '../../../eval/score.ts';
import { silence, wavBytes } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { pcmOf } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { freePort } from '#test/free-port.ts';

/** The clients, each with what has to be installed for it. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  openai: ['openai==3.57.0'],
  'openai-agents': ['openai-agents[voice]==0.24.0'],
  'deepgram-sdk': ['deepgram-sdk==7.17.0'],
  'deepgram-captions': ['deepgram-sdk==7.17.0', 'deepgram-captions==2.0.0'],
  deepctl: ['deepctl==0.4.0'],
  wyoming: ['wyoming==1.10.2'],
  SpeechRecognition: ['openai==3.57.0', 'SpeechRecognition==3.17.0'],
};
const SENTENCE = '我住喺九龍，返工要搭地鐵。';
/** Made-up speech is read by the built-in recognizer with few errors. */
const MAX_ERROR = 0.35;

type Outcome = { does: string; got: string };

/**
 * Installs the Python clients from PyPI into a new environment (about 300 MB), runs each against a
 * service and prints a table. Returns whether everything worked; a client that cannot be installed
 * has not. `environment`: the folder of an environment that has them.
 */
export async function runPython(environment: string | null): Promise<boolean> {
  await using folder = await temporaryFolder();
  const venv = environment ?? join(folder.path, 'venv');
  const python = join(venv, 'bin', 'python');
  if (environment === null) await run('python3', ['-m', 'venv', venv]);
  const spoken = await speak(toJyutping(SENTENCE));
  const sound = joinSounds([silence(700, spoken.sampleRateHz), spoken, silence(1_500, spoken.sampleRateHz)], 0);
  await writeFile(join(folder.path, 'sentence.pcm'), pcmOf(sound, 16_000));
  await writeFile(join(folder.path, 'sentence.wav'), wavBytes(sound));
  const wyoming = String(await freePort());
  const service = await startService(join(folder.path, 'data'), {
    WARM_UP: 'listen,live',
    WYOMING_PORT: wyoming,
    WYOMING_API_KEY: OWNER_KEY,
  });
  const failed: string[] = [];
  try {
    for (const [name, packages] of Object.entries(PROGRAMS)) {
      const missing = environment === null ? await install(python, packages) : null;
      if (missing !== null) {
        failed.push(name);
        console.log(`| ${name} | install | FAILED ${missing} |`);
        continue;
      }
      const program = [
        join(import.meta.dirname, 'programs.py'),
        name,
        folder.path,
        service.baseUrl,
        OWNER_KEY,
        wyoming,
      ];
      for (const outcome of await outcomesOf(python, program)) {
        const isRight = isExpected(outcome);
        if (!isRight) failed.push(`${name}: ${outcome.does}`);
        console.log(`| ${packages.at(-1)} | ${outcome.does} | ${isRight ? '' : 'FAILED '}${outcome.got} |`);
      }
    }
  } finally {
    await service.stop();
  }
  console.log(failed.length === 0 ? 'Everything works.' : `These do not work: ${failed.join('; ')}`);
  return failed.length === 0;
}

/** Returns why packages cannot be installed; null when they are. */
async function install(python: string, packages: readonly string[]): Promise<string | null> {
  const { status, output } = await run(python, ['-m', 'pip', 'install', '-q', '--only-binary', ':all:', ...packages]);
  return status === 0 ? null : (output.trim().split('\n').at(-1) ?? '');
}

/** The abilities that a client showed, and its end if that is no orderly one. */
async function outcomesOf(python: string, program: readonly string[]): Promise<Outcome[]> {
  const { status, output } = await run(python, program);
  const lines = output.split('\n').filter((line) => line.startsWith('{"does"'));
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  return status === 0 ? outcomes : [...outcomes, { does: 'end', got: `FAILED ${output.trim().slice(-300)}` }];
}

/** Whether the sentence was understood, wherever its text is expected, and nothing failed. */
function isExpected({ does, got }: Outcome): boolean {
  if (got.startsWith('FAILED') || got === '' || got === 'None' || got.startsWith('0 ')) return false;
  if (!/^(?:file|live|realtime|push|SubRip|WebVTT|Flux)/.test(does)) return true;
  const [letters, expected] = [got, SENTENCE].map((text) => text.match(/\p{Script=Han}/gu) ?? []);
  return editDistance(letters ?? [], expected ?? []) / (expected ?? []).length <= MAX_ERROR;
}

async function run(command: string, programArguments: readonly string[]) {
  const child = spawn(command, programArguments, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const add = (text: string) => (output += text);
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
