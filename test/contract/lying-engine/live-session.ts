import type { LiveEvent, LiveSession } from '@jyutsing/contracts/live-recognition';
import type { LiveRule, LiveSubject } from '../live-recognition-rules.ts';

/** A subject whose sessions keep the contract but for the rule `lie`, which they break. */
export function lyingSubject(honest: LiveSubject, lie: LiveRule): LiveSubject {
  return {
    ...honest,
    open(changes, signal) {
      const isAbort = lie === 'an abort ends the session with its reason';
      const session = honest.open(changes, isAbort ? new AbortController().signal : signal);
      return distorted(session, lie);
    },
  };
}

let sessions = 0;

function distorted(session: LiveSession, lie: LiveRule): LiveSession {
  sessions += 1;
  const number = sessions;
  let parts = 0;
  return {
    ...session,
    write(samples) {
      parts += 1;
      return session.write(samples);
    },
    clear: () => (lie === 'nothing is recognized of what was cleared' ? session.commit() : session.clear()),
    commit: () => (lie === 'every commit gives one segment' ? undefined : session.commit()),
    events: distortedEvents(session.events, lie, () => ({ number, parts })),
  };
}

type State = { number: number; parts: number };

async function* distortedEvents(
  events: AsyncIterable<LiveEvent>,
  lie: LiveRule,
  state: () => State,
): AsyncGenerator<LiveEvent> {
  if (lie === 'silence gives no event') yield { type: 'speech-start', segment: 0, startMs: 0 };
  for await (const event of events) {
    if (event.type === 'segment-delta') yield* distortedDelta(event, lie);
    else if (event.type === 'segment-end') yield distortedEnd(event, lie, state());
    else if (event.type !== 'speech-end' || lie !== 'each segment begins, ends and has its text, in this order') {
      yield event;
    }
  }
}

function distortedDelta(event: Extract<LiveEvent, { type: 'segment-delta' }>, lie: LiveRule): LiveEvent[] {
  if (lie === 'text comes while people speak') return [];
  if (lie === 'a delta shows something new') return [event, event];
  if (lie === 'stable text only grows, and the text begins with it') {
    return [
      { ...event, stableText: event.text },
      { ...event, stableText: 'other' },
    ];
  }
  return [event];
}

function distortedEnd(
  event: Extract<LiveEvent, { type: 'segment-end' }>,
  lie: LiveRule,
  { number, parts }: State,
): LiveEvent {
  switch (lie) {
    case 'speech gives text':
      return { ...event, text: '' };
    case 'segments are numbered from 0, in order':
      return { ...event, segment: event.segment + 1 };
    case 'segments lie within what was written, in order':
      return { ...event, endMs: event.endMs + 60_000 };
    case 'words lie within their segment, in order':
      return { ...event, words: event.words.toReversed() };
    case 'the language is one of the session':
      return { ...event, language: event.language === 'english' ? 'mandarin' : 'english' };
    case 'sessions are independent':
      return { ...event, text: `${event.text} ${number}` };
    case 'the size of the parts does not change the text':
      return { ...event, text: `${event.text} ${parts}` };
    default:
      return event;
  }
}
