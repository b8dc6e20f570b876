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
 * A toy synthesiser that is honest unless `settings.LIE` names a rule of the contract: then it
 * breaks that one. It hums each character for a fifth of a second, in the pitch of the voice.
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'lying-engine',
  models: ({ settings }) => [
    {
      name: 'hummer',
      version: settings['LIE'] === 'capabilities are stated' ? '' : '1',
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
  if (modelName !== 'hummer' && !isLie('a model that nobody has is refused')) throw new AppError('engine_unavailable');
  let closings = 0;
  let requests = 0;
  let listeners = 0;
  return {
    async *synthesize(request, signal) {
      requests += 1;
      // Lies of engines that keep something between requests.
      const isLonger = isLie('the same request in turn is the same length') && requests > 1;
      const isMixed = isLie('two requests at once do not mix') && listeners > 0;
      const isJammed = isLie('who stops listening frees the engine') && listeners > 0;
      listeners += 1;
      if (isJammed) await sleep(60_000, undefined, { ref: false });
      const pieces = isLonger || isMixed ? [...request.pieces, ...request.pieces] : request.pieces;
      yield* hum({ request: { ...request, pieces }, signal, isLie });
      listeners -= 1;
    },
    async close() {
      closings += 1;
      if (closings > 1 && isLie('closing twice is closing once')) throw new AppError('internal_error');
    },
  };
}

async function* hum(humming: Humming): AsyncGenerator<SynthesisEvent> {
  const { request, signal, isLie } = humming;
  if (!isLie('an abort before the start makes no sound')) signal.throwIfAborted();
  if (isLie('an abort after the end changes nothing')) {
    signal.addEventListener('abort', () => void (isBroken.value = true));
    if (isBroken.value) return;
  }
  if (isLie('nothing is made far ahead of the pull')) for (const piece of request.pieces) void piece.spokenForm;
  const isDeaf =
    isLie('an abort before the start makes no sound') ||
    isLie('an abort while nobody listens ends it at the next look');
  let startMs = 0;
  for (const piece of request.pieces) {
    for (const word of piece.phrases.flatMap(({ words }) => words)) {
      for (const event of wordEvents(word, startMs, humming)) {
        await sleep(isLie('an abort while it works ends it at once') ? 4_000 : 0);
        if (!isDeaf) signal.throwIfAborted();
        if (event.type === 'audio') startMs += event.samples.length / MS;
        yield event;
      }
    }
  }
}

/** Of an engine that never recovers from an abort. */
const isBroken = { value: false };

function* wordEvents(word: SpokenWord, startMs: number, { request, isLie }: Humming): Generator<SynthesisEvent> {
  const isOdd = !/\p{L}/u.test(word.spokenForm);
  if (isOdd && isLie('what cannot be said does no harm')) throw new AppError('engine_failed');
  const speed = isLie('speed shortens the sound where it is promised') ? 1 : request.speed;
  const semitones = isLie('pitch rises where it is promised') ? 0 : request.pitchSemitones;
  const medianHz = isLie('the voice is heard where it is promised') ? 180 : request.voice.profile.pitchMedianHz;
  const lengthMs = isLie('sound lasts as long as the text would take to say')
    ? 5
    : (NOTE_MS * word.written.length) / speed;
  const samples = isOdd ? new Float32Array(MS) : note(medianHz * 2 ** (semitones / 12), lengthMs);
  const told = { text: word.written, startMs, endMs: startMs + samples.length / MS };
  if (isLie('a word is heard when it is told')) samples.fill(0, 0, isFirst(word, request) ? 0 : samples.length);
  if (isLie('samples are finite and within full scale')) samples[100] = NaN;
  if (isLie('times are ordered and inside the sound')) told.endMs += 60_000;
  const isWhole = !isLie('one syllable is audible and whole');
  const step = isLie('an event holds some sound, and a quarter of a second at most') ? 12_000 : EVENT_SAMPLES;
  const until = isWhole ? samples.length : samples.length / 2;
  for (let at = 0; at < until; at += step) {
    yield { type: 'audio', samples: samples.slice(at, Math.min(until, at + step)) };
  }
  yield { type: 'word', word: told, syllables: [] };
  if (isLie('every word is told once and in order, where times are promised'))
    yield { type: 'word', word: told, syllables: [] };
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
