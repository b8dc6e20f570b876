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

/** An engine under test, and texts that it can say. */
export type SynthesizerSubject = {
  /** The folder that it was found in. */
  folder: string;
  engine: SynthesizerEngine;
  model: SynthesizerModel;
  env: EngineEnv;
  /** Some seconds: at least three pieces, of which one is a single long word or more. */
  pieces: readonly SpokenPiece[];
  /** Of another length. */
  otherPieces: readonly SpokenPiece[];
  /** One syllable. */
  syllable: SpokenPiece;
  /** Words, and among them something that cannot be said. */
  odd: SpokenPiece;
  /** Until it must speak again when listeners have left; 8 s when nothing is said. */
  patienceMs?: number;
};

type Subject = SynthesizerSubject;
const MS = SYNTHESIS_SAMPLE_RATE_HZ / 1_000;
/** How fast people can speak, and how slowly, pauses included. */
const SHORTEST_SYLLABLE_MS = 60;
const LONGEST_SYLLABLE_MS = 900;
const AUDIBLE = 0.01;
const LONG = 12;

/**
 * What every synthesiser promises, by name. Each takes a subject and throws an AssertionError when
 * the promise is broken.
 */
export const SYNTHESIZER_RULES = {
  'capabilities are stated': async ({ folder, engine, model, env }: Subject) => {
    assert.equal(engine.name, folder);
    for (const { name } of [engine, model]) assert.match(name, /^[a-z0-9][a-z0-9.-]*$/);
    const names = engine.models(env).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, 'two models of one name');
    assert.ok(model.version.length > 0, 'sound that was made is known by its version');
    const qualities = Object.values(model.capabilities.languages);
    assert.ok(qualities.length > 0, 'a model without a language is never chosen');
    for (const quality of qualities) assert.ok(quality > 0 && quality <= 100, `a quality of ${quality}`);
  },
  'a model that nobody has is refused': async ({ engine, env }: Subject) => {
    const thrown = await engine.open(env, 'nobody').catch((error: unknown) => error);
    assert.equal(codeOf(thrown), 'engine_unavailable');
  },
  'samples are finite and within full scale': async (subject: Subject) => {
    const sound = soundOf(await speak(subject, subject.pieces));
    assert.ok(sound.every((sample) => sample >= -1 && sample <= 1));
  },
  'an event holds some sound, and a quarter of a second at most': async (subject: Subject) => {
    for (const event of await speak(subject, subject.pieces)) {
      if (event.type === 'audio') assert.ok(event.samples.length > 0 && event.samples.length <= 250 * MS);
    }
  },
  'sound lasts as long as the text would take to say': async (subject: Subject) => {
    const lengthMs = soundOf(await speak(subject, subject.pieces)).length / MS;
    const syllables = syllablesOf(subject.pieces);
    assert.ok(lengthMs > SHORTEST_SYLLABLE_MS * syllables, `${lengthMs} ms for ${syllables} syllables`);
    assert.ok(lengthMs < LONGEST_SYLLABLE_MS * syllables, `${lengthMs} ms for ${syllables} syllables`);
  },
  'one syllable is audible and whole': async (subject: Subject) => {
    const sound = soundOf(await speak(subject, [subject.syllable]));
    const loudest = peak(sound);
    assert.ok(loudest > 0.03, `its peak is ${loudest}`);
    const audible = sound.filter((sample) => Math.abs(sample) > loudest / 20).length / MS;
    assert.ok(audible > 40, `${audible} ms are audible`);
    assert.ok(peak(sound.subarray(-3 * MS)) < loudest / 5, 'it is cut off at the end');
    assert.ok(peak(sound.subarray(0, MS)) < loudest / 2, 'it is cut off at the beginning');
  },
  'what cannot be said does no harm': async (subject: Subject) => {
    const sound = soundOf(await speak(subject, [subject.odd]));
    const usual = soundOf(await speak(subject, subject.pieces.slice(0, 1)));
    assert.ok(peak(sound) > peak(usual) / 4, 'the words around it are lost');
    assert.ok(sound.length / MS < LONGEST_SYLLABLE_MS * syllablesOf([subject.odd]));
  },
  'every word is told once and in order, where times are promised': async (subject: Subject) => {
    const told = wordsOf(await speak(subject, subject.pieces)).map(({ word }) => word.text);
    const { wordTimes } = subject.model.capabilities;
    assert.deepEqual(told, wordTimes ? writtenIn(subject.pieces) : []);
  },
  'times are ordered and inside the sound': async (subject: Subject) => {
    const events = await speak(subject, subject.pieces);
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
  'a word is heard when it is told': async (subject: Subject) => {
    const events = await speak(subject, subject.pieces);
    const sound = soundOf(events);
    for (const { word } of wordsOf(events)) {
      const there = peak(sound.subarray(Math.floor(word.startMs * MS), Math.ceil(word.endMs * MS)));
      assert.ok(there > peak(sound) / 20, `silence where "${word.text}" should be`);
    }
  },
  'speed shortens the sound where it is promised': async (subject: Subject) => {
    if (!subject.model.capabilities.adjusts.speed) return;
    const usual = audibleMs(soundOf(await speak(subject, subject.pieces)));
    const fast = audibleMs(soundOf(await speak(subject, subject.pieces, { speed: 2 })));
    assert.ok(usual / fast > 1.5 && usual / fast < 2.6, `speed 2 is ${usual / fast} times as fast`);
  },
  'pitch rises where it is promised': async (subject: Subject) => {
    if (!subject.model.capabilities.adjusts.pitch) return;
    const usual = pitchOf(await speak(subject, subject.pieces, { pitchSemitones: -3 }));
    const high = pitchOf(await speak(subject, subject.pieces, { pitchSemitones: 4 }));
    const semitones = 12 * Math.log2(high / usual);
    assert.ok(Math.abs(semitones - 7) < 2.5, `7 semitones are ${semitones}`);
  },
  'the voice is heard where it is promised': async (subject: Subject) => {
    const { clones } = subject.model.capabilities;
    if (clones === 'none') return;
    const heard: number[] = [];
    for (const hz of [120, 240]) {
      const voice = voiceOf(clones === 'reference' ? hz : null);
      const like = { ...voice, profile: { ...voice.profile, pitchMedianHz: hz } };
      heard.push(pitchOf(await speak(subject, subject.pieces, { voice: like, temperature: 0 })));
    }
    const [low = 0, high = 0] = heard;
    assert.ok(high / low > 1.5, `voices of 120 and 240 Hz are heard at ${low} and ${high}`);
  },
  'the same request in turn is the same length': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const request = requestOf(subject.pieces);
    const lengths = [];
    for (let turn = 0; turn < 2; turn += 1) lengths.push(soundOf(await speakAll(synthesizer.it, request)).length);
    assertAlike(lengths[1] ?? 0, lengths[0] ?? 0);
  },
  'two requests at once do not mix': async (subject: Subject) => {
    const requests = [subject.pieces, subject.otherPieces].map((pieces) => requestOf(pieces));
    await using synthesizer = await opened(subject);
    const alone: SynthesisEvent[][] = [];
    for (const request of requests) alone.push(await speakAll(synthesizer.it, request));
    const together = await Promise.all(requests.map((request) => speakAll(synthesizer.it, request)));
    for (const [index, events] of together.entries()) {
      assertAlike(soundOf(events).length, soundOf(alone[index] ?? []).length);
      assert.deepEqual(textsOf(events), textsOf(alone[index] ?? []));
    }
  },
  'an abort before the start makes no sound': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const reason = { because: 'too late' };
    let events = 0;
    const ended = await settled(async () => {
      for await (const _ of synthesizer.it.synthesize(requestOf(subject.pieces), AbortSignal.abort(reason)))
        events += 1;
    });
    assert.deepEqual([events, ended], [0, reason]);
  },
  'an abort while nobody listens ends it at the next look': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const { reason, iterator, abort } = begin(synthesizer.it, subject.pieces);
    await iterator.next();
    abort();
    assert.equal(await quickly(settled(() => iterator.next())), reason);
  },
  'an abort while it works ends it at once': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const { reason, iterator, abort } = begin(synthesizer.it, repeat(subject.pieces));
    const ended = settled(async () => {
      while ((await iterator.next()).done !== true);
    });
    await sleep(5);
    abort();
    assert.equal(await quickly(ended), reason);
    // And the next one is served.
    assert.ok(soundOf(await speakAll(synthesizer.it, requestOf([subject.syllable]))).length > 0);
  },
  'an abort after the end changes nothing': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const abort = new AbortController();
    await speakAll(synthesizer.it, requestOf([subject.syllable]), abort.signal);
    abort.abort({ because: 'too late' });
    assert.ok(soundOf(await speakAll(synthesizer.it, requestOf([subject.syllable]))).length > 0);
  },
  'who stops listening frees the engine': async (subject: Subject) => {
    await using synthesizer = await opened(subject);
    const leaveAndSpeak = async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const { iterator } = begin(synthesizer.it, repeat(subject.pieces));
        await iterator.next();
        await iterator.return?.();
      }
      return (await speakAll(synthesizer.it, requestOf([subject.syllable]))).length > 0;
    };
    assert.equal(
      await Promise.race([leaveAndSpeak(), sleep(subject.patienceMs ?? 8_000, 'it is still busy with those who left')]),
      true,
    );
  },
  'nothing is made far ahead of the pull': async (subject: Subject) => {
    const { readings, unit } = subject.model.capabilities;
    // What takes a text as a whole must look at all of it; its own tests count what the other side
    // sends.
    if (unit === 'text') return;
    await using synthesizer = await opened(subject);
    const looked = new Set<number>();
    // What it speaks from; some look at the rest to draw lots.
    const key = readings ? 'phrases' : 'spokenForm';
    const pieces = repeat(subject.pieces).map((piece, index) => watched(piece, key, () => looked.add(index)));
    const { iterator } = begin(synthesizer.it, pieces);
    await iterator.next();
    await sleep(300);
    assert.ok(looked.size < pieces.length / 2, `${looked.size} of ${pieces.length} pieces were made for nobody`);
    await iterator.return?.();
  },
  'closing twice is closing once': async (subject: Subject) => {
    const synthesizer = await subject.engine.open(subject.env, subject.model.name);
    await synthesizer.close();
    await synthesizer.close();
  },
} satisfies Record<string, (subject: Subject) => Promise<void>>;

export type SynthesizerRule = keyof typeof SYNTHESIZER_RULES;
export const SYNTHESIZER_RULE_NAMES = Object.keys(SYNTHESIZER_RULES) as SynthesizerRule[];

/** Holds an engine to one rule; rejects with an AssertionError when it is broken. */
export async function checkSynthesizer(rule: SynthesizerRule, subject: SynthesizerSubject): Promise<void> {
  await SYNTHESIZER_RULES[rule](subject);
}

async function opened({ engine, env, model }: Subject): Promise<{ it: Synthesizer } & AsyncDisposable> {
  const it = await engine.open(env, model.name);
  return { it, [Symbol.asyncDispose]: () => it.close() };
}

async function speak(
  subject: Subject,
  pieces: readonly SpokenPiece[],
  changes: Partial<Omit<SynthesisRequest, 'pieces'>> = {},
): Promise<SynthesisEvent[]> {
  await using synthesizer = await opened(subject);
  return await speakAll(synthesizer.it, requestOf(pieces, changes));
}

/** A request that is listened to by hand. */
function begin(synthesizer: Synthesizer, pieces: readonly SpokenPiece[]) {
  const abort = new AbortController();
  const reason = { because: 'the client left' };
  const iterator = synthesizer.synthesize(requestOf(pieces), abort.signal)[Symbol.asyncIterator]();
  return { iterator, reason, abort: () => abort.abort(reason) };
}

function settled(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => 'it went on to the end',
    (thrown: unknown) => thrown,
  );
}

function quickly(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, sleep(1_500, 'it did not stop')]);
}

function repeat(pieces: readonly SpokenPiece[]): SpokenPiece[] {
  return Array.from({ length: LONG }, () => pieces).flat();
}

/** A piece that tells when somebody looks at what is in it. */
function watched(piece: SpokenPiece, looked: 'phrases' | 'spokenForm', tell: () => void): SpokenPiece {
  return new Proxy(piece, {
    get(target, key) {
      if (key === looked) tell();
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

/**
 * A character is one; words of the tests in other scripts have none of more than three letters
 * each.
 */
function syllablesOf(pieces: readonly SpokenPiece[]): number {
  return writtenIn(pieces).reduce((sum, word) => sum + Math.max(1, word.length), 0);
}

function peak(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

/** From the first to the last sound, without long rests. */
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
