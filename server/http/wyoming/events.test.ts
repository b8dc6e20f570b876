import { describe, expect, it } from 'vitest';
import { EVENT_LIMITS, readEvents, writeEvent, type WyomingEvent } from './events.ts';

const never = new AbortController().signal;

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (bytes: Buffer | string, size = 7, limits = EVENT_LIMITS): Promise<WyomingEvent[]> =>
  Array.fromAsync(readEvents(inPieces(Buffer.from(bytes), size), limits, never));

/** Bytes after which nothing comes. */
async function* silentAfter(begin: string) {
  if (begin !== '') yield Buffer.from(begin);
  await new Promise(() => {});
}

const readSilent = (begin: string, limits: Partial<typeof EVENT_LIMITS>) =>
  readEvents(silentAfter(begin), { ...EVENT_LIMITS, ...limits }, never).next();

describe('events', () => {
  it.each([1, 2, 3, 1_000_000])('are read as they were written, in pieces of %i bytes', async (size) => {
    const payload = Buffer.from([0, 10, 255, 10, 123]);
    const bytes = Buffer.concat([
      writeEvent('describe'),
      writeEvent('transcribe', { language: 'yue', name: '香港' }),
      writeEvent('audio-chunk', { rate: 16_000 }, payload),
      writeEvent('audio-stop', { timestamp: null }),
    ]);
    expect(await read(bytes, size)).toEqual([
      { type: 'describe', data: {}, payload: Buffer.alloc(0) },
      { type: 'transcribe', data: { language: 'yue', name: '香港' }, payload: Buffer.alloc(0) },
      { type: 'audio-chunk', data: { rate: 16_000 }, payload },
      { type: 'audio-stop', data: { timestamp: null }, payload: Buffer.alloc(0) },
    ]);
  });

  it('may have data in the header, over which the separate data is merged', async () => {
    const separate = '{"text":"二","voice":{"name":"maria"}}';
    const header = { type: 'synthesize', data: { text: '一', rate: 1 }, data_length: Buffer.byteLength(separate) };
    const [event] = await read(`${JSON.stringify(header)}\n${separate}`);
    expect(event?.data).toEqual({ text: '二', rate: 1, voice: { name: 'maria' } });
  });

  it('have nulls where fields are absent, and carriage returns at the end of the header', async () => {
    const [event] = await read('{"type":"ping","data":null,"data_length":null,"payload_length":null}\r\n');
    expect(event).toEqual({ type: 'ping', data: {}, payload: Buffer.alloc(0) });
  });

  it('have no data after the header when there is none', () => {
    expect(writeEvent('transcript-stop').toString()).toBe('{"type":"transcript-stop"}\n');
    expect(writeEvent('pong', { text: '' }).toString()).toBe('{"type":"pong","data_length":11}\n{"text":""}');
  });

  it('that are cut off at the end are dropped', async () => {
    const whole = writeEvent('audio-chunk', { rate: 16_000 }, Buffer.alloc(100));
    for (const size of [5, whole.length - 101, whole.length - 1]) {
      const events = await read(Buffer.concat([writeEvent('describe'), whole.subarray(0, size)]));
      expect(events.map(({ type }) => type)).toEqual(['describe']);
    }
  });
});

describe('a client that sends something else', () => {
  it.each([
    ['no JSON', 'GET / HTTP/1.1\r\n', 'invalid_request'],
    ['a text', '"describe"\n', 'invalid_request'],
    ['a list', '[{"type":"describe"}]\n', 'invalid_request'],
    ['no type', '{"data":{}}\n', 'invalid_request'],
    ['a type that is no text', '{"type":{}}\n', 'invalid_request'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), 'invalid_request'],
    ['a negative length', '{"type":"audio-chunk","payload_length":-1}\n', 'invalid_request'],
    ['half a byte', '{"type":"audio-chunk","payload_length":0.5}\n', 'invalid_request'],
    ['a length that is text', '{"type":"audio-chunk","data_length":"12"}\n', 'invalid_request'],
    ['data that is no object', '{"type":"audio-chunk","data_length":1}\n1', 'invalid_request'],
    ['too much data', '{"type":"audio-chunk","data_length":262145}\n', 'payload_too_large'],
    ['too much sound', '{"type":"audio-chunk","payload_length":1e15}\n', 'payload_too_large'],
    ['a header without an end', `{"type":"${'x'.repeat(70_000)}`, 'payload_too_large'],
    ['a header that is too long', `{"type":"${'x'.repeat(70_000)}"}\n`, 'payload_too_large'],
  ])('gets an error: %s', async (_name, bytes, code) => {
    for (const size of [3, 1_000_000]) await expect(read(bytes, size)).rejects.toMatchObject({ code });
  });

  it('is not held for longer than the limits', async () => {
    await expect(readSilent('', { idleMs: 1 })).rejects.toMatchObject({ code: 'request_timeout' });
    await expect(readSilent('{"type":"', { eventMs: 1 })).rejects.toMatchObject({ code: 'request_timeout' });
    const sound = '{"type":"audio-chunk","payload_length":9}\n12345678';
    await expect(readSilent(sound, { eventMs: 1 })).rejects.toMatchObject({ code: 'request_timeout' });
  });

  it('is left when the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = readEvents(silentAfter(''), EVENT_LIMITS, stop.signal).next();
    stop.abort(new Error('closing'));
    await expect(waiting).rejects.toThrow('closing');
  });
});
