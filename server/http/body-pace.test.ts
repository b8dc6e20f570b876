import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { watchPace } from './body-pace.ts';

const PACE = { intervalMs: 5_000, minBytesPerSecond: 100, wholeMs: 60_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One millisecond more: an immediate of a timer runs in the next one. */
const advance = (ms: number) => void vi.advanceTimersByTime(ms).advanceTimersByTime(1);

/** A body whose bytes the test counts. */
function watch(bytesRead = 0) {
  const socket = Object.assign(new EventEmitter(), { bytesRead });
  const request = { socket, readableEnded: false, readableLength: 0, complete: false };
  return { socket, request, pace: watchPace(request as unknown as IncomingMessage, PACE) };
}

describe('a body', () => {
  it('that brings exactly enough in each interval is read until it takes too long', () => {
    const { socket, pace } = watch();
    for (let interval = 1; interval < 12; interval += 1) {
      socket.bytesRead += 500;
      advance(5_000);
      expect(pace.signal.aborted).toBe(false);
    }
    socket.bytesRead += 500;
    advance(5_000);
    expect(pace.signal.reason).toBeInstanceOf(AppError);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout', status: 408 });
    expect(pace.signal.reason.message).toMatch(/took too long/);
  });

  it.each([0, 1, 499])('that brings %i bytes in an interval is too slow', (bytes) => {
    const { socket, pace } = watch();
    socket.bytesRead += bytes;
    advance(4_998);
    expect(pace.signal.aborted).toBe(false);
    advance(1);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout' });
    expect(pace.signal.reason.message).toMatch(/too slowly/);
  });

  it('cannot save up bytes of an earlier interval', () => {
    const { socket, pace } = watch();
    socket.bytesRead += 1_000_000;
    advance(5_000);
    expect(pace.signal.aborted).toBe(false);
    advance(5_000);
    expect(pace.signal.aborted).toBe(true);
  });

  it('does not count what came before it on the connection', () => {
    const { pace } = watch(1_000_000);
    advance(5_000);
    expect(pace.signal.aborted).toBe(true);
  });

  it('whose connection ends before it was read will not come', () => {
    const { socket, pace } = watch();
    socket.emit('close');
    expect(pace.signal.reason).toMatchObject({ code: 'client_closed_request' });
  });

  it('that was read is kept although its client has left', () => {
    const { socket, request, pace } = watch();
    request.readableEnded = true;
    socket.emit('close');
    expect(pace.signal.aborted).toBe(false);
  });

  it('that arrived, but was not read when its client left, is lost', async () => {
    vi.useRealTimers();
    const server = createServer().listen(0);
    await once(server, 'listening');
    const requested = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = connect((server.address() as AddressInfo).port);
    client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\nbody');
    const [request] = await requested;
    await expect.poll(() => request.complete).toBe(true);
    using pace = watchPace(request, PACE);
    client.destroy();
    await once(request.socket, 'close');
    expect(pace.signal.reason).toMatchObject({ code: 'client_closed_request' });
    await expect(request.toArray()).rejects.toThrow('aborted');
    server.close();
  });

  it('is not slow while what has arrived waits to be read', async () => {
    vi.useRealTimers();
    const server = createServer().listen(0);
    await once(server, 'listening');
    const requested = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = connect((server.address() as AddressInfo).port);
    client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n');
    client.write(Buffer.alloc(900_000));
    const [request] = await requested;
    await expect.poll(() => request.readableLength).toBeGreaterThan(0);
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
    });
    using pace = watchPace(request, PACE);
    // As when the disk or the database of the server does not answer.
    advance(20_000);
    expect(pace.signal.aborted).toBe(false);
    request.resume();
    vi.useRealTimers();
    await expect.poll(() => request.readableLength).toBe(0);
    client.destroy();
    server.close();
  });

  it('is not slow when it arrived while this process did not run', () => {
    // Timers come first then; what has arrived is read after them, before immediates.
    const reading = vi.fn();
    const socket = Object.assign(new EventEmitter(), { bytesRead: 0 });
    setInterval(() => setImmediate(reading), 5_000);
    reading.mockImplementation(() => (socket.bytesRead += 500));
    const request = { socket, readableEnded: false, readableLength: 0, complete: false };
    const pace = watchPace(request as unknown as IncomingMessage, PACE);
    advance(10_000);
    expect([reading.mock.calls.length, pace.signal.aborted]).toEqual([2, false]);
    reading.mockImplementation(() => {});
    advance(5_000);
    expect(pace.signal.aborted).toBe(true);
  });

  it('is not slow when all of it has arrived, and is when only a part was read', () => {
    const { request, pace } = watch();
    request.complete = true;
    advance(20_000);
    expect(pace.signal.aborted).toBe(false);
    request.complete = false;
    advance(5_000);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout' });
  });

  it('that was read is no longer watched', () => {
    const { pace } = watch();
    pace[Symbol.dispose]();
    advance(120_000);
    expect(pace.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps its first reason', () => {
    const { pace } = watch();
    advance(5_000);
    const { reason } = pace.signal;
    advance(120_000);
    expect(pace.signal.reason).toBe(reason);
    pace[Symbol.dispose]();
  });
});
