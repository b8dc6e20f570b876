import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A raw connection that sends what no client library would. No call throws when it is closed. */
export type HostileSocket = Disposable & {
  /** Resolves when the operating system takes more, or when the connection is closed. */
  write(bytes: string | Buffer): Promise<void>;
  /** Whether the server has answered or closed the connection. */
  isAnswered(): boolean;
  /** Sends nothing until the server answers or closes, at most this long. */
  hold(mostMs: number): Promise<void>;
  /** The beginning of what the server sent. */
  received(): string;
};

const MAX_KEPT_CHARACTERS = 4_096;

export function openHostileSocket(port: number): HostileSocket {
  const socket = connect(port, '127.0.0.1');
  const ended = new AbortController();
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (received.length < MAX_KEPT_CHARACTERS) received += text;
    ended.abort();
  });
  // Without a listener, a reset would end the process.
  socket.on('error', () => {});
  socket.once('close', () => ended.abort());
  return {
    async write(bytes) {
      if (socket.destroyed || socket.write(bytes)) return;
      await once(socket, 'drain', { signal: ended.signal }).catch(() => {});
    },
    isAnswered: () => ended.signal.aborted,
    async hold(mostMs) {
      await sleep(mostMs, undefined, { signal: ended.signal }).catch(() => {});
    },
    received: () => received,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
