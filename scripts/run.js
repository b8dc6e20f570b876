// The one way every npm script starts: makes the installation whole, then runs the given file on Node 24.
// Plain JavaScript for old Node versions: this file runs before anything is installed.
//
//   node scripts/run.js server/main.ts [arguments]        runs a TypeScript file
//   node scripts/run.js --tool vitest run [arguments]  runs a tool of node_modules
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

/**
 * npm leaves a list of what it installed, written last: an installation that was cut off has none. An optional package may be
 * missing, because it may be for another platform.
 */
function isInstalled() {
  const listed = join(modules, '.package-lock.json');
  if (!existsSync(listed)) return false;
  const found = readPackages(listed);
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
    ([path, { optional, version }]) => path === '' || (optional && !found[path]) || found[path]?.version === version,
  );
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function install() {
  if (isInstalled()) return;
  process.stderr.write('jyutsing: installing dependencies (once, about a minute)\n');
  const npm = process.env.npm_execpath;
  const [command, first] = npm && npm.endsWith('js') ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    process.stderr.write('jyutsing: `npm ci` failed; see the lines above\n');
    process.exit(done.status ?? 1);
  }
}

/** Node 24 comes as an npm package where one is published; elsewhere the caller's own Node must be new enough. */
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
  process.stderr.write(`jyutsing needs Node 24 on this platform; this is ${process.version}\n`);
  process.exit(1);
}

install();
const node = findNode();
const args = process.argv.slice(2);
if (args[0] === '--tool') {
  const name = args[1];
  const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  args.splice(0, 2, join(modules, name, bin));
}
const child = spawn(node, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    // So that whatever the program starts (tests start servers) finds the same Node.
    PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
    // Modules are compiled once and not by every process: a service starts in three quarters of the time, its workers in half. Kept by
    // content, versions and flags apart; where nothing may be written, Node goes on without.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'node-compile-cache'),
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 128 + (signal === 'SIGTERM' ? 15 : 2) : (code ?? 1)));
