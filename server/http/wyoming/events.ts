import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { AppError } from '@jyutsing/contracts/errors';
import { isObject } from '#http/is-object.ts';

/** An event of Wyoming. `data` is that of the header with the separate data merged over it. */
export type WyomingEvent = { type: string; data: Readonly<Record<string, unknown>>; payload: Buffer };

/** Limits of what is received, in bytes and milliseconds. */
export type EventLimits = {
  headerBytes: number;
  dataBytes: number;
  payloadBytes: number;
  /** Without any byte between two events. */
  idleMs: number;
  /** From the first byte of an event to its last. */
  eventMs: number;
};

/** Clients send sound in pieces of a tenth of a second, which are a few kilobytes. */
export const EVENT_LIMITS: EventLimits = {
  headerBytes: 64 * 1024,
  dataBytes: 256 * 1024,
  payloadBytes: 512 * 1024,
  idleMs: 5 * 60_000,
  eventMs: 30_000,
};

const LINE_END = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads events until the bytes end; an event that is cut off there is dropped. Throws
 * `invalid_request` for anything else than events, `payload_too_large` beyond the limits,
 * `request_timeout`, and the reason of an aborted signal.
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  limits: EventLimits,
  signal: AbortSignal,
): AsyncGenerator<WyomingEvent> {
  const iterator = chunks[Symbol.asyncIterator]();
  const bytes = createByteReader(iterator, limits, signal);
  try {
    for (;;) {
      const line = await bytes.line();
      if (line === null) return;
      const header = objectIn(line);
      const { type, data_length: dataLength, payload_length: payloadLength } = header;
      if (typeof type !== 'string' || type === '') throw malformed('The header of an event has no "type".');
      const data = await bytes.take(sizeIn(dataLength, 'data_length', limits.dataBytes));
      const payload = data && (await bytes.take(sizeIn(payloadLength, 'payload_length', limits.payloadBytes)));
      if (data === null || payload === null) return;
      const headerData = isObject(header['data']) ? header['data'] : {};
      yield { type, data: data.length === 0 ? headerData : { ...headerData, ...objectIn(data) }, payload };
    }
  } finally {
    // The end of the iterator is not awaited, because it waits for bytes that may never come.
    iterator.return?.().catch(() => {});
  }
}

/** The bytes of an event. Its data follows the header, because clients read short lines only. */
export function writeEvent(type: string, data: object = {}, payload?: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(data), 'utf8');
  const hasData = json.length > 2;
  const header = {
    type,
    ...(hasData ? { data_length: json.length } : {}),
    ...(payload === undefined ? {} : { payload_length: payload.length }),
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`, 'utf8'),
    ...(hasData ? [json] : []),
    ...(payload === undefined ? [] : [payload]),
  ]);
}

/** Collects bytes in one buffer, so that a client that sends them one by one costs no more. */
function createByteReader(iterator: AsyncIterator<Uint8Array>, limits: EventLimits, signal: AbortSignal) {
  let held = Buffer.alloc(4_096);
  let start = 0;
  let end = 0;
  let beganMs: number | null = null;

  const append = (bytes: Uint8Array) => {
    if (end + bytes.length > held.length) {
      const size = end - start + bytes.length;
      const target = size > held.length ? Buffer.alloc(2 * size) : held;
      held.copy(target, 0, start, end);
      held = target;
      end -= start;
      start = 0;
    }
    held.set(bytes, end);
    end += bytes.length;
  };
  /** False when there is no more. */
  const pull = async () => {
    const waitMs = beganMs === null ? limits.idleMs : beganMs + limits.eventMs - performance.now();
    const next = await within(iterator.next(), waitMs, signal);
    if (next.done === true) return false;
    beganMs ??= performance.now();
    append(next.value);
    return true;
  };
  const consume = (size: number) => {
    const bytes = Buffer.from(held.subarray(start, start + size));
    start += size;
    return bytes;
  };
  return {
    /** A line without its end; null when the bytes end before. */
    async line() {
      beganMs = end > start ? performance.now() : null;
      for (let from = start; ;) {
        const at = held.subarray(0, end).indexOf(LINE_END, from);
        if ((at < 0 ? end : at) - start > limits.headerBytes) throw tooLarge('The header of an event');
        if (at >= 0) return consume(at - start + 1);
        const seen = end - start;
        if (!(await pull())) return null;
        from = start + seen;
      }
    },
    async take(size: number) {
      for (;;) {
        if (end - start >= size) return consume(size);
        if (!(await pull())) return null;
      }
    },
  };
}

/** Rejects after a time, or when the signal aborts. */
function within<Result>(work: Promise<Result>, ms: number, signal: AbortSignal): Promise<Result> {
  return withinTime(raceAbort(work, signal), ms, () => {
    throw new AppError('request_timeout');
  });
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw malformed('An event is not valid JSON.');
  }
  if (!isObject(value)) throw malformed('An event is not a JSON object.');
  return value;
}

function sizeIn(field: unknown, name: string, most: number): number {
  const size = field ?? 0;
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0) {
    throw malformed(`The field "${name}" of an event must be a whole number of bytes.`);
  }
  if (size > most) throw tooLarge(`The field "${name}" of an event`, most);
  return size;
}

function malformed(message: string): AppError {
  return new AppError('invalid_request', message);
}

function tooLarge(what: string, most?: number): AppError {
  const limit = most === undefined ? 'is too long' : `may be at most ${most}`;
  return new AppError('payload_too_large', `${what} ${limit}.`);
}
