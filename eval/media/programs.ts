import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';

/** The programs that make the files, with the Debian packages that have them. */
const PACKAGES = {
  ffmpeg: 'ffmpeg',
  sox: 'sox libsox-fmt-all',
  lame: 'lame',
  opusenc: 'opus-tools',
  python3: 'python3 libvo-amrwbenc0',
} as const;
type Program = keyof typeof PACKAGES;

/** Throws `engine_unavailable`, which says what to install, unless all programs are there. */
export function requirePrograms(): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = (Object.keys(PACKAGES) as Program[]).filter(
    (program) => !folders.some((folder) => isExecutable(join(folder, program))),
  );
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program]).join(' ');
  const message = `${missing.join(', ')} not found; install them with: apt-get install ${packages}`;
  throw new AppError('engine_unavailable', message);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program to its end and returns what it printed; `input` is its standard input. A failure
 * throws the command and its last words.
 */
export async function run(
  program: Program,
  args: readonly string[],
  input: Uint8Array = Buffer.alloc(0),
): Promise<Buffer> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const pieces: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors = (errors + piece).slice(-2_000)));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return Buffer.concat(pieces);
  throw new AppError('engine_failed', `${[program, ...args].join(' ')} failed: ${errors.trim()}`);
}

/** Runs ffmpeg; the last argument is the file that it writes. */
export function ffmpeg(...args: readonly string[]): Promise<Buffer> {
  return run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args]);
}
