// Carries out deploy/Dockerfile in a folder, without Docker: copies the context of the build, runs
// each step, starts the image's command as its user on a read-only root, and asks its health.
//
//   npm run image-steps [-- <empty folder>]      needs root and unshare (util-linux)
import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './source-files.ts';

const MAX_MB = 600;
/** gcr.io/distroless/cc-debian12. */
const BASE_MB = 24;
const PORT = '18080';

type Instruction = { name: string; text: string };

/** Reads the instructions of a Dockerfile. */
function parse(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }));
}

function run(command: string, args: string[], options: { cwd?: string } = {}): void {
  process.stdout.write(`> ${command} ${args.join(' ')}\n`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${command} ended with status ${status}`);
}

/** Copies the entries of the list, without names after two asterisks. */
async function copyContext(to: string): Promise<void> {
  const lines = (await readFile(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8')).split('\n');
  const without = lines.filter((line) => line.startsWith('**/')).map((line) => line.slice(3));
  const isLeftOut = (name: string) =>
    without.some((pattern) => (pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern));
  for (const line of lines.filter((entry) => entry.startsWith('!'))) {
    const filter = (path: string) => !isLeftOut(path.slice(path.lastIndexOf('/') + 1));
    await cp(join(ROOT, line.slice(1)), join(to, line.slice(1)), { recursive: true, filter });
  }
}

async function megabytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

/** Carries out the build stage in `root`, whose folder /app is the one of the image. */
async function build(root: string, instructions: readonly Instruction[]): Promise<void> {
  const app = join(root, 'app');
  await mkdir(app, { recursive: true });
  await copyContext(app);
  const end = instructions.findIndex(({ name }, index) => name === 'FROM' && index > 0);
  for (const { text } of instructions.slice(0, end).filter(({ name }) => name === 'RUN')) {
    run('sh', ['-ec', text.replaceAll(' /data', ` ${root}/data`)], { cwd: app });
  }
}

/** The words of a command in the form of a list. */
function words(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/** Starts the command of the image in its folders as its user and waits until it is healthy. */
async function start(root: string, instructions: readonly Instruction[]): Promise<void> {
  const textOf = (keyword: string) => instructions.find(({ name }) => name === keyword)?.text ?? '';
  const env = Object.fromEntries(
    textOf('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  ) as Record<string, string>;
  const [uid = '', gid = ''] = textOf('USER').split(':');
  run('chown', ['-R', `${uid}:${gid}`, join(root, 'data')]);
  // The paths of the image: /app read-only, /data writable, /tmp empty.
  const inside = [
    'mkdir -p /app /data',
    `mount --bind ${root}/app /app && mount -o remount,bind,ro /app`,
    `mount --bind ${root}/data /data && mount -t tmpfs tmpfs /tmp`,
    `cd /app && exec setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all "$@"`,
  ].join('\n');
  const options = { env: { ...env, PORT, HOST: '127.0.0.1', MODELS_AUTO_PULL: 'off' } };
  const asImage = (command: string[]) => ['-m', 'sh', '-ec', inside, 'sh', ...command];
  const service = spawn('unshare', asImage([...words(textOf('ENTRYPOINT')), ...words(textOf('CMD'))]), {
    stdio: 'inherit',
    ...options,
  });
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
  const isHealthy = () => spawnSync('unshare', asImage(words(textOf('HEALTHCHECK'))), options).status === 0;
  for (let tries = 0; !isHealthy(); tries += 1) {
    if (service.exitCode !== null || tries > 60) throw new Error('the service never became healthy');
    await sleep(1_000);
  }
  service.kill('SIGTERM');
  const status = await ended;
  if (status !== 0) throw new Error(`the service ended with status ${status}`);
}

const root = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'jyutsing-image-')));
const instructions = parse(await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
await build(root, instructions);
const size = (await megabytes(join(root, 'app'))) + BASE_MB;
process.stdout.write(`size of the image: ${Math.round(size)} MB\n`);
if (size > MAX_MB) throw new Error(`the image is larger than ${MAX_MB} MB`);
await start(root, instructions);
process.stdout.write(`healthy as its user on a read-only root; ended in order. The folder: ${root}\n`);
