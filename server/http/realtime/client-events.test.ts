import { costRatio } from '#test/cpu-time.ts';
import { describe, expect, it, vi } from 'vitest';
import { ClientEventError, MAX_EVENT_BYTES, parseClientEvent } from './client-events.ts';

const parse = (event: unknown) =>
  parseClientEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));
const append = (audio: unknown, eventId?: string) =>
  parse({ type: 'input_audio_buffer.append', audio, ...(eventId === undefined ? {} : { event_id: eventId }) });

function refusal(read: () => unknown): ClientEventError {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof ClientEventError && thrown.error.code === 'invalid_request') return thrown;
    throw thrown;
  }
  throw new Error('the event was accepted');
}

/** An update of a session of so many bytes. */
const ofSize = (bytes: number) => {
  const event = { type: 'session.update', session: { x: '' } };
  event.session.x = 'x'.repeat(bytes - JSON.stringify(event).length);
  return event;
};

describe("a client's event", () => {
  it.each(['session.update', 'transcription_session.update'])('%s has a session, of any kind', (type) => {
    expect(parse({ type, session: { a: 1 }, event_id: 'e1' })).toEqual({ type, session: { a: 1 }, eventId: 'e1' });
    expect(parse({ type })).toEqual({ type, session: undefined, eventId: null });
  });

  it.each(['input_audio_buffer.commit', 'input_audio_buffer.clear'])('%s has no content', (type) => {
    expect(parse({ type, audio: 'AAAA', session: {} })).toEqual({ type, eventId: null });
  });

  it.each([
    ['a number', 7],
    ['null', null],
    ['an object', { id: 1 }],
  ])('has no id when that is %s', (_name, id) => {
    expect(parse({ type: 'input_audio_buffer.clear', event_id: id }).eventId).toBeNull();
  });

  it('has at most 512 characters of its id, also in a refusal', () => {
    expect(parse({ type: 'input_audio_buffer.clear', event_id: 'x'.repeat(600) }).eventId).toBe('x'.repeat(512));
    expect(refusal(() => append('?', 'y'.repeat(600))).eventId).toBe('y'.repeat(512));
  });

  it.each(['', ' ', '{', '[]', '[{"type":"input_audio_buffer.clear"}]', 'null', '7', '"x"', '{"type":"x",}', '\0'])(
    'that is no JSON object is refused: %j',
    (text) => {
      const { error, param, eventId } = refusal(() => parse(text));
      expect([error.message, param, eventId]).toEqual(['An event must be a JSON object.', null, null]);
    },
  );

  it.each(['response.create', 'conversation.item.create', '', null, 7, undefined, '__proto__', 'toString'])(
    'of the type %j is refused under its id',
    (type) => {
      const { error, param, eventId } = refusal(() => parse({ type, event_id: 'e9' }));
      expect(error.message).toMatch(/transcribes only/);
      expect([param, eventId]).toEqual(['type', 'e9']);
    },
  );

  it('with bytes that are no UTF-8 is refused', () => {
    expect(refusal(() => parseClientEvent(Buffer.from([0xff, 0xfe, 0x7b, 0x7d]))).param).toBeNull();
  });

  it.each([
    ['lists within lists', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['lists that are never closed', '['.repeat(100)],
    ['many empty objects', `[${Array.from({ length: 10_001 }, () => '{}').join(',')}]`],
  ])('with %s is refused unread, because it could fill the memory', (_name, value) => {
    const { error, eventId } = refusal(() => parse(`{"type":"input_audio_buffer.clear","event_id":"e","x":${value}}`));
    expect(error.message).toBe('The event has too many values, or is nested too deeply.');
    expect(eventId).toBeNull();
  });

  it('may have a thousand keywords', () => {
    const session = { audio: { input: { transcription: { keywords: Array.from({ length: 1_000 }, () => '[{') } } } };
    expect(parse({ type: 'session.update', session })).toMatchObject({ session });
  });

  it('for a session is limited to 256 KiB; as long an append is not', () => {
    expect(parse(ofSize(256 * 1024)).type).toBe('session.update');
    const { param } = refusal(() => parse(ofSize(256 * 1024 + 1)));
    expect(param).toBe('session');
    expect(append('A'.repeat(400_000))).toHaveProperty('audio.length', 300_000);
  });
});

describe('an event of more than 1 MiB', () => {
  const long = 'A'.repeat(1024 ** 2);

  it.each([
    ['of another type', { type: 'session.update', audio: long, event_id: 'e' }],
    ['without a type', { audio: long }],
  ])('%s is refused unread', (_name, event) => {
    using read = vi.spyOn(JSON, 'parse');
    const { error, param, eventId } = refusal(() => parse(event));
    expect(error.message).toBe(
      'Only an event "input_audio_buffer.append" may have more than 1 MiB, and only for its audio.',
    );
    expect([param, eventId]).toEqual([null, null]);
    expect(read).not.toHaveBeenCalled();
  });

  it.each([
    ['another event that names an append', { type: 'input_audio_buffer.clear', x: `${long}input_audio_buffer.append` }],
    ['an append with other fields of that size', { type: 'input_audio_buffer.append', audio: 'AAAA', x: long }],
    [
      'an append of characters in escapes',
      `{"type":"input_audio_buffer.append","audio":"${'\\u0041'.repeat(400_000)}"}`,
    ],
  ])('that is %s is refused, because it costs nothing', (_name, event) => {
    expect(refusal(() => parse(event)).error.message).toMatch(/may have more than 1 MiB/);
  });

  it('may have its slashes in escapes', () => {
    const event = `{"type":"input_audio_buffer.append","audio":"${String.raw`\/`.repeat(800_000)}"}`;
    expect(parse(event)).toHaveProperty('audio.length', 600_000);
  });

  it.each([
    ['with spaces around its sound', `{"type":"input_audio_buffer.append", "audio" :\n "${long}" , "event_id":"e"}`],
    ['whose sound comes before its id', `{"audio":"${long}","type":"input_audio_buffer.append","event_id":"e"}`],
  ])('may be an append %s', (_name, event) => {
    expect(parse(event)).toMatchObject({ audio: { length: 786_432 }, eventId: 'e' });
  });

  it.each([
    ['that has no sound', `{"type":"input_audio_buffer.append","x":"${long}"}`],
    ['that has a number as its sound', `{"type":"input_audio_buffer.append","audio":5,"x":"${long}"}`],
    ['whose id looks like its sound', `{"event_id":"audio","type":"input_audio_buffer.append","audio":"${long}"}`],
    ['with a mark of no base64', `{"type":"input_audio_buffer.append","audio":"${long}?"}`],
    ['with a letter outside of Latin', `{"type":"input_audio_buffer.append","audio":"${long}字"}`],
  ])('that is an append %s is refused', (_name, event) => {
    expect(refusal(() => parse(event)).error.code).toBe('invalid_request');
  });

  it('is parsed without a look at each character of its sound', () => {
    const event = Buffer.from(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(20_000_000) }));
    const lookAtEach = () => {
      const { audio } = JSON.parse(event.toString()) as { audio: string };
      Buffer.from(audio, 'base64');
    };
    expect(costRatio(() => void parseClientEvent(event), lookAtEach)).toBeLessThan(0.9);
  });

  it('may be an append whose type comes last', () => {
    expect(parse({ audio: long, type: 'input_audio_buffer.append' })).toHaveProperty('audio.length', 786_432);
  });

  it('that is no JSON is refused', () => {
    expect(refusal(() => parse(`{"type":"input_audio_buffer.append","audio":"${long}`)).error.message).toBe(
      'An event must be a JSON object.',
    );
  });
});

describe('the audio of an append', () => {
  // RFC 4648, section 10.
  it.each([
    ['', ''],
    ['Zg==', 'f'],
    ['Zm8=', 'fo'],
    ['Zm9v', 'foo'],
    ['Zm9vYg==', 'foob'],
    ['Zm9vYmE=', 'fooba'],
    ['Zm9vYmFy', 'foobar'],
    // Without the padding, which some clients leave out.
    ['Zg', 'f'],
    ['Zm8', 'fo'],
  ])('%j is %j', (audio, text) => {
    expect(append(audio)).toEqual({ type: 'input_audio_buffer.append', audio: Buffer.from(text), eventId: null });
  });

  it('has every byte', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    expect(append(bytes.toString('base64'))).toHaveProperty('audio', bytes);
  });

  it.each([
    'A',
    'AAAAA',
    '=',
    '====',
    'Zg===',
    'Z=g=',
    'Zm9v Zm9v',
    'Zm9v\n',
    'Zm-_',
    'data:audio/wav;base64,AAAA',
    '音',
  ])('that is not base64 is refused: %j', (audio) => {
    const { error, param } = refusal(() => append(audio));
    expect([error.message, param]).toEqual(['The field "audio" must be audio in base64.', 'audio']);
  });

  it.each([undefined, null, 7, {}, ['AAAA'], true])('that is no text is refused: %j', (audio) => {
    expect(refusal(() => append(audio)).param).toBe('audio');
  });

  it('has at most 15 MiB, which fit into the largest message', () => {
    const largest = 'A'.repeat(20 * 1024 ** 2);
    const event = Buffer.from(`{"type":"input_audio_buffer.append","audio":"${largest}"}`);
    expect(event.length).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(parseClientEvent(event)).toHaveProperty('audio.length', 15 * 1024 ** 2);
    // By its length, before it is looked at.
    for (const more of ['AA==', 'A', '?']) {
      expect(refusal(() => append(largest + more)).error.message).toMatch(/at most 15 MiB/);
    }
  });
});
