import assert from 'node:assert/strict';
import {
  DEFAULT_TURN_DETECTION,
  type LiveEvent,
  type LiveOptions,
  type LiveSession,
} from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** Live recognition by one model. */
export type LiveSubject = {
  /** Opens a session with a model of this language; the abort ends it. */
  open(changes: Partial<LiveOptions>, signal: AbortSignal): LiveSession;
  language: Language;
  /** Speech that begins and ends with silence, and has a pause of a second. */
  speech: Float32Array;
  /** Tells whether `speech` must give text; false for models that the tests cannot speak to. */
  mustRecognize: boolean;
};

/** Rules for live recognition with every recognizer, by name. Each throws an AssertionError. */
export const LIVE_RULES = {
  'silence gives no event': async (subject: LiveSubject) => {
    assert.deepEqual(await recognize(subject, new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ * 3)), []);
  },
  'speech gives text': async (subject: LiveSubject) => {
    const texts = endsOf(await recognizeSpeech(subject)).map(({ text }) => text);
    if (subject.mustRecognize) assert.ok(texts.join('') !== '', 'nothing was recognized');
  },
  'text comes while people speak': async (subject: LiveSubject) => {
    const events = await recognizeSpeech(subject);
    const isBefore = events.some(({ type }) => type === 'segment-delta');
    if (subject.mustRecognize) assert.ok(isBefore, 'no delta came');
  },
  'segments are numbered from 0, in order': async (subject: LiveSubject) => {
    const numbers = endsOf(await recognizeSpeech(subject)).map(({ segment }) => segment);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
    );
  },
  'each segment begins, ends and has its text, in this order': async (subject: LiveSubject) => {
    const events = await recognizeSpeech(subject);
    for (const { segment } of endsOf(events)) {
      const types = events.filter((event) => event.segment === segment).map(({ type }) => type);
      assert.deepEqual(
        types.filter((type) => type !== 'segment-delta'),
        ['speech-start', 'speech-end', 'segment-end'],
      );
      assert.equal(types[0], 'speech-start');
      assert.equal(types.at(-1), 'segment-end');
    }
  },
  'stable text only grows, and the text begins with it': async (subject: LiveSubject) => {
    const shown = new Map<number, string>();
    for (const event of await recognizeSpeech(subject)) {
      if (event.type !== 'segment-delta') continue;
      const { segment, stableText, text } = event;
      const before = shown.get(segment) ?? '';
      assert.ok(stableText.startsWith(before), `"${before}" became "${stableText}"`);
      assert.ok(text.startsWith(stableText), `"${text}" does not begin with "${stableText}"`);
      shown.set(segment, stableText);
    }
  },
  'a delta shows something new': async (subject: LiveSubject) => {
    let before = '';
    for (const event of await recognizeSpeech(subject)) {
      if (event.type !== 'segment-delta') continue;
      const now = JSON.stringify([event.segment, event.stableText, event.text]);
      assert.notEqual(now, before);
      before = now;
    }
  },
  'segments lie within what was written, in order': async (subject: LiveSubject) => {
    const durationMs = (subject.speech.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    let reachedMs = 0;
    for (const { startMs, endMs } of endsOf(await recognizeSpeech(subject))) {
      assert.ok(startMs >= reachedMs && endMs >= startMs, `a segment at ${startMs}–${endMs} after ${reachedMs}`);
      assert.ok(endMs <= durationMs, `${endMs} of ${durationMs}`);
      reachedMs = endMs;
    }
  },
  'words lie within their segment, in order': async (subject: LiveSubject) => {
    for (const { startMs, endMs, words } of endsOf(await recognizeSpeech(subject))) {
      let reachedMs = startMs;
      for (const word of words) {
        assert.ok(word.startMs >= reachedMs && word.endMs >= word.startMs, `a word at ${word.startMs}–${word.endMs}`);
        reachedMs = word.endMs;
      }
      assert.ok(reachedMs <= endMs, `a word ends at ${reachedMs}, the segment at ${endMs}`);
    }
  },
  'the language is one of the session': async (subject: LiveSubject) => {
    for (const { language } of endsOf(await recognizeSpeech(subject))) {
      assert.equal(language, subject.language);
    }
  },
  'every commit gives one segment': async (subject: LiveSubject) => {
    const session = subject.open({ turnDetection: null }, never);
    const events = Array.fromAsync(session.events);
    await session.write(subject.speech);
    session.commit();
    session.commit();
    session.end();
    const reasons = endsOf(await events).map(({ reason }) => reason);
    assert.deepEqual(reasons, ['commit', 'commit']);
  },
  'nothing is recognized of what was cleared': async (subject: LiveSubject) => {
    const session = subject.open({ turnDetection: null }, never);
    const events = Array.fromAsync(session.events);
    await session.write(subject.speech);
    session.clear();
    session.end();
    assert.deepEqual(endsOf(await events), []);
  },
  'sessions are independent': async (subject: LiveSubject) => {
    const alone = textsOf(await recognizeSpeech(subject));
    const both = await Promise.all([recognize(subject, subject.speech), recognize(subject, subject.speech)]);
    assert.deepEqual(both.map(textsOf), [alone, alone]);
  },
  'the size of the parts does not change the text': async (subject: LiveSubject) => {
    const inBig = textsOf(await recognize(subject, subject.speech, 16_000));
    assert.deepEqual(textsOf(await recognize(subject, subject.speech, 777)), inBig);
  },
  'an abort ends the session with its reason': async (subject: LiveSubject) => {
    const leaving = new AbortController();
    const session = subject.open({}, leaving.signal);
    const reason = { because: 'the client left' };
    const ended = Array.fromAsync(session.events).then(
      () => 'it ended by itself',
      (thrown: unknown) => thrown,
    );
    await session.write(subject.speech);
    leaving.abort(reason);
    session.end();
    assert.equal(await ended, reason);
  },
} satisfies Record<string, (subject: LiveSubject) => Promise<void>>;

export type LiveRule = keyof typeof LIVE_RULES;
export const LIVE_RULE_NAMES = Object.keys(LIVE_RULES) as LiveRule[];

const never = new AbortController().signal;

const recognized = new WeakMap<LiveSubject, Promise<LiveEvent[]>>();

/** Returns the events of `speech`, which is recognized once for all rules about them. */
function recognizeSpeech(subject: LiveSubject): Promise<LiveEvent[]> {
  const events = recognized.get(subject) ?? recognize(subject, subject.speech);
  recognized.set(subject, events);
  return events;
}

async function recognize(subject: LiveSubject, samples: Float32Array, partSamples = 1_600): Promise<LiveEvent[]> {
  const session = subject.open({ turnDetection: DEFAULT_TURN_DETECTION }, never);
  const events = Array.fromAsync(session.events);
  for (let at = 0; at < samples.length; at += partSamples) {
    await session.write(samples.slice(at, at + partSamples));
    // Lets the recognition go on meanwhile, as in real time.
    await new Promise((resolve) => setImmediate(resolve));
  }
  session.end();
  return events;
}

function endsOf(events: readonly LiveEvent[]) {
  return events.filter((event) => event.type === 'segment-end');
}

function textsOf(events: readonly LiveEvent[]): string[] {
  return endsOf(events).map(({ text }) => text);
}
