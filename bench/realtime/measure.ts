import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@jyutsing/numeric/statistics';
import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { createLiveCorrection } from '#server/workers/live/live-correction.ts';
import { createLiveRecognition } from '#server/workers/live/live-recognition.ts';
import { transcriptionTask } from '#server/workers/tasks/transcribe.ts';
import { createWorkerPools, type WorkerPools } from '#server/workers/worker-pools.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { editDistance } from '../../eval/score.ts';
import { makeSpokenSentences } from '../../eval/spoken-sentences.ts';
import { textTokens } from '../../eval/tokens.ts';
import type { Measurement } from '../report.ts';
import { playSentences, toSentence, type PlayedSentence, type Sentence } from './play-sentences.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const never = new AbortController().signal;
/** Number of simultaneous sentences where the number of sessions is not measured. */
const QUIET_SESSIONS = 2;
/**
 * Milliseconds between the beginnings of sessions, because people do not begin in the same moment.
 */
const BEGIN_APART_MS = 100;
/** The default of LIVE_CORRECTION_MS. */
const CORRECTION_MS = 300;
const GOALS = { firstDeltaMs: 600, completionMs: 500, behindMs: 1_000, behindShare: 1.5, errorPoints: 2 };

type Spoken = Sentence & { path: string };

/** Live recognition beside that of recordings: errors and latencies, in each language. */
export async function measureLatency(sentenceCount = Infinity): Promise<Measurement[]> {
  await using bench = await openBench();
  const results: Measurement[] = [];
  for (const language of LANGUAGES) {
    console.error(` ${language}`);
    const sentences = await bench.sentences(language, sentenceCount);
    // Loads the model of the language.
    await bench.play(sentences.slice(0, 1), 1);
    const played = await bench.play(sentences, QUIET_SESSIONS);
    const live = errorOf(played.map(({ sentence, text }) => ({ sentence, text })));
    const offline = errorOf(await bench.recognizeRecordings(sentences));
    const value = `${percent(live)} live, ${percent(offline)} as recordings`;
    const goal = `at most ${GOALS.errorPoints} points more`;
    const met = (live - offline) * 100 <= GOALS.errorPoints;
    results.push({ label: `${language}: errors`, value, goal, met }, ...latencies(language, played));
  }
  return results;
}

/** Cantonese with a context, whose homophones are corrected before the text is complete. */
export async function measureCorrection(sentenceCount = Infinity): Promise<Measurement[]> {
  await using bench = await openBench();
  const sentences = await bench.sentences('cantonese', sentenceCount);
  await bench.play(sentences.slice(0, 1), 1);
  // Both run at the same time, which halves the time and puts them under the same load.
  const [plain, corrected] = await Promise.all([
    bench.play(sentences, QUIET_SESSIONS),
    bench.play(sentences, QUIET_SESSIONS, { context: '閒談' }),
  ]);
  const errors = [plain, corrected].map((played) => errorOf(played.map(({ sentence, text }) => ({ sentence, text }))));
  const [without = 0, withCorrection = 0] = errors;
  return [
    {
      label: 'errors',
      value: `${percent(withCorrection)} corrected, ${percent(without)} as recognized`,
      goal: 'no more',
      met: withCorrection <= without,
    },
    ...latencies('corrected', corrected),
  ];
}

/** Many sessions at the same time, all of which speak. */
export async function measureSessions(count: number): Promise<Measurement[]> {
  await using bench = await openBench();
  const sentences = await bench.sentences('cantonese', Infinity);
  // The first sessions start the processes, which load their models.
  await bench.play(sentences.slice(0, 8), 8);
  const played = await bench.play([...sentences, ...sentences], count);
  const behindMs = furthestBehindMs(played);
  return [
    ...latencies(`${count} sessions`, played),
    {
      label: `${count} sessions: furthest behind`,
      value: `${Math.round(behindMs)} ms`,
      goal: `≤ ${GOALS.behindMs} ms`,
      met: behindMs <= GOALS.behindMs,
    },
  ];
}

/** The same number of sessions with and without speakers, one after the other. */
export async function measureSpeakers(count: number): Promise<Measurement[]> {
  await using bench = await openBench();
  const sentences = await bench.sentences('cantonese', Infinity);
  const rows: Measurement[] = [];
  const behindMs: number[] = [];
  for (const withSpeakers of [false, true]) {
    await bench.play(sentences.slice(0, 8), 8, { withSpeakers });
    const played = await bench.play([...sentences, ...sentences], count, { withSpeakers });
    rows.push(...latencies(`${count} sessions ${withSpeakers ? 'with' : 'without'} speakers`, played));
    behindMs.push(furthestBehindMs(played));
  }
  const [without = 0, withThem = 0] = behindMs.map(Math.round);
  const value = `${withThem} ms with speakers, ${without} ms without`;
  const met = withThem <= Math.max(GOALS.behindMs, GOALS.behindShare * without);
  const goal = `≤ ${GOALS.behindMs} ms, or ${GOALS.behindShare} times that without`;
  return [...rows, { label: `${count} sessions: furthest behind`, value, goal, met }];
}

const furthestBehindMs = (played: readonly PlayedSentence[]): number =>
  Math.max(...played.flatMap(({ completionMs }) => completionMs ?? Infinity));

function latencies(label: string, played: readonly PlayedSentence[]): Measurement[] {
  return (['firstDeltaMs', 'completionMs'] as const).map((what) => {
    const all = played.flatMap((sentence) => sentence[what] ?? []);
    const [median, high] = [quantile(all, 0.5), quantile(all, 0.95)];
    return {
      label: `${label}: ${what === 'firstDeltaMs' ? 'first text' : 'complete'}, median / 95 %`,
      value: `${Math.round(median)} / ${Math.round(high)} ms (${all.length} of ${played.length})`,
      goal: `≤ ${GOALS[what]} ms`,
      met: median <= GOALS[what],
    };
  });
}

async function openBench() {
  const folder = await temporaryFolder();
  const count = availableParallelism();
  const env = { builtinModelsDir: join(PROJECT, 'models'), modelsDir: join(PROJECT, 'models-pulled'), settings: {} };
  const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  const workers = createWorkerPools({
    count,
    memoryLimitBytes: 2 ** 31,
    modelIdleMs: 600_000,
    interactive: true,
    warmUp: [],
    settings: {
      env,
      enginesDir: SHIPPED_ENGINES_DIR,
      limits: { maxDurationMs: 600_000 },
      silenceTimeoutMs: 30_000,
      fusionChunkBudgetMs: 10_000,
      defaultModels: { recognizer: 'builtin', synthesizer: 'auto' },
    },
  });
  const live = createLiveRecognition(workers, count, createLiveCorrection(workers, CORRECTION_MS));
  const modelsOf = (language: Language): LiveOptions['models'] => ({
    recognizers: { [language]: registry.select('recognizer', { language, model: 'builtin' }) },
    languageIdentifier: null,
  });
  const open = (options: LiveOptions) => live.open({ ...options, accountId: 'a' }, never);
  const [romanizer] = registry.selectAll('romanizer');
  const correction =
    romanizer === undefined ? null : { romanizer, correctors: registry.selectAll('corrector').slice(-1) };
  return {
    async sentences(language: Language, sentenceCount: number): Promise<Spoken[]> {
      const [set] = await makeSpokenSentences(join(folder.path, 'sentences'), [language], sentenceCount);
      const spoken: Spoken[] = [];
      for (const { path, text } of set?.items ?? []) {
        if (text === null) continue;
        spoken.push({ ...toSentence(text, language, await readSound(path)), path });
      }
      return spoken;
    },
    /** `context`: as the prompt of a client, which has corrections made. */
    async play(
      sentences: readonly Spoken[],
      sessions: number,
      { context = null, withSpeakers = false }: { context?: string | null; withSpeakers?: boolean } = {},
    ): Promise<PlayedSentence[]> {
      const models = modelsOf(sentences[0]?.language ?? 'cantonese');
      const diarizer = withSpeakers ? registry.select('diarizer', { model: 'builtin' }) : null;
      const options = { models, context, correction: context === null ? null : correction, diarizer };
      const shares = Array.from({ length: sessions }, (_, at) => sentences.filter((_each, i) => i % sessions === at));
      let spoken = 0;
      const onSpoken = () => {
        spoken += 1;
        if (spoken % 10 === 0 || spoken === sentences.length)
          console.error(`  ${spoken} of ${sentences.length} spoken`);
      };
      const begin = async (share: readonly Spoken[], at: number) => {
        await sleep(at * BEGIN_APART_MS);
        return playSentences(open, options, share, onSpoken);
      };
      return (await Promise.all(shares.map(begin))).flat();
    },
    async recognizeRecordings(sentences: readonly Spoken[]) {
      const recognized: { sentence: Sentence; text: string }[] = [];
      for (const sentence of sentences) {
        const { language, path } = sentence;
        recognized.push({ sentence, text: await recognizeFile(workers, path, language, modelsOf(language)) });
      }
      return recognized;
    },
    async [Symbol.asyncDispose]() {
      await workers.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function recognizeFile(
  workers: WorkerPools,
  path: string,
  language: Language,
  models: LiveOptions['models'],
): Promise<string> {
  const texts: string[] = [];
  const call = {
    path,
    models: { ...models, diarizer: null, romanizer: null, correctors: [] },
    options: { language, context: null, withDiarization: false },
    corporaKey: null,
  };
  for await (const event of workers.stream(transcriptionTask, call, never)) {
    if (event.type === 'segment-end') texts.push(event.segment.text);
  }
  return texts.join(' ');
}

async function readSound(path: string): Promise<Float32Array> {
  const options = { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: 600_000, signal: never };
  return joinSamples((await Array.fromAsync(decodeAudio(path, options))).map(({ samples }) => samples));
}

function errorOf(recognized: readonly { sentence: Sentence; text: string }[]): number {
  let errors = 0;
  let length = 0;
  for (const { sentence, text } of recognized) {
    const expected = textTokens(sentence.language, sentence.text);
    errors += editDistance(textTokens(sentence.language, text), expected);
    length += expected.length;
  }
  return errors / length;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
