import { setTimeout as sleep } from 'node:timers/promises';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { RecognitionEvent, Recognizer, RecognizerEngine, RecognizerModel } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';

/**
 * A toy recognizer that keeps the contract unless `settings.LIE` names a rule, which it then
 * breaks. Every loud half second is a word. Shows that each rule can fail; the test of "one new
 * folder" copies this folder.
 */
export const engine: RecognizerEngine = {
  ability: 'recognizer',
  name: 'lying-engine',
  models: ({ settings }) => listModels(settings['LIE'] ?? ''),
  open,
};

function listModels(lie: string): RecognizerModel[] {
  const isLie = (rule: string) => lie === rule;
  const quality = isLie('qualities are above 0 and at most 100') ? 101 : 1;
  const plain = { languages: { cantonese: quality }, timestamps: 'word', confidence: true, readings: true } as const;
  const model: RecognizerModel = {
    name: 'toy',
    version: isLie('capabilities are declared') ? '' : '1',
    capabilities: isLie('a reference to a model is plain data') ? Object.assign({ open: () => {} }, plain) : plain,
    availability: { available: true },
  };
  calls += 1;
  if (isLie('a model has a version that stays the same')) return [{ ...model, version: String(calls) }];
  if (isLie('models have unique names')) return [model, model];
  if (isLie('an unavailable model has a reason')) {
    return [{ ...model, availability: { available: false, reason: '' } }];
  }
  // Reports something else at every second call.
  if (isLie('only available models are selected') && calls % 2 === 0) {
    return [{ ...model, availability: { available: false, reason: 'removed' } }];
  }
  return [model];
}
let calls = 0;

type Stream = { lie: string; signal: AbortSignal; words: number };

/** State that a faulty engine shares between streams. */
const shared = { words: 0 };

async function open({ settings }: EngineEnv): Promise<Recognizer> {
  const lie = settings['LIE'] ?? '';
  let closings = 0;
  return {
    concurrency: 1,
    follow: null,
    recognize: (audio, _options, signal) => recognize(audio, { lie, signal, words: 0 }),
    async close() {
      closings += 1;
      if (closings > 1 && lie === 'close can be called twice') throw new AppError('internal_error');
    },
  };
}

async function* recognize(audio: AsyncIterable<PcmChunk>, stream: Stream): AsyncGenerator<RecognitionEvent> {
  const { lie, signal } = stream;
  const isLie = (rule: string) => lie === rule;
  if (isLie('an empty stream gives no segment')) {
    yield { type: 'segment-end', segment: wordAt(0, 1, stream), syllables: null };
  }
  let processedMs = 0;
  for await (const block of inHalfSeconds(audio, stream)) {
    if (isLie('an abort ends the stream within two seconds with its reason')) await sleep(5_000);
    signal.throwIfAborted();
    const { startMs, endMs, isLoud } = block;
    if (isLoud || isLie('silence gives no segment')) {
      const segment = wordAt(startMs, endMs, stream);
      if (!isLie('speech gives text')) yield { type: 'segment-end', segment: distort(segment, lie), syllables: null };
    }
    processedMs = endMs;
    const back = isLie('progress never decreases and stays within the recording') ? 2 * (processedMs % 1_000) : 0;
    if (isLie('progress events come during recognition')) continue;
    yield { type: 'progress', stage: 'recognition', processedMs: processedMs - back };
  }
}

async function* inHalfSeconds(audio: AsyncIterable<PcmChunk>, { lie }: Stream) {
  const leastSamples = lie === 'the size of the chunks does not change the text' ? 1 : 8_000;
  let held: number[] = [];
  let startMs = 0;
  const blockOf = (samples: number[]) => {
    const block = {
      startMs,
      endMs: startMs + samples.length / 16,
      isLoud: samples.some((value) => Math.abs(value) > 0.05),
    };
    startMs = block.endMs;
    return block;
  };
  try {
    for await (const chunk of audio) {
      for (const sample of chunk.samples) held.push(sample);
      while (held.length >= leastSamples) yield blockOf(held.splice(0, 8_000));
    }
  } catch (thrown) {
    if (lie !== 'an error of the audio source is passed on') throw thrown;
  }
  if (held.length > 0) yield blockOf(held);
  held = [];
}

function wordAt(startMs: number, endMs: number, stream: Stream): Segment {
  const counter = stream.lie === 'concurrent streams are independent' ? shared : stream;
  counter.words += 1;
  const text = `word${counter.words}`;
  const word = { text, reading: 'zi6', startMs, endMs, confidence: 0.5 };
  return { text, startMs, endMs, words: [word], speaker: null, confidence: 0.5 };
}

function distort(segment: Segment, lie: string): Segment {
  const [word] = segment.words;
  if (word === undefined) return segment;
  const withWord = (changes: Partial<typeof word>) => ({ ...segment, words: [{ ...word, ...changes }] });
  switch (lie) {
    case 'text is never empty':
      return { ...segment, text: ' ' };
    case 'segments are ordered and do not overlap':
      return { ...segment, startMs: 0 };
    case 'segments lie within the recording':
      return { ...segment, endMs: segment.endMs + 1e6 };
    case 'words lie within their segment, in order':
      return withWord({ endMs: segment.endMs + 10 });
    case 'segments have words if word times are declared':
      return { ...segment, words: [] };
    case 'confidence is within 0..1, or null if not declared':
      return withWord({ confidence: 1.5 });
    case 'readings are given if declared':
      return withWord({ reading: null });
    default:
      return segment;
  }
}
