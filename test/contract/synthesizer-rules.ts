import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SynthesisEvent,
  type SynthesisRequest,
  type Synthesizer,
  type SynthesizerEngine,
  type SynthesizerModel,
} from '@jyutsing/contracts/synthesizer';
import { requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';

/** An engine under test, and texts that it can pronounce. */
export type SynthesizerSubject = {
  /** The folder of the engine. */
  folder: string;
  engine: SynthesizerEngine;
  model: SynthesizerModel;
  env: EngineEnv;
  /** At least three pieces with some seconds of speech and a long word. */
  pieces: readonly SpokenPiece[];
  /** Pieces whose lengths differ from those of `pieces`. */
  otherPieces: readonly SpokenPiece[];
  /** One syllable. */
  syllable: SpokenPiece;
  /** Words with unpronounceable text between them. */
  odd: SpokenPiece;
  /** Limit for a request after abandoned ones; 8 s by default. */
  recoveryMs?: number;
};

type Subject = SynthesizerSubject;
const MS = SYNTHESIS_SAMPLE_RATE_HZ / 1_000;
/** Duration of a syllable in the fastest and slowest speech, including pauses. */
const SHORTEST_SYLLABLE_MS = 60;
const LONGEST_SYLLABLE_MS = 900;
const AUDIBLE = 0.01;
const LONG = 12;

/**
 * Rules for every synthesizer, by name. Each throws an AssertionError when the subject breaks it.
 */
const SYNTHESIZER_RULES = {
  'capabilities are declared': async ({ folder, engine, model, env }: Subject) => {
    assert.equal(engine.name, folder);
    for (const { name } of [engine, model]) assert.match(name, /^[a-z0-9][a-z0-9.-]*$/);
    const names = engine.models(env).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, 'two models have the same name');
    assert.ok(model.version.length > 0, 'the version is part of the cache key');
    const qualities = Object.values(model.capabilities.languages);
    assert.ok(qualities.length > 0, 'a model without a language is never selected');
    for (const quality of qualities) assert.ok(quality > 0 && quality <= 100, `a quality of ${quality}`);
  },
  'an unknown model is refused': async ({ engine, env }: Subject) => {
    const thrown = await engine.open(env, 'unknown').catch((error: unknown) => error);
    assert.equal(codeOf(thrown), 'engine_unavailable');
  },
  'samples are finite and within full scale': async (subject: Subject) => {
    const sound = soundOf(await speakPieces(subject));
    assert.ok(sound.every((sample) => sample >= -1 && sample <= 1));
  },
  'audio events are not empty and at most a quarter of a second long': async (subject: Subject) => {
    for (const event of await speakPieces(subject)) {
      if (event.type === 'audio') assert.ok(event.samples.length > 0 && event.samples.length <= 250 * MS);
    }
  },
  'the duration of the audio is plausible for the text': async (subject: Subject) => {
    const lengthMs = soundOf(await speakPieces(subject)).length / MS;
    const syllables = syllablesOf(subject.pieces);
    assert.ok(lengthMs > SHORTEST_SYLLABLE_MS * syllables, `${lengthMs} ms for ${syllables} syllables`);
    assert.ok(lengthMs < LONGEST_SYLLABLE_MS * syllables, `${lengthMs} ms for ${syllables} syllables`);
  },
  'a single syllable is audible and not cut off': async (subject: Subject) => {
    const sound = soundOf(await speak(subject, [subject.syllable]));
    const loudest = peak(sound);
    assert.ok(loudest > 0.03, `its peak is ${loudest}`);
    const audible = sound.filter((sample) => Math.abs(sample) > loudest / 20).length / MS;
    assert.ok(audible > 40, `${audible} ms are audible`);
    assert.ok(peak(sound.subarray(-3 * MS)) < loudest / 5, 'the end is cut off');
    assert.ok(peak(sound.subarray(0, MS)) < loudest / 2, 'the beginning is cut off');
  },
  'unpronounceable text does not affect the words around it': async (subject: Subject) => {
    const sound = soundOf(await speak(subject, [subject.odd]));
    const usual = soundOf(await speak(subject, subject.pieces.slice(0, 1)));
    assert.ok(peak(sound) > peak(usual) / 4, 'the words around it are missing');
    assert.ok(sound.length / MS < LONGEST_SYLLABLE_MS * syllablesOf([subject.odd]));
  },
  'word events come once per word and in order if declared': async (subject: Subject) => {
    const texts = wordsOf(await speakPieces(subject)).map(({ word }) => word.text);
    const { wordTimes } = subject.model.capabilities;
    assert.deepEqual(texts, wordTimes ? writtenIn(subject.pieces) : []);
  },
  'word times are ordered and within the audio': async (subject: Subject) => {
    const events = await speakPieces(subject);
    const lengthMs = soundOf(events).length / MS;
    let reachedMs = 0;
    for (const { word, syllables } of wordsOf(events)) {
      assert.ok(word.startMs >= reachedMs - 1, `a word starts at ${word.startMs}, before ${reachedMs}`);
      assert.ok(
        word.endMs > word.startMs && word.endMs <= lengthMs + 1,
        `${word.startMs}–${word.endMs} of ${lengthMs}`,
      );
      let withinMs = word.startMs;
      for (const { startMs, endMs } of syllables) {
        assert.ok(
          startMs >= withinMs - 1 && endMs >= startMs && endMs <= word.endMs + 1,
          `a syllable at ${startMs}–${endMs}`,
        );
        withinMs = endMs;
      }
      reachedMs = word.endMs;
    }
  },
  'the audio is not silent during a word': async (subject: Subject) => {
    const events = await speakPieces(subject);
    const sound = soundOf(events);
    for (const { word } of wordsOf(events)) {
      const there = peak(sound.subarray(Math.floor(word.startMs * MS), Math.ceil(word.endMs * MS)));
      assert.ok(there > peak(sound) / 20, `silence where "${word.text}" should be`);
    }
  },
  'speed shortens the audio if declared': async (subject: Subject) => {
    if (!subject.model.capabilities.adjusts.speed) return;
    const usual = audibleMs(soundOf(await speakPieces(subject)));
    const fast = audibleMs(soundOf(await speak(subject, subject.pieces, { speed: 2 })));
    assert.ok(usual / fast > 1.5 && usual / fast < 2.6, `speed 2 is ${usual / fast} times as fast`);
  },
  'a pitch shift raises the pitch if declared': async (subject: Subject) => {
    if (!subject.model.capabilities.adjusts.pitch) return;
    const usual = pitchOf(await speak(subject, subject.pieces, { pitchSemitones: -3 }));
    const high = pitchOf(await speak(subject, subject.pieces, { pitchSemitones: 4 }));
    const semitones = 12 * Math.log2(high / usual);
    assert.ok(Math.abs(semitones - 7) < 2.5, `7 semitones are ${semitones}`);
  },
  'the pitch of the voice is cloned if declared': async (subject: Subject) => {
    const { clones } = subject.model.capabilities;
    if (clones === 'none') return;
    const pitches: number[] = [];
    for (const hz of [120, 240]) {
      const voice = voiceOf(clones === 'reference' ? hz : null);
      const like = { ...voice, profile: { ...voice.profile, pitchMedianHz: hz } };
      pitches.push(pitchOf(await speak(subject, subject.pieces, { voice: like, temperature: 0 })));
    }
    const [low = 0, high = 0] = pitches;
    assert.ok(high / low > 1.5, `voices of 120 and 240 Hz have a pitch of ${low} and ${high}`);
  },
  'a repeated request gives audio of the same length': async (subject: Subject) => {
    await using open = await opened(subject);
    const request = requestOf(subject.pieces);
    const lengths = [];
    for (let turn = 0; turn < 2; turn += 1) lengths.push(soundOf(await speakAll(open.synthesizer, request)).length);
    assertAlike(lengths[1] ?? 0, lengths[0] ?? 0);
  },
  'concurrent requests are independent': async (subject: Subject) => {
    const requests = [subject.pieces, subject.otherPieces].map((pieces) => requestOf(pieces));
    await using open = await opened(subject);
    const alone: SynthesisEvent[][] = [];
    for (const request of requests) alone.push(await speakAll(open.synthesizer, request));
    const together = await Promise.all(requests.map((request) => speakAll(open.synthesizer, request)));
    for (const [index, events] of together.entries()) {
      assertAlike(soundOf(events).length, soundOf(alone[index] ?? []).length);
      assert.deepEqual(textsOf(events), textsOf(alone[index] ?? []));
    }
  },
  'an abort before the start gives no audio': async (subject: Subject) => {
    await using open = await opened(subject);
    const reason = { because: 'too late' };
    let events = 0;
    const ended = await settled(async () => {
      for await (const _ of open.synthesizer.synthesize(requestOf(subject.pieces), AbortSignal.abort(reason)))
        events += 1;
    });
    assert.deepEqual([events, ended], [0, reason]);
  },
  'an abort while paused ends the stream at the next pull': async (subject: Subject) => {
    await using open = await opened(subject);
    const { reason, iterator, abort } = begin(open.synthesizer, subject.pieces);
    await iterator.next();
    abort();
    assert.equal(await quickly(settled(() => iterator.next())), reason);
  },
  'an abort during synthesis ends it at once': async (subject: Subject) => {
    await using open = await opened(subject);
    const { reason, iterator, abort } = begin(open.synthesizer, repeat(subject.pieces));
    const ended = settled(async () => {
      while ((await iterator.next()).done !== true);
    });
    await sleep(5);
    abort();
    assert.equal(await quickly(ended), reason);
    // The next request is served.
    assert.ok(soundOf(await speakAll(open.synthesizer, requestOf([subject.syllable]))).length > 0);
  },
  'an abort after the end has no effect': async (subject: Subject) => {
    await using open = await opened(subject);
    const abort = new AbortController();
    await speakAll(open.synthesizer, requestOf([subject.syllable]), abort.signal);
    abort.abort({ because: 'too late' });
    assert.ok(soundOf(await speakAll(open.synthesizer, requestOf([subject.syllable]))).length > 0);
  },
  'abandoned streams do not block the engine': async (subject: Subject) => {
    await using open = await opened(subject);
    const abandonAndSpeak = async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const { iterator } = begin(open.synthesizer, repeat(subject.pieces));
        await iterator.next();
        await iterator.return?.();
      }
      return (await speakAll(open.synthesizer, requestOf([subject.syllable]))).length > 0;
    };
    assert.equal(
      await Promise.race([
        abandonAndSpeak(),
        sleep(subject.recoveryMs ?? 8_000, 'it is still busy with abandoned streams'),
      ]),
      true,
    );
  },
  'synthesis does not run far ahead of the consumer': async (subject: Subject) => {
    const { readings, unit } = subject.model.capabilities;
    // Engines that take a whole text must read all of it; their own tests count what the server
    // sends.
    if (unit === 'text') return;
    await using open = await opened(subject);
    const accessed = new Set<number>();
    // The property that audio is made from; some engines read the other one for random choices.
    const key = readings ? 'phrases' : 'spokenForm';
    const pieces = repeat(subject.pieces).map((piece, index) => watched(piece, key, () => accessed.add(index)));
    const { iterator } = begin(open.synthesizer, pieces);
    await iterator.next();
    await sleep(300);
    assert.ok(accessed.size < pieces.length / 2, `${accessed.size} of ${pieces.length} pieces were synthesized ahead`);
    await iterator.return?.();
  },
  'close can be called twice': async (subject: Subject) => {
    const synthesizer = await subject.engine.open(subject.env, subject.model.name);
    await synthesizer.close();
    await synthesizer.close();
  },
} satisfies Record<string, (subject: Subject) => Promise<void>>;

export type SynthesizerRule = keyof typeof SYNTHESIZER_RULES;
export const SYNTHESIZER_RULE_NAMES = Object.keys(SYNTHESIZER_RULES) as SynthesizerRule[];

/** Checks one rule; rejects with an AssertionError when the engine breaks it. */
export async function checkSynthesizer(rule: SynthesizerRule, subject: SynthesizerSubject): Promise<void> {
  await SYNTHESIZER_RULES[rule](subject);
}

async function opened({ engine, env, model }: Subject): Promise<{ synthesizer: Synthesizer } & AsyncDisposable> {
  const synthesizer = await engine.open(env, model.name);
  return { synthesizer, [Symbol.asyncDispose]: () => synthesizer.close() };
}

const spoken = new WeakMap<Subject, Promise<SynthesisEvent[]>>();

/** Returns the events of `pieces`, which are spoken once for all rules about them. */
function speakPieces(subject: Subject): Promise<SynthesisEvent[]> {
  const events = spoken.get(subject) ?? speak(subject, subject.pieces);
  spoken.set(subject, events);
  return events;
}

async function speak(
  subject: Subject,
  pieces: readonly SpokenPiece[],
  changes: Partial<Omit<SynthesisRequest, 'pieces'>> = {},
): Promise<SynthesisEvent[]> {
  await using open = await opened(subject);
  return await speakAll(open.synthesizer, requestOf(pieces, changes));
}

/** A request whose events are pulled one by one. */
function begin(synthesizer: Synthesizer, pieces: readonly SpokenPiece[]) {
  const abort = new AbortController();
  const reason = { because: 'the client left' };
  const iterator = synthesizer.synthesize(requestOf(pieces), abort.signal)[Symbol.asyncIterator]();
  return { iterator, reason, abort: () => abort.abort(reason) };
}

function settled(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => 'it was not aborted',
    (thrown: unknown) => thrown,
  );
}

function quickly(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, sleep(1_500, 'it did not stop')]);
}

function repeat(pieces: readonly SpokenPiece[]): SpokenPiece[] {
  return Array.from({ length: LONG }, () => pieces).flat();
}

/** A piece that reports accesses to a property. */
function watched(piece: SpokenPiece, accessed: 'phrases' | 'spokenForm', onAccess: () => void): SpokenPiece {
  return new Proxy(piece, {
    get(target, key) {
      if (key === accessed) onAccess();
      return Reflect.get(target, key) as unknown;
    },
  });
}

function wordsOf(events: readonly SynthesisEvent[]) {
  return events.flatMap((event) => (event.type === 'word' ? [event] : []));
}

function textsOf(events: readonly SynthesisEvent[]): string[] {
  return wordsOf(events).map(({ word }) => word.text);
}

function writtenIn(pieces: readonly SpokenPiece[]): string[] {
  return pieces.flatMap(({ phrases }) => phrases.flatMap(({ words }) => words.map(({ written }) => written)));
}

/** Counts each Chinese character as a syllable, and each group of vowels. */
function syllablesOf(pieces: readonly SpokenPiece[]): number {
  return writtenIn(pieces).reduce((sum, word) => sum + (word.match(/[aeiouy]+|\p{Script=Han}/giu)?.length ?? 1), 0);
}

function peak(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

/** Duration of the audible parts, without long pauses. */
function audibleMs(samples: Float32Array): number {
  let audible = 0;
  let quiet = Infinity;
  for (const sample of samples) {
    quiet = Math.abs(sample) > AUDIBLE ? 0 : quiet + 1;
    if (quiet < 60 * MS) audible += 1;
  }
  return audible / MS;
}

function pitchOf(events: readonly SynthesisEvent[]): number {
  const { pitchHz } = trackPitch(soundOf(events), SYNTHESIS_SAMPLE_RATE_HZ);
  const voiced = pitchHz.filter((hz) => hz > 0).toSorted();
  return voiced[voiced.length >> 1] ?? 0;
}

function assertAlike(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 0.03 * expected, `${actual} samples in place of ${expected}`);
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}
