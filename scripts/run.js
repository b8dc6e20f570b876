// Entry of every npm script: completes the installation, then runs the given file on Node 24.
// Plain JavaScript for old Node versions: this file runs before anything is installed.
//
//   node scripts/run.js server/main.ts [arguments]        runs a TypeScript file
//   node scripts/run.js --tool vitest run [arguments]  runs a tool of node_modules
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trimModules } from './trim-modules.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
/** Tells the process that `installAlone` starts to install and nothing else. */
const INSTALL_ONLY = '--install-only';

/**
 * npm writes its list of installed packages last, so an interrupted installation has none. Optional
 * packages for other platforms may be missing, and for the service and the command line those of
 * development (`npm ci --omit=dev`).
 */
function isInstalled() {
  const listed = join(modules, '.package-lock.json');
  if (!existsSync(listed)) return false;
  const found = readPackages(listed);
  const isForUsers = process.argv.some((each) => /(?:server|cli)[\\/]main\.ts$/.test(each));
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
    ([path, { optional, dev, devOptional, version }]) =>
      path === '' ||
      ((optional || devOptional || (dev && isForUsers)) && !found[path]) ||
      found[path]?.version === version,
  );
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** The status of `flock -n` where another process has the lock. */
const BUSY = 1;

/**
 * Installs what is missing, in one process at a time: two `npm ci` would empty the folder for each
 * other. The system holds the lock, on a file that npm only reads, as long as the process lives that
 * waits for npm. Systems and folders without locks, or without the command `flock`, have none.
 */
function installAlone() {
  if (isInstalled()) return;
  const lock = join(root, 'package-lock.json');
  const probe = spawnSync('flock', ['-n', lock, 'true'], { stdio: 'ignore' });
  if (probe.error || probe.status > BUSY) return install();
  if (probe.status === BUSY) {
    process.stderr.write('jyutsing: another start installs the dependencies; waiting until it is done\n');
  }
  const [script, ...rest] = process.argv.slice(1);
  const done = spawnSync('flock', [lock, process.execPath, script, INSTALL_ONLY, ...rest], {
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function install() {
  if (isInstalled()) return;
  process.stderr.write('jyutsing: installing dependencies (first start only, about a minute)\n');
  const npm = process.env.npm_execpath;
  const [command, first] = npm && npm.endsWith('js') ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    process.stderr.write('jyutsing: `npm ci` failed; see its output above\n');
    process.exit(done.status ?? 1);
  }
}

/** Node 24 is an npm package on some platforms; on others the caller's Node must be new enough. */
function findNode() {
  for (const [os, cpu, file] of [
    ['linux', 'x64', 'bin/node'],
    ['linux', 'arm64', 'bin/node'],
    ['win32', 'x64', 'bin/node.exe'],
  ]) {
    const path = join(modules, `node-${os === 'win32' ? 'win' : os}-${cpu}`, file);
    if (process.platform === os && process.arch === cpu && existsSync(path)) return path;
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  process.stderr.write(`jyutsing needs Node 24 on this platform, but this is ${process.version}\n`);
  process.exit(1);
}

if (process.argv[2] === INSTALL_ONLY) {
  install();
  process.exit();
}
installAlone();
trimModules(modules);
const node = findNode();
const args = process.argv.slice(2);
// The build takes a second when something changed, else some milliseconds. The service starts
// without a console when it cannot be built, such as in a read-only folder.
if (args.includes('server/main.ts')) {
  spawnSync(node, [join(root, 'scripts/build-console.ts')], { stdio: ['ignore', 2, 2] });
}
if (args[0] === '--tool') {
  const name = args[1];
  const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  args.splice(0, 2, join(modules, name, bin));
}
const isTool = process.argv[2] === '--tool';
// glibc keeps freed memory in one heap per thread, and raises the size above which it gives memory
// back at once: after many uploads the service would keep 40 MiB more than it uses. Models of tests
// would spend a twentieth of their time on new pages.
const memorySettings = isTool
  ? {}
  : { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };
// A channel tells the service that this process has ended, however it ended. Tools have none.
const child = spawn(node, args, {
  stdio: isTool ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...memorySettings,
    ...process.env,
    // Child processes (tests start servers) must find the same Node.
    PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
    // Caches compiled modules across processes: the service starts in 75 % of the time, its workers
    // in 50 %. Node continues without a cache if the folder is not writable.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'node-compile-cache'),
  },
});
const forward = (signal) => child.kill(signal);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
child.on('exit', (code, signal) => process.exit(signal ? 128 + (signal === 'SIGTERM' ? 15 : 2) : (code ?? 1)));
if (process.env.npm_lifecycle_event !== undefined) watchNpm();

/**
 * npm starts this process through a shell, and signals to npm reach at most that shell. The death
 * of either is therefore taken as SIGTERM.
 */
function watchNpm() {
  const shell = process.ppid;
  const npm = parentOfShell(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && (npm === null || parentOf(shell) === npm)) return;
    clearInterval(timer);
    forward('SIGTERM');
  }, 250);
  timer.unref();
}

/** The process that started the shell `sh -c "node scripts/run.js"`; null if there is none. */
function parentOfShell(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('scripts/run.js') ? parentOf(pid) : null;
  } catch {
    return null;
  }
}

function parentOf(pid) {
  try {
    // The name in parentheses may hold spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]);
  } catch {
    return null;
  }
}
