import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';

/** Installs nothing, when the file `released` is there; another that runs at once makes it fail. */
const NPM = `
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
mkdirSync('npm-runs');
writeFileSync('npm-ran-' + process.pid, '');
while (!existsSync('released')) await new Promise((resolve) => setTimeout(resolve, 10));
mkdirSync('node_modules');
writeFileSync('node_modules/.package-lock.json', '{ "packages": { "some": { "version": "1.0.0" } } }');
rmSync('npm-runs', { recursive: true });
`;

async function prepare(folder: string) {
  await mkdir(join(folder, 'scripts'));
  for (const name of ['run.js', 'trim-modules.js'])
    await cp(join(import.meta.dirname, name), join(folder, 'scripts', name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'package-lock.json'), '{ "packages": { "some": { "version": "1.0.0" } } }');
  await writeFile(join(folder, 'npm.js'), NPM);
  const npmRuns = async () => (await readdir(folder)).filter((name) => name.startsWith('npm-ran-')).length;
  const start = () => {
    const child = spawn(process.execPath, ['scripts/run.js', '-p', '"started"'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm.js') },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, output }));
    return { kill: () => child.kill('SIGKILL'), output: () => output, ended };
  };
  return { start, npmRuns, release: () => writeFile(join(folder, 'released'), '') };
}

test.skipIf(process.platform !== 'linux')('a start beside one that installs waits for it, and says so', async () => {
  await using folder = await temporaryFolder();
  const { start, npmRuns, release } = await prepare(folder.path);
  const first = start();
  await expect.poll(npmRuns).toBe(1);
  const second = start();
  await expect
    .poll(second.output)
    .toBe('jyutsing: another start installs the dependencies; waiting until it is done\n');
  await release();
  expect((await first.ended).output).toMatch(/^jyutsing: installing dependencies .*\nstarted\n$/);
  expect(await second.ended).toEqual({ status: 0, output: expect.stringMatching(/^jyutsing: another .*\nstarted\n$/) });
  expect(await npmRuns()).toBe(1);
});

test.skipIf(process.platform !== 'linux')(
  'npm of a start that was killed is waited for; what it left is no lock',
  async () => {
    await using folder = await temporaryFolder();
    const { start, npmRuns, release } = await prepare(folder.path);
    const first = start();
    await expect.poll(npmRuns).toBe(1);
    first.kill();
    const second = start();
    await expect.poll(second.output).toContain('waiting');
    expect(await npmRuns()).toBe(1);
    await release();
    expect(await second.ended).toMatchObject({ status: 0, output: expect.stringMatching(/\nstarted\n$/) });
    expect(existsSync(join(folder.path, 'npm-runs'))).toBe(false);
  },
);
