import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { STREAM_SAMPLE_RATE } from '@jyutsing/client';

/** Programs that play raw 16-bit mono PCM from standard input. */
const PLAYERS: Readonly<Record<string, readonly string[]>> = {
  'pw-cat': ['--playback', '--raw', '--format=s16', `--rate=${STREAM_SAMPLE_RATE}`, '--channels=1', '-'],
  paplay: ['--raw', '--format=s16le', `--rate=${STREAM_SAMPLE_RATE}`, '--channels=1'],
  aplay: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', String(STREAM_SAMPLE_RATE), '-c', '1'],
  play: ['-q', '-t', 'raw', '-e', 'signed', '-b', '16', '-r', String(STREAM_SAMPLE_RATE), '-c', '1', '-'],
  ffplay: ['-nodisp', '-autoexit', '-loglevel', 'error', '-f', 's16le', '-ar', String(STREAM_SAMPLE_RATE), '-i', '-'],
};

/** The first of these programs on the PATH; null when there is none. */
export async function findPlayer(path = process.env['PATH'] ?? ''): Promise<string | null> {
  for (const name of Object.keys(PLAYERS)) {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      if (folder !== '' && (await isExecutable(file))) return file;
    }
  }
  return null;
}

type Player = AsyncDisposable & {
  /** Waits while the player has enough. */
  write(pcm: Uint8Array): Promise<void>;
  /** Waits until everything was heard. */
  end(): Promise<void>;
};

/** Starts a program of `findPlayer`; `write` and `end` throw `invalid_parameter` when it fails. */
export function startPlayer(file: string): Player {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const child = spawn(file, PLAYERS[name] ?? [], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject).once('exit', ended.resolve);
  ended.promise.catch(() => {});
  // A player that ends early is reported by its status.
  child.stdin.on('error', () => {});
  const failed = (status: number | null) => new AppError('invalid_parameter', `${name} ended with status ${status}.`);
  return {
    async write(pcm) {
      if (child.exitCode !== null) throw failed(child.exitCode);
      if (!child.stdin.write(pcm)) await Promise.race([once(child.stdin, 'drain'), ended.promise]);
    },
    async end() {
      child.stdin.end();
      const status = await ended.promise;
      if (status !== 0) throw failed(status);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
    },
  };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
