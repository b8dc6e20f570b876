// Measuring process: one model on one set, so that memory is measured separately and a crash
// affects one row.
import { readFileSync } from 'node:fs';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { loadEngines } from '@jyutsing/engines/registry';
import { serveTasks } from '#server/workers/pool/serve-tasks.ts';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { createDecoder } from '#packages/engines/builtin/decoder/index.ts';
import { cutClips } from './clips.ts';
import { asChunks, decodeRecording, readSamples } from './sound.ts';
import type { AcousticTask, Effort, LanguageTask, MeasureEvent, RecognizerTask } from './tasks.ts';

serveTasks({
  recognizer: (task) => measureRecognizer(task as RecognizerTask),
  acoustic: (task) => measureAcoustic(task as AcousticTask),
  language: (task) => measureLanguage(task as LanguageTask),
});

/**
 * Warm-up: the first inference of a process allocates and compiles, which is excluded from the
 * speed.
 */
const WARM_UP_SECONDS = 10;

async function* measureRecognizer(task: RecognizerTask): AsyncGenerator<MeasureEvent> {
  const registry = await loadEngines(task);
  const engine = registry.engines('recognizer').find(({ name }) => name === task.engine);
  if (engine === undefined) throw new AppError('engine_unavailable');
  const beginning = await beginningOf(task.paths[0]);
  const idleBytes = memory().nowBytes;
  const recognizer = await engine.open(task.env, task.model);
  const transcribe = async (audio: ReturnType<typeof asChunks>): Promise<string> => {
    const options = { language: task.language, context: null, romanize: false };
    const texts: string[] = [];
    for await (const event of recognizer.recognize(audio, options, new AbortController().signal)) {
      if (event.type === 'segment-end') texts.push(event.segment.text);
    }
    return texts.join(' ');
  };
  // Ignore warm-up failures: they recur below, where they are counted.
  await transcribe(asChunks(beginning)).catch(() => '');
  yield* measureEach(task.paths, async (path, addSound) => transcribe(counted(path, addSound)));
  await recognizer.close();
  yield { type: 'memory', peakBytes: memory().peakBytes, idleBytes };
}

async function* measureAcoustic({ modelsDir, language, paths }: AcousticTask): AsyncGenerator<MeasureEvent> {
  const beginning = await beginningOf(paths[0]);
  const idleBytes = memory().nowBytes;
  const files = modelFiles(modelsDir, language);
  const acoustic = await openAcousticModel(files);
  const decoder = createDecoder({ language, labels: acoustic.labels, languageModelPath: files.languageModel });
  await acoustic.compute(beginning).catch(() => null);
  yield* measureEach(paths, async (path, addSound) => {
    const samples = await readSamples(path);
    addSound(samples.length / RECOGNIZER_SAMPLE_RATE_HZ);
    const units = decoder.decodeUnits(await acoustic.compute(samples));
    return units.map(({ onset, rime, tone }) => `${onset}${rime}${tone ?? ''}`).join(' ');
  });
  await acoustic.close();
  yield { type: 'memory', peakBytes: memory().peakBytes, idleBytes };
}

async function* measureLanguage(task: LanguageTask): AsyncGenerator<MeasureEvent> {
  const registry = await loadEngines(task);
  const ref = registry.select('language-identifier', { model: task.engine });
  const beginning = await beginningOf(task.recordings[0]?.path);
  const idleBytes = memory().nowBytes;
  const identifier = await registry.open(ref);
  const identify = (samples: Float32Array) =>
    identifier.identify(asChunks(samples), task.among, new AbortController().signal);
  await identify(beginning).catch(() => null);
  for await (const step of cutClips(task.recordings, task.clipSeconds, task.wholeFromSeconds)) {
    if (step.type !== 'clip') {
      yield step;
      continue;
    }
    const { index, samples } = step;
    const { language, speaker } = task.recordings[index]!;
    try {
      const clock = startClock();
      const found = await identify(samples);
      const effort = { soundSeconds: samples.length / RECOGNIZER_SAMPLE_RATE_HZ, ...clock() };
      yield { type: 'clip', index, language, speaker, identified: found?.language ?? null, ...effort };
    } catch (thrown) {
      yield { type: 'failed', index, reason: toAppError(thrown).message };
      const effort = { soundSeconds: 0, cpuSeconds: 0, elapsedSeconds: 0 };
      yield { type: 'clip', index, language, speaker, identified: null, ...effort };
    }
  }
  await identifier.close();
  yield { type: 'memory', peakBytes: memory().peakBytes, idleBytes };
}

async function* measureEach(
  paths: readonly string[],
  transcribe: (path: string, addSound: (seconds: number) => void) => Promise<string>,
): AsyncGenerator<MeasureEvent> {
  for (const [index, path] of paths.entries()) {
    let soundSeconds = 0;
    const clock = startClock();
    try {
      const text = await transcribe(path, (seconds) => void (soundSeconds += seconds));
      yield { type: 'recognized', index, text, soundSeconds, ...clock() };
    } catch (thrown) {
      yield { type: 'failed', index, reason: toAppError(thrown).message };
    }
    yield { type: 'done', index };
  }
}

/** Measures processor time as well as wall-clock time, which other load lengthens. */
function startClock(): () => Omit<Effort, 'soundSeconds'> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return { cpuSeconds: (user + system) / 1_000_000, elapsedSeconds: (performance.now() - startedMs) / 1_000 };
  };
}

async function* counted(path: string, addSound: (seconds: number) => void): ReturnType<typeof asChunks> {
  for await (const chunk of decodeRecording(path)) {
    addSound(chunk.samples.length / chunk.sampleRateHz);
    yield chunk;
  }
}

/** The first seconds of a recording, or silence if it cannot be read. */
function beginningOf(path: string | undefined): Promise<Float32Array> {
  const silence = new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ);
  return path === undefined ? Promise.resolve(silence) : readSamples(path, WARM_UP_SECONDS).catch(() => silence);
}

/**
 * Resident memory of this process. Linux: from /proc, as `maxRSS` of getrusage survives exec and
 * would report the parent's peak when that was larger.
 */
function memory(): { nowBytes: number; peakBytes: number } {
  if (process.platform === 'linux') {
    const status = readFileSync('/proc/self/status', 'latin1');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024;
    return { nowBytes: read('VmRSS'), peakBytes: read('VmHWM') };
  }
  return { nowBytes: process.memoryUsage.rss(), peakBytes: process.resourceUsage().maxRSS * 1_024 };
}
