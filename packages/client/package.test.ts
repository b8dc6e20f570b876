import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../scripts/build-client.ts';
import { ROOT } from '../../scripts/source-files.ts';
import { CHROMIUM, openPage } from '#testbed/service/browser.ts';
import { wav } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos } from '#test/http/video-summary.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

const run = promisify(execFile);
/** A program that runs JavaScript, with its arguments. */
type Runtime = readonly [program: string, ...args: string[]];
/**
 * Node 20 of the system, beside the Node 24 of the project, and the runtimes that `npm run runtimes
 * -w packages/client` installs.
 */
const RUNTIMES: readonly Runtime[] = [
  ...['/usr/bin/node', process.execPath].filter((path) => existsSync(path)).map((path) => [path] as const),
  ...(JSON.parse(process.env['CLIENT_RUNTIMES'] ?? '[]') as Runtime[]),
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestServer;
let dist: string;
let project: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dist = join(folder.path, 'dist');
  project = join(folder.path, 'project');
  await buildClient(dist);
  const videoSummarizer = createTestVideos();
  server = await startTestServer({ corsOrigins: ['*'], scorePronunciation: scoreWell, videoSummarizer });
  await mkdir(project);
  const { stdout } = await run('npm', ['pack', dist, '--pack-destination', folder.path, '--silent']);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder.path, stdout.trim())], {
    cwd: project,
  });
  for (const name of ['meeting.wav', 'me.wav']) await writeFile(join(project, name), wav(1));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Runs a program of the project, and returns what it printed. */
async function runProgram([program, ...options]: Runtime, path: string, args: string[] = []): Promise<string> {
  const env = { PATH: process.env['PATH'], JYUTSING_URL: server.baseUrl, JYUTSING_API_KEY: server.ownerKey };
  const { stdout } = await run(program, [...options, path, ...args], { cwd: project, env, timeout: 60_000 });
  return stdout;
}

/** Size of a minified bundle in bytes, without the parts that are loaded later. */
async function minified(source: string): Promise<number> {
  const input = join(dist, 'entry.js');
  await writeFile(input, source);
  const build = await rolldown({ input });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return Buffer.byteLength(output[0].code);
}

describe('the package', () => {
  it('is small, and leaves out what a program does not use', async () => {
    expect(await minified("export * from './web.js'")).toBeLessThan(28_000);
    expect(await minified("export { unwrapWebhook } from './web.js'")).toBeLessThan(4_000);
  });

  it('has no dependency, and only files of its own', async () => {
    const manifest = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    const installed = await readdir(join(project, 'node_modules/@jyutsing/client'));
    expect(installed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'node.js', 'types', 'web.js']));
    expect(await readdir(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@jyutsing']);
  });

  it('has declarations that a strict project compiles with', async () => {
    const source = `import { Jyutsing } from '@jyutsing/client';
      const { text } = await (await new Jyutsing().transcribe('a.wav', { diarization: true })).wait();
      const length: number = text.length;
      // @ts-expect-error A text is no number.
      const wrong: number = text;
      console.log(length, wrong);`;
    await writeFile(join(project, 'consumer.ts'), source);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'esnext,dom'];
    const compilation = run(process.execPath, [compiler, ...options, '--types', '', 'consumer.ts'], { cwd: project });
    await expect(compilation).resolves.toMatchObject({ stdout: '' });
  });
});

const page = await readFile(join(ROOT, 'docs/client.md'), 'utf8');
const examples = [...page.matchAll(/^### (.+)\n[\s\S]*?```ts\n([\s\S]*?)```/gm)].map(([, title = '', code = '']) => ({
  title,
  code,
}));

describe('docs/client.md', () => {
  it('has an example under each heading', () => {
    expect(examples).toHaveLength([...page.matchAll(/^### /gm)].length);
    expect(examples.length).toBeGreaterThan(7);
  });

  it.each(RUNTIMES.map((runtime) => ({ name: runtime[0], runtime })))(
    'runs in a program of $name',
    async ({ runtime }) => {
      const { stdout: version } = await run(runtime[0], ['--version']);
      for (const [index, { code }] of examples.entries()) await writeFile(join(project, `example-${index}.js`), code);
      // Examples print too: the outcomes are the last line.
      const program = `const outcomes = [];
      for (let index = 0; index < ${examples.length}; index += 1)
        outcomes.push(await import(\`./example-\${index}.js\`).then(() => 'it ran', String));
      console.log('\\n' + JSON.stringify(outcomes));`;
      await writeFile(join(project, 'all-examples.js'), program);
      const printed = await runProgram(runtime, join(project, 'all-examples.js'));
      const outcomes = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as string[];
      // Node 20 has no WebSocket, as the page says.
      const refusal: unknown = expect.stringContaining('no WebSocket');
      const expected = examples.map(({ title, code }) => {
        const isRefused = code.includes('.listen(') && version.startsWith('v20');
        return [title, isRefused ? refusal : 'it ran'];
      });
      expect(examples.map(({ title }, index) => [title, outcomes[index]])).toEqual(expected);
    },
  );
});

describe('examples', () => {
  it('subtitle-folder.js writes subtitles beside each recording, and none twice', async () => {
    const path = join(project, 'subtitle-folder.js');
    await writeFile(path, await readFile(join(ROOT, 'examples/subtitle-folder.js')));
    const recordings = join(project, 'recordings');
    await mkdir(recordings);
    for (const name of ['a.wav', 'b.wav']) await writeFile(join(recordings, name), wav(1));
    expect(await runProgram([process.execPath], path, [recordings])).toContain('2 of 2');
    expect((await readdir(recordings)).toSorted()).toEqual(['a.srt', 'a.wav', 'b.srt', 'b.wav']);
    expect(await readFile(join(recordings, 'a.srt'), 'utf8')).toContain('早晨');
    expect(await runProgram([process.execPath], path, [recordings])).toContain('0 of 0');
  });
});

describe('the other examples', () => {
  it('node.js prints a meeting with times, and writes speech', async () => {
    const path = join(project, 'node.js');
    await writeFile(path, await readFile(join(ROOT, 'examples/node.js')));
    expect(await runProgram([process.execPath], path, ['meeting.wav'])).toMatch(/^\d+\.\d 早晨/m);
    expect((await readFile(join(project, 'greeting.mp3'))).length).toBeGreaterThan(500);
  });

  it('next-route.ts answers a form with a text, and says what is wrong', async () => {
    const route = join(project, 'next-route.ts');
    await writeFile(route, await readFile(join(ROOT, 'examples/next-route.ts')));
    const program = join(project, 'call-route.ts');
    await writeFile(
      program,
      `import { readFileSync } from 'node:fs';
       import { POST } from './next-route.ts';
       const post = async (file) => {
         const body = new FormData();
         if (file !== null) body.append('file', new File([file], 'me.wav'));
         const answer = await POST(new Request('http://localhost/api/transcribe', { method: 'POST', body }));
         return [answer.status, await answer.json()];
       };
       console.log(JSON.stringify([await post(readFileSync('me.wav')), await post('no sound'), await post(null)]));`,
    );
    const [done, refused, empty] = JSON.parse(await runProgram([process.execPath], program)) as [number, object][];
    expect(done).toEqual([200, { text: '早晨 你好媽', segments: expect.any(Array) }]);
    expect(refused).toEqual([415, { message: expect.any(String), code: 'unsupported_audio_format' }]);
    expect(empty).toEqual([400, { message: 'Send a recording as the field "file".' }]);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'esnext,dom'];
    const compilation = run(process.execPath, [compiler, ...options, '--types', '', 'next-route.ts'], { cwd: project });
    await expect(compilation).resolves.toMatchObject({ stdout: '' });
  });
});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  it('browser.html transcribes a file, and other calls work too', async () => {
    const files = createServer(async (request, response) => {
      const name = (request.url ?? '/').slice(1);
      const path = name === '' ? join(ROOT, 'examples/browser.html') : join(dist, name);
      const body = await readFile(path).catch(() => null);
      const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body);
    });
    files.listen(0, '127.0.0.1');
    await once(files, 'listening');
    const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/`;
    const expectedErrors = /Failed to load resource: the server responded with a status of 415/;
    await using browser = await openPage(address, { services: [server.baseUrl], expectedErrors });
    const options = JSON.stringify({ baseUrl: server.baseUrl, apiKey: server.ownerKey });
    const bytes = JSON.stringify([...wav(1)]);
    const script = `(async () => {
      const { Jyutsing } = await import('/web.js');
      const jyut = new Jyutsing(${options});
      const file = new File([new Uint8Array(${bytes})], 'me.wav');
      const large = new File([new Uint8Array(${bytes}), new Uint8Array(8_000_000)], 'large.wav');
      const sent = [];
      await jyut.transcribe(large, { onUploadProgress: ({ sentBytes, totalBytes }) => sent.push(sentBytes / totalBytes) });
      const stop = new AbortController();
      const onUploadProgress = () => stop.abort(new Error('enough'));
      const aborted = await jyut.transcribe(large, { signal: stop.signal, onUploadProgress }).catch(String);
      const own = await new Jyutsing({ ...${options}, fetch: (url, init) => fetch(url, init) }).transcribe(file);
      const refused = await jyut.transcribe(new Blob(['no sound'])).catch((failure) => failure);
      const job = await jyut.transcribe(file);
      const { text } = await job.wait();
      let pcm = 0;
      for await (const piece of jyut.speak('早晨')) pcm += piece.length;
      const score = await jyut.score(file, '好');
      const live = await jyut.listen({ language: 'yue' });
      live.send(new Int16Array(16_000));
      live.close();
      for await (const _ of live);
      const path = await jyut.transcribe('me.wav').catch((failure) => failure.code);
      const shown = await window.transcribe(jyut, file);
      const errors = { aborted, refused: [refused.code, refused.requestId !== null] };
      return { text, pcm: pcm > 0, passed: score.passed, path, shown, sent, own: own.id !== '', ...errors };
    })()`;
    const { sent: sentBytes, ...results } = (await browser.page.evaluate(script)) as { sent: number[] };
    // The browser decides how often it reports; the number grows up to the whole file.
    expect(sentBytes.length).toBeGreaterThan(0);
    expect(sentBytes).toEqual(sentBytes.toSorted((a, b) => a - b));
    expect(sentBytes.at(-1)).toBe(1);
    expect(results).toEqual({
      text: '早晨 你好媽',
      pcm: true,
      passed: true,
      path: 'no_file_access',
      shown: '早晨 你好媽',
      own: true,
      aborted: 'Error: enough',
      refused: ['unsupported_audio_format', true],
    });
    files.closeAllConnections();
    files.close();
  });
});
