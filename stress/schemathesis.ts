import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OWNER_KEY, request, requestIdOf, submission, temporaryFolder } from '#testbed/service/service.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import { goalOfZero, type Measurement } from '../bench/report.ts';

const VERSION = '4.32.5';
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');
const JSON_HEADERS = { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' };

/**
 * Lets Schemathesis, a program from outside, compare the service with its own /openapi.json.
 * `phases`: a list of examples, coverage, fuzzing and stateful.
 */
export async function judgeWithSchemathesis(program: string, phases: string): Promise<Measurement[]> {
  const version = await promisify(execFile)(program, ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
  if (version === null) {
    throw new TypeError(
      `${program} cannot be started: pip install schemathesis==${VERSION}, and name it with --program`,
    );
  }
  if (!version.includes(VERSION)) console.error(`  ${version}; the settings are for ${VERSION}`);
  await using folder = await temporaryFolder();
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  try {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder.path, ...(await makeThings(service.baseUrl)) };
    const args = ['--config-file', CONFIG, 'run', `${service.baseUrl}/openapi.json`, '--phases', phases, '--no-color'];
    const child = spawn(program, args, { env, cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stderr.write(text);
    });
    const [status] = (await once(child, 'close')) as [number | null];
    const failures = Number(/found (\d+)/.exec(output)?.[1] ?? (status === 0 ? 0 : 1));
    const key = await request(`${service.baseUrl}/api/usage`, { headers: JSON_HEADERS });
    return [
      goalOfZero(`failures of the phases ${phases}`, failures),
      goalOfZero('keys that were locked out by their own requests', key.status === 200 ? 0 : 1),
    ];
  } finally {
    await service.stop();
  }
}

const idIn = (part: unknown) => String((part as { id: string }).id);

/** Makes one thing of each kind; returns their ids as variables of the settings. */
async function makeThings(baseUrl: string): Promise<Record<string, string>> {
  const post = (path: string, body: object) =>
    request(`${baseUrl}${path}`, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) });
  const recording = wavBytes(await speak(toJyutping('早晨')));
  const submitted = await request(`${baseUrl}/api/stt`, submission(recording, { keep_audio: 'true' }));
  const corpus = await post('/api/corpora', { name: 'words', entries: [{ text: '蝦餃' }] });
  const account = idIn((await post('/api/admin/accounts', { name: 'account', plan: 'pro' })).body['account']);
  const key = await post(`/api/admin/accounts/${account}/keys`, {});
  return {
    BASE_URL: baseUrl,
    API_KEY: OWNER_KEY,
    TRANSCRIPTION_ID: requestIdOf(submitted),
    CORPUS_ID: idIn(corpus.body['corpus']),
    VOICE_ID: 'jasmine',
    ACCOUNT_ID: account,
    KEY_ID: idIn(key.body['key']),
  };
}
