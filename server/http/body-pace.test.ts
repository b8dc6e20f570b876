import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { watchPace } from './body-pace.ts';

const PACE = { intervalMs: 5_000, minBytesPerSecond: 100, wholeMs: 60_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
      vi.advanceTimersByTime(5_000);
      expect(pace.signal.aborted).toBe(false);
    }
    socket.bytesRead += 500;
    vi.advanceTimersByTime(5_000);
    expect(pace.signal.reason).toBeInstanceOf(AppError);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout', status: 408 });
    expect(pace.signal.reason.message).toMatch(/took too long/);
  });

  it.each([0, 1, 499])('that brings %i bytes in an interval is too slow', (bytes) => {
    const { socket, pace } = watch();
    socket.bytesRead += bytes;
    vi.advanceTimersByTime(4_999);
    expect(pace.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout' });
    expect(pace.signal.reason.message).toMatch(/too slowly/);
  });

  it('cannot save up bytes of an earlier interval', () => {
    const { socket, pace } = watch();
    socket.bytesRead += 1_000_000;
    vi.advanceTimersByTime(5_000);
    expect(pace.signal.aborted).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(pace.signal.aborted).toBe(true);
  });

  it('does not count what came before it on the connection', () => {
    const { pace } = watch(1_000_000);
    vi.advanceTimersByTime(5_000);
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
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    using pace = watchPace(request, PACE);
    // As when the disk or the database of the server does not answer.
    vi.advanceTimersByTime(20_000);
    expect(pace.signal.aborted).toBe(false);
    request.resume();
    vi.useRealTimers();
    await expect.poll(() => request.readableLength).toBe(0);
    client.destroy();
    server.close();
  });

  it('is not slow when all of it has arrived, and is when only a part was read', () => {
    const { request, pace } = watch();
    request.complete = true;
    vi.advanceTimersByTime(20_000);
    expect(pace.signal.aborted).toBe(false);
    request.complete = false;
    vi.advanceTimersByTime(5_000);
    expect(pace.signal.reason).toMatchObject({ code: 'request_timeout' });
  });

  it('that was read is no longer watched', () => {
    const { pace } = watch();
    pace[Symbol.dispose]();
    vi.advanceTimersByTime(120_000);
    expect(pace.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps its first reason', () => {
    const { pace } = watch();
    vi.advanceTimersByTime(5_000);
    const { reason } = pace.signal;
    vi.advanceTimersByTime(120_000);
    expect(pace.signal.reason).toBe(reason);
    pace[Symbol.dispose]();
  });
});
