import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Prints the port of a server, which takes no connection once its process is stopped. */
const LISTEN = `const s = require('node:net').createServer();
s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port));`;
/** The connections that the kernel takes for a backlog of 1. */
const BACKLOG_CONNECTIONS = 2;

/**
 * An address of this machine that never answers a connection, like one behind a firewall that drops
 * everything: its process is stopped, and the kernel drops what its full queue cannot take.
 */
export async function openSilentAddress(): Promise<AsyncDisposable & { port: number }> {
  const listener = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(listener.stdout, 'data')) as [Buffer];
  const port = Number(printed.toString());
  listener.kill('SIGSTOP');
  const sockets: Socket[] = [];
  for (let filled = 0; filled < BACKLOG_CONNECTIONS; filled += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const ended = once(listener, 'exit');
      listener.kill('SIGKILL');
      await ended;
    },
  };
}
