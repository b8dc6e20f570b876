import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';
import type { AppError } from '@jyutsing/contracts/errors';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { outageError } from './database-errors.ts';

const EVERY_MS = 200;

/**
 * Asks PostgreSQL on a connection of its own whether it answers. Without it, requests would wait
 * for a silent server until TCP gives up, which takes minutes.
 */
export class PostgresWatch {
  readonly #databaseUrl: string;
  readonly #answerWithinMs: number;
  readonly #onDown: () => void;
  readonly #waiting = new Set<(error: AppError) => void>();
  #down: AppError | null = null;
  #client: Client | null = null;
  #asking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  /**
   * `answerWithinMs`: longest answer to `select 1`. `onDown` is called whenever the server stops
   * answering.
   */
  constructor(databaseUrl: string, answerWithinMs: number, onDown: () => void) {
    this.#databaseUrl = databaseUrl;
    this.#answerWithinMs = answerWithinMs;
    this.#onDown = onDown;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.ask(), EVERY_MS).unref();
  }

  /** Asks now, or waits for the question being asked. */
  ask(): Promise<void> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = null)));
  }

  /** Throws `service_unavailable` while the server does not answer. */
  assertUp(): void {
    if (this.#down !== null) throw this.#down;
  }

  /** Rejects when the server stops answering; `late` receives a result that arrives after that. */
  async untilDown<Result>(work: Promise<Result>, late: (result: Result) => unknown): Promise<Result> {
    const down = Promise.withResolvers<never>();
    this.#waiting.add(down.reject);
    let isLate = false;
    work.then(
      (result) => isLate && late(result),
      () => {},
    );
    try {
      return await Promise.race([work, down.promise]);
    } catch (error) {
      isLate = true;
      throw error;
    } finally {
      this.#waiting.delete(down.reject);
    }
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#asking;
    await this.#client?.end();
    this.#client = null;
    this.#isStopped = true;
  }

  async #ask(): Promise<void> {
    const ended = new AbortController();
    try {
      await answeredWithin(this.#answerWithinMs, this.#query(ended.signal));
      this.#down = null;
    } catch (cause) {
      ended.abort();
      if (this.#client !== null) disconnect(this.#client);
      this.#client = null;
      const wasUp = this.#down === null;
      const error = outageError('unreachable', cause);
      this.#down = error;
      if (!wasUp) return;
      for (const reject of this.#waiting) reject(error);
      this.#onDown();
    }
  }

  async #query(ended: AbortSignal): Promise<void> {
    if (this.#isStopped) throw outageError('unreachable', 'the store is closed');
    const isAnswered = await this.#client?.query('select 1').catch(() => undefined);
    if (isAnswered !== undefined || ended.aborted) return;
    // The server may have closed the connection and take a new one.
    const client = new Client({ connectionString: this.#databaseUrl, application_name: 'jyutsing-watch' });
    // Without a listener the loss of the connection would end the process; the next question fails.
    client.on('error', () => {});
    this.#client = client;
    await client.connect();
    await client.query('select 1');
  }
}

/** Closes a connection at once, whatever it waits for. */
export function disconnect(client: ClientBase): void {
  // The method `end` waits for the server while a connection is being made.
  const { stream } = (client as ClientBase & { connection: { stream: Socket } }).connection;
  // A reset would wait for the connection, which a silent address never makes.
  if (stream.connecting) return void stream.destroy();
  try {
    // Closed without a reset, the system would go on sending: a COMMIT could arrive seconds later.
    stream.resetAndDestroy();
  } catch {
    // A socket of TLS or of a local path has no reset.
    stream.destroy();
  }
}

function answeredWithin(limitMs: number, answer: Promise<void>): Promise<void> {
  return withinTime(answer, limitMs, async () => {
    // After a long computation of this process an answer that arrived meanwhile is read first.
    await setImmediate();
    throw outageError('unreachable');
  });
}
