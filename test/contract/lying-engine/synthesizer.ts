import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SynthesisEvent,
  type SynthesisRequest,
  type Synthesizer,
  type SynthesizerEngine,
} from '@jyutsing/contracts/synthesizer';

/**
 * A toy synthesizer that keeps the contract unless `settings.LIE` names a rule, which it then
 * breaks. Hums a fifth of a second per character at the pitch of the voice.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'lying-engine',
  models: ({ settings }) => [
    {
      name: 'hummer',
      version: settings['LIE'] === 'capabilities are declared' ? '' : '1',
      capabilities: {
        languages: { cantonese: 1 },
        clones: 'profile',
        unit: 'piece',
        readings: false,
        wordTimes: true,
        adjusts: { speed: true, pitch: true },
        placement: 'worker',
      },
      availability: { available: true },
    },
  ],
  open,
};

const NOTE_MS = 200;
const EVENT_SAMPLES = 4_800;
const MS = SYNTHESIS_SAMPLE_RATE_HZ / 1_000;

type Humming = { request: SynthesisRequest; signal: AbortSignal; isLie: (rule: string) => boolean };

async function open({ settings }: EngineEnv, modelName: string): Promise<Synthesizer> {
  const isLie = (rule: string) => settings['LIE'] === rule;
  if (modelName !== 'hummer' && !isLie('an unknown model is refused')) throw new AppError('engine_unavailable');
  let closings = 0;
  let requests = 0;
  let openStreams = 0;
  return {
    async *synthesize(request, signal) {
      requests += 1;
      // Faults of engines that keep state between requests.
      const isLonger = isLie('a repeated request gives audio of the same length') && requests > 1;
      const isMixed = isLie('concurrent requests are independent') && openStreams > 0;
      const isBlocked = isLie('abandoned streams do not block the engine') && openStreams > 0;
      openStreams += 1;
      if (isBlocked) await sleep(60_000, undefined, { ref: false });
      const pieces = isLonger || isMixed ? [...request.pieces, ...request.pieces] : request.pieces;
      yield* hum({ request: { ...request, pieces }, signal, isLie });
      openStreams -= 1;
    },
    async close() {
      closings += 1;
      if (closings > 1 && isLie('close can be called twice')) throw new AppError('internal_error');
    },
  };
}

async function* hum(humming: Humming): AsyncGenerator<SynthesisEvent> {
  const { request, signal, isLie } = humming;
  if (!isLie('an abort before the start gives no audio')) signal.throwIfAborted();
  if (isLie('an abort after the end has no effect')) {
    signal.addEventListener('abort', () => void (isBroken.value = true));
    if (isBroken.value) return;
  }
  if (isLie('synthesis does not run far ahead of the consumer'))
    for (const piece of request.pieces) void piece.spokenForm;
  const ignoresAbort =
    isLie('an abort before the start gives no audio') ||
    isLie('an abort while paused ends the stream at the next pull');
  let startMs = 0;
  for (const piece of request.pieces) {
    for (const word of piece.phrases.flatMap(({ words }) => words)) {
      for (const event of wordEvents(word, startMs, humming)) {
        await sleep(isLie('an abort during synthesis ends it at once') ? 4_000 : 0);
        if (!ignoresAbort) signal.throwIfAborted();
        if (event.type === 'audio') startMs += event.samples.length / MS;
        yield event;
      }
    }
  }
}

/** State of an engine that never recovers from an abort. */
const isBroken = { value: false };

function* wordEvents(word: SpokenWord, startMs: number, { request, isLie }: Humming): Generator<SynthesisEvent> {
  const isOdd = !/\p{L}/u.test(word.spokenForm);
  if (isOdd && isLie('unpronounceable text does not affect the words around it')) throw new AppError('engine_failed');
  const speed = isLie('speed shortens the audio if declared') ? 1 : request.speed;
  const semitones = isLie('a pitch shift raises the pitch if declared') ? 0 : request.pitchSemitones;
  const medianHz = isLie('the pitch of the voice is cloned if declared') ? 180 : request.voice.profile.pitchMedianHz;
  const lengthMs = isLie('the duration of the audio is plausible for the text')
    ? 5
    : (NOTE_MS * word.written.length) / speed;
  const samples = isOdd ? new Float32Array(MS) : note(medianHz * 2 ** (semitones / 12), lengthMs);
  const timed = { text: word.written, startMs, endMs: startMs + samples.length / MS };
  if (isLie('the audio is not silent during a word')) samples.fill(0, 0, isFirst(word, request) ? 0 : samples.length);
  if (isLie('samples are finite and within full scale')) samples[100] = NaN;
  if (isLie('word times are ordered and within the audio')) timed.endMs += 60_000;
  const isWhole = !isLie('a single syllable is audible and not cut off');
  const step = isLie('audio events are not empty and at most a quarter of a second long') ? 12_000 : EVENT_SAMPLES;
  const until = isWhole ? samples.length : samples.length / 2;
  for (let at = 0; at < until; at += step) {
    yield { type: 'audio', samples: samples.slice(at, Math.min(until, at + step)) };
  }
  yield { type: 'word', word: timed, syllables: [] };
  if (isLie('word events come once per word and in order if declared'))
    yield { type: 'word', word: timed, syllables: [] };
}

function isFirst(word: SpokenWord, { pieces }: SynthesisRequest): boolean {
  return pieces[0]?.phrases[0]?.words[0] === word;
}

/** A hum with some overtones, as voices have, and soft edges. */
function note(hz: number, lengthMs: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: Math.round(lengthMs * MS) }, (_, i) => {
    const edge = Math.min(1, i / 240, (lengthMs * MS - 1 - i) / 240);
    const angle = (2 * Math.PI * hz * i) / SYNTHESIS_SAMPLE_RATE_HZ;
    return edge * (0.3 * Math.sin(angle) + 0.15 * Math.sin(2 * angle) + 0.08 * Math.sin(3 * angle));
  });
}
