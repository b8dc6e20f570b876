import { beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import { createEventTranslator, newId, type ServerEvent } from './transcription-events.ts';

const TRANSCRIPTION = 'conversation.item.input_audio_transcription';

let serverEvents: ServerEvent[];
let options: { isBeta: boolean; withLogprobs: boolean };
let translator: ReturnType<typeof createEventTranslator>;

beforeEach(() => {
  serverEvents = [];
  options = { isBeta: false, withLogprobs: false };
  translator = createEventTranslator(
    (event) => serverEvents.push(event),
    () => options,
  );
});

const translate = (event: LiveEvent) => translator.translate(event);
const started = (segment: number, startMs = 0): LiveEvent => ({ type: 'speech-start', segment, startMs });
const stopped = (segment: number, endMs = 1_000): LiveEvent => {
  return { type: 'speech-end', segment, endMs, reason: 'silence' };
};
const textDelta = (segment: number, stableText: string): LiveEvent => {
  return { type: 'segment-delta', segment, stableText, text: `${stableText}…`, language: 'cantonese' };
};
const ended = (segment: number, text: string, more: object = {}): LiveEvent => ({
  type: 'segment-end',
  segment,
  reason: 'silence',
  text,
  startMs: 250,
  endMs: 1_750,
  words: [],
  language: 'cantonese',
  confidence: null,
  ...more,
});
const failed = (segment: number): LiveEvent => {
  return { type: 'segment-failed', segment, error: { code: 'engine_failed', message: 'It failed.' } };
};
const translateAll = (...events: LiveEvent[]) => events.forEach((event) => translate(event));
const ofType = (type: string) => serverEvents.filter((event) => event.type === type);
const names = () => serverEvents.map(({ type }) => type.replace(`${TRANSCRIPTION}.`, '…'));
const deltas = () => ofType(`${TRANSCRIPTION}.delta`).map(({ delta }) => delta);

describe('the events of a segment', () => {
  it('come in the order of OpenAI, all with the id of one item', () => {
    translateAll(
      started(0, 120),
      textDelta(0, '今日'),
      stopped(0, 1_900),
      textDelta(0, '今日天'),
      ended(0, '今日天氣'),
    );
    expect(names()).toEqual([
      'input_audio_buffer.speech_started',
      '…delta',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      '…delta',
      '…delta',
      '…segment',
      '…completed',
    ]);
    const ids = serverEvents.map((event) => event['item_id'] ?? (event['item'] as { id: string }).id);
    expect(new Set(ids).size).toBe(1);
    expect(serverEvents[0]).toMatchObject({ audio_start_ms: 120 });
    expect(serverEvents[2]).toMatchObject({ audio_end_ms: 1_900 });
    expect(deltas()).toEqual(['今日', '天', '氣']);
    expect(serverEvents.at(-2)).toMatchObject({ text: '今日天氣', start: 0.25, end: 1.75 });
    expect(serverEvents.at(-1)).toMatchObject({
      content_index: 0,
      transcript: '今日天氣',
      usage: { type: 'duration', seconds: 1.5 },
      languages: [{ code: 'yue' }],
    });
  });

  it('have the names of the beta for its clients', () => {
    options.isBeta = true;
    translateAll(started(0), stopped(0));
    expect(names().slice(2)).toEqual(['input_audio_buffer.committed', 'conversation.item.created']);
    expect(serverEvents[3]).toMatchObject({ item: { type: 'message', role: 'user', status: 'completed' } });
  });

  it('without turn detection begin when it is committed', () => {
    translateAll(ended(0, '好'));
    expect(names()).toEqual([
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      '…delta',
      '…segment',
      '…completed',
    ]);
  });

  it('without text have neither a delta nor a segment', () => {
    translateAll(started(0), stopped(0), ended(0, ''));
    expect(names().slice(-2)).toEqual(['conversation.item.done', '…completed']);
    expect(serverEvents.at(-1)).toMatchObject({ transcript: '' });
  });

  it('that failed end with the reason, and commit it once', () => {
    translateAll(started(0), stopped(0), failed(0), failed(1));
    expect(ofType(`${TRANSCRIPTION}.failed`).map(({ error }) => error)).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'server_error', code: 'engine_failed', message: 'It failed.' })),
    );
    expect(ofType('input_audio_buffer.committed')).toHaveLength(2);
  });

  it('that was dropped end without a word', () => {
    translateAll(started(0), textDelta(0, '今'), { type: 'segment-dropped', segment: 0 });
    expect(names()).toEqual(['input_audio_buffer.speech_started', '…delta']);
  });
});

const committed = (segment: number, text: string) => ended(segment, text, { reason: 'commit' });

describe('a commit of the client', () => {
  it('is acknowledged at once, with the item of the result that follows', () => {
    translator.commit();
    translator.commit();
    expect(ofType('input_audio_buffer.committed')).toHaveLength(2);
    const [first, second] = ofType('input_audio_buffer.committed').map((event) => event['item_id']);
    translateAll(textDelta(0, '今'), committed(0, '今日'), committed(1, ''));
    const completed = ofType(`${TRANSCRIPTION}.completed`).map((event) => [event['item_id'], event['transcript']]);
    expect(completed).toEqual([
      [first, '今日'],
      [second, ''],
    ]);
    expect(ofType('input_audio_buffer.committed')).toHaveLength(2);
  });

  it('is of the item that is open', () => {
    translateAll(started(0), textDelta(0, '今'));
    translator.commit();
    translateAll(stopped(0), committed(0, '今日'));
    expect(new Set(serverEvents.flatMap((event) => event['item_id'] ?? [])).size).toBe(1);
    expect(ofType('input_audio_buffer.committed')).toHaveLength(1);
  });

  it('gives nothing more when a pause ended its item meanwhile', () => {
    translateAll(started(0));
    translator.commit();
    translateAll(stopped(0), ended(0, '今日'), committed(1, ''));
    expect(ofType(`${TRANSCRIPTION}.completed`)).toHaveLength(1);
    translateAll(started(2), stopped(2), ended(2, '天氣'));
    expect(ofType(`${TRANSCRIPTION}.completed`)).toHaveLength(2);
  });

  it('waits for the sound after the one that was dropped', () => {
    translator.commit();
    translateAll(textDelta(0, '昨'), { type: 'segment-dropped', segment: 0 }, committed(1, '今日'));
    expect(ofType('input_audio_buffer.committed')).toHaveLength(1);
    expect(ofType(`${TRANSCRIPTION}.completed`)).toMatchObject([
      { transcript: '今日', item_id: ofType('input_audio_buffer.committed')[0]?.['item_id'] },
    ]);
  });
});

describe('deltas', () => {
  it('have nothing twice, and nothing for text that did not grow', () => {
    translateAll(textDelta(0, ''), textDelta(0, 'a'), textDelta(0, 'a'), textDelta(0, 'abc'), ended(0, 'abc'));
    expect(deltas()).toEqual(['a', 'bc']);
  });

  it('stop where the final text differs, which the client finds in the whole text', () => {
    translateAll(textDelta(0, '今日'), ended(0, '金日子'));
    expect(deltas()).toEqual(['今日']);
    expect(serverEvents.at(-1)).toMatchObject({ transcript: '金日子' });
  });

  it('joined are a beginning of the text or what was stable, for any order of hypotheses', () => {
    const text = 'abcdefgh';
    for (let mask = 0; mask < 256; mask += 1) {
      serverEvents = [];
      for (let length = 1; length <= 8; length += 1) {
        if (((mask >> (length - 1)) & 1) === 1) translate(textDelta(mask, text.slice(0, length)));
      }
      translate(ended(mask, text));
      expect(deltas().join('')).toBe(text);
    }
  });

  it('of two open segments do not mix', () => {
    translateAll(
      started(0),
      textDelta(0, '一'),
      stopped(0),
      started(1),
      textDelta(1, '二'),
      ended(0, '一個'),
      ended(1, '二個'),
    );
    const byItem = Map.groupBy(ofType(`${TRANSCRIPTION}.delta`), (event) => event['item_id']);
    const texts = [...byItem.values()].map((events) => events.map(({ delta }) => delta).join(''));
    expect(texts).toEqual(['一個', '二個']);
  });
});

describe('items', () => {
  it('name the one before them', () => {
    translateAll(started(0), stopped(0), started(1), ended(0, 'a'), stopped(1), ended(1, 'b'), ended(2, 'c'));
    const committed = ofType('input_audio_buffer.committed');
    expect(committed).toHaveLength(3);
    const ids = committed.map((event) => event['item_id']);
    expect(committed.map((event) => event['previous_item_id'])).toEqual([null, ids[0], ids[1]]);
    expect(ofType('conversation.item.added').map((event) => event['previous_item_id'])).toEqual([null, ids[0], ids[1]]);
  });

  it('have probabilities only for a client that asked for them', () => {
    const words = [
      { text: '好', reading: null, startMs: 0, endMs: 200, confidence: Math.exp(-1) },
      { text: '呀', reading: null, startMs: 200, endMs: 400, confidence: null },
    ];
    translateAll(ended(0, '好呀', { words }));
    expect(serverEvents.at(-1)).not.toHaveProperty('logprobs');
    options.withLogprobs = true;
    translateAll(ended(1, '好呀', { words }));
    // 好 is e5 a5 bd in UTF-8.
    expect(serverEvents.at(-1)).toHaveProperty('logprobs', [{ token: '好', bytes: [0xe5, 0xa5, 0xbd], logprob: -1 }]);
  });
});

it('ids have a prefix and 21 letters and digits, and differ', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('item'));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^item_[0-9a-f]{21}$/);
});

const dropped = (segment: number): LiveEvent => ({ type: 'segment-dropped', segment });

describe('sound that the client dropped', () => {
  it('has no more text, whether it was heard of before or after', () => {
    translate(textDelta(0, '今'));
    translator.clear();
    translateAll(textDelta(0, '今日'), dropped(0), textDelta(1, '聽'));
    expect(deltas()).toEqual(['今', '聽']);
    translate(ended(1, '聽日'));
    translator.clear();
    translateAll(textDelta(2, '後'), dropped(2), textDelta(3, '大後日'), ended(3, '大後日'));
    expect(deltas()).toEqual(['今', '聽', '日', '大後日']);
  });

  it('takes nothing from what a pause had ended, nor from speech that follows', () => {
    translateAll(started(0), textDelta(0, '今'));
    translator.clear();
    translateAll(stopped(0), textDelta(0, '今日'), ended(0, '今日天氣'));
    expect(ofType(`${TRANSCRIPTION}.completed`)).toMatchObject([{ transcript: '今日天氣' }]);
    translator.clear();
    translateAll(started(1), textDelta(1, '好'));
    expect(deltas()).toEqual(['今', '日天氣', '好']);
  });

  it('leaves the item of a commit to the sound after it', () => {
    translate(textDelta(0, '今'));
    translator.clear();
    translator.commit();
    translateAll(dropped(0), textDelta(1, '聽'), ended(1, '聽日', { reason: 'commit' }));
    expect(deltas()).toEqual(['今', '聽', '日']);
    expect(ofType(`${TRANSCRIPTION}.completed`)).toMatchObject([{ transcript: '聽日' }]);
  });
});
