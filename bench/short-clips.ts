import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { median, sum } from '@jyutsing/numeric/statistics';
import { cpuSeconds, descendants } from '#testbed/service/process-tree.ts';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { engineEnvironment } from './engine-environment.ts';
import { medianWithSpread, type Measurement } from './report.ts';

const run = promisify(execFile);

/** Different recordings of 2 to 6 s, as of a keyboard or an agent. */
const CLIPS = 12;
/** Number of requests at a time. */
const CLIENTS = 16;
/** Requests of a round; the rounds of what is compared alternate. */
const REQUESTS = 96;
const ROUNDS = 5;
const GOAL = 0.75;
const OVER_BARE_GOAL_MS = 20;

/** Clips of a second, and seconds of processor time of a clip. */
type Speed = { rate: number; cost: number };

/** Whether requests name the language of the clips. */
const LANGUAGE_FIELDS = { cantonese: 'yue', auto: null } as const;
type LanguageField = keyof typeof LANGUAGE_FIELDS;

/**
 * Transcribes clips of some seconds by OpenAI's call, which waits for the text: beside a loop of
 * the engine in as many processes as there are processors, and one at a time beside one process.
 */
export async function measureShortClips(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const clips = await writeClips(folder.path);
  await using service = await startClipService(folder.path, clips);
  const results: Measurement[] = [];
  for (const language of ['cantonese', 'auto'] as const) {
    const ratios: number[] = [];
    const overBareMs: number[] = [];
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const served = await service.serve(language);
      const bare = await loopBare(language, clips, availableParallelism());
      const singleMs = await service.singleMs(language);
      const bareMs = 1_000 / (await loopBare(language, clips, 1)).rate;
      ratios.push(served.rate / bare.rate);
      costs.push(served.cost / bare.cost);
      overBareMs.push(singleMs - bareMs);
    }
    const name = language === 'auto' ? 'without a language' : 'of a known language';
    const overMs = median(overBareMs);
    results.push(
      {
        label: `short clips ${name}, ${CLIENTS} at a time ÷ bare loop`,
        value: medianWithSpread(ratios),
        goal: `≥ ${GOAL}`,
        met: median(ratios) >= GOAL,
      },
      {
        label: '  processor time ÷ that of the loop',
        value: medianWithSpread(costs),
        goal: `≤ ${(1 / GOAL).toFixed(2)}`,
        met: median(costs) <= 1 / GOAL,
      },
      {
        label: `  one at a time, over the bare engine`,
        value: `${overMs.toFixed(0)} ms`,
        goal: `≤ ${OVER_BARE_GOAL_MS} ms`,
        met: overMs <= OVER_BARE_GOAL_MS,
      },
    );
  }
  return results;
}

/** The clips of a second that this build and another one transcribe, in rounds that alternate. */
export async function compareShortClips(otherRoot: string, otherName: string): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const clips = await writeClips(folder.path);
  await using service = await startClipService(join(folder.path, 'this'), clips);
  await using other = await startClipService(join(folder.path, 'other'), clips, otherRoot);
  const results: Measurement[] = [];
  for (const language of ['cantonese', 'auto'] as const) {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { rate } = await service.serve(language);
      ratios.push(rate / (await other.serve(language)).rate);
    }
    results.push({
      label: `short clips ${language === 'auto' ? 'without a language' : 'of a known language'} ÷ ${otherName}`,
      value: medianWithSpread(ratios),
      goal: '≥ 1',
      met: median(ratios) >= 1,
    });
  }
  return results;
}

/** Writes sentences of the evaluation as files. */
async function writeClips(folder: string): Promise<string[]> {
  const lines = (await readFile(join(import.meta.dirname, '../eval/sentences-yue.txt'), 'utf8')).trim().split('\n');
  const paths: string[] = [];
  for (const [index, line] of lines.slice(0, CLIPS).entries()) {
    const path = join(folder, `clip-${index}.wav`);
    await writeFile(path, wavBytes(await speak(toJyutping(line))));
    paths.push(path);
  }
  return paths;
}

/** A service with warm models; `root` is the folder of its build. */
async function startClipService(folder: string, paths: readonly string[], root?: string) {
  const clips = await Promise.all(paths.map((path) => readFile(path)));
  const service = await startService(join(folder, 'data'), {}, [], root);
  let requests = 0;
  const transcribe = async (language: LanguageField) => {
    const clip = Buffer.from(clips[requests % clips.length]!);
    // One sample differs, so that no answer comes from the cache.
    clip.writeInt16LE(requests % 30_000, clip.length - 2);
    requests += 1;
    const form = new FormData();
    form.append('model', 'whisper-1');
    const field = LANGUAGE_FIELDS[language];
    if (field !== null) form.append('language', field);
    form.append('file', new Blob([clip]), 'clip.wav');
    const answer = await fetch(`${service.baseUrl}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER_KEY}` },
      body: form,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`a clip was answered ${answer.status}: ${text}`);
  };
  const transcribeAll = (language: LanguageField, count: number) =>
    inParallel([...Array(count).keys()], CLIENTS, () => transcribe(language));
  await transcribeAll('auto', CLIENTS);
  return {
    async serve(language: LanguageField): Promise<Speed> {
      const { pid } = service.process;
      const seconds = () => [pid!, ...descendants(pid!)].reduce((sum, member) => sum + cpuSeconds(member), 0);
      const [before, startedMs] = [seconds(), performance.now()];
      await transcribeAll(language, REQUESTS);
      const rate = (REQUESTS * 1_000) / (performance.now() - startedMs);
      return { rate, cost: (seconds() - before) / REQUESTS };
    },
    async singleMs(language: LanguageField): Promise<number> {
      const times: number[] = [];
      for (const _ of paths) {
        const startedMs = performance.now();
        await transcribe(language);
        times.push(performance.now() - startedMs);
      }
      return median(times);
    },
    [Symbol.asyncDispose]: async () => void (await service.stop()),
  };
}

/** The loop of the engine in some processes at a time. */
async function loopBare(language: LanguageField, clips: readonly string[], processes: number): Promise<Speed> {
  const count = Math.ceil(REQUESTS / processes);
  const script = join(import.meta.dirname, 'bare-clips.ts');
  const all = Array.from({ length: processes }, async () => {
    const bare = run(process.execPath, [script, language, String(count), ...clips], { env: engineEnvironment() });
    // As the workers of the service, which other programs of the machine delay.
    setPriority(bare.child.pid!, constants.priority.PRIORITY_LOW - 4);
    const { stdout } = await bare;
    const [seconds = 0, processorSeconds = 0] = stdout.trim().split(' ').map(Number);
    return { rate: count / seconds, cost: processorSeconds / count };
  });
  const speeds = await Promise.all(all);
  return { rate: sum(speeds.map(({ rate }) => rate)), cost: median(speeds.map(({ cost }) => cost)) };
}
