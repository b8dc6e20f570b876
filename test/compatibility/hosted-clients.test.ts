import { z } from 'zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { OWNER_KEY, sharedService, type SharedService } from '#testbed/service/service.ts';
import { HOSTED_CLIENTS, type HostedClient, type Reads } from './hosted-clients.ts';

type Call = HostedClient['calls'][number];

let service: SharedService;
let recording: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  service = await sharedService();
  recording = new Uint8Array(wavBytes(joinSounds([await speak(toJyutping('你今日食咗飯未'))], 300)));
});

/** Sends the request as the program does. */
function send({ method, path, key, json, form }: Call): Promise<Response> {
  const query = key === 'query' ? `?api_key=${OWNER_KEY}` : '';
  const headers: Record<string, string> = {};
  if (key.startsWith('bearer')) headers['authorization'] = `Bearer ${OWNER_KEY}`;
  if (key.endsWith('x-api-key')) headers['x-api-key'] = OWNER_KEY;
  const url = `${service.baseUrl}${path}${query}`;
  if (method === 'GET') return fetch(url, { headers });
  const ownKey = key === 'field' ? { api_key: OWNER_KEY } : {};
  if (form === undefined) {
    const body = JSON.stringify({ ...ownKey, ...json });
    return fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  }
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...ownKey, ...form.fields })) body.append(name, value);
  const [field, name, type] = form.file;
  body.append(field, new Blob([recording], { type }), name);
  return fetch(url, { method: 'POST', headers, body });
}

const START = { wav: /^RIFF....WAVE/s, mp3: /^(?:ID3|\xff[\xe2-\xff])/ };

const spokenList = ['nei5', 'hou2'].map((jyutping, index) => ({ character: '你好'[index], jyutping }));
const isFile = (format: 'mp3' | 'wav', bytes: Buffer) =>
  START[format].test(bytes.toString('latin1', 0, 12)) && bytes.length > 1_000;

/** The JSON that a program reads. */
function schemaOf(reads: Exclude<Reads, { sound: unknown }>): z.ZodType {
  if ('timed' in reads) {
    return z.object({
      file: z.base64().refine((file) => isFile(reads.timed, Buffer.from(file, 'base64'))),
      request_id: z.uuid(),
      srt_timestamp: z.string().includes('-->'),
      timestamps: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).min(1),
    });
  }
  if ('text' in reads) {
    return z.object({ text: z.string().regex(reads.text === 'plain' ? /^\p{Script=Han}/u : /^1\n[\d:,]{12} --> /u) });
  }
  if ('score' in reads) {
    const [score, passed, transcribedJyutping] = [z.number(), z.boolean(), z.string()];
    return z.object({
      success: z.literal(true),
      score,
      passed,
      expectedJyutping: z.string().startsWith('nei5 '),
      transcribedJyutping,
    });
  }
  if ('jyutping' in reads) {
    const expected = JSON.stringify(reads.jyutping === 'list' ? spokenList : 'nei5 hou2');
    return z.object({
      success: z.literal(true),
      result: z.unknown().refine((result) => JSON.stringify(result) === expected),
    });
  }
  return z.object({ voices: z.array(z.object({ voice_id: z.string(), name: z.string() })).min(1) });
}

/**
 * Says what is wrong with an answer for a program that reads these fields; null when nothing is.
 */
async function faultOf(response: Response, reads: Reads): Promise<string | null> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return `${response.status} ${bytes.toString('utf8')}`;
  if ('sound' in reads) return isFile(reads.sound, bytes) ? null : `no ${reads.sound} of ${bytes.length} bytes`;
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('application/json')) return type;
  const { error } = schemaOf(reads).safeParse(JSON.parse(bytes.toString('utf8')));
  return error === undefined ? null : z.prettifyError(error);
}

it('names at least fifteen repositories', () => {
  expect(new Set(HOSTED_CLIENTS.map(({ repository }) => repository)).size).toBeGreaterThanOrEqual(15);
});

describe.each(HOSTED_CLIENTS)('$repository ($file)', ({ calls }) => {
  it.each(calls.map((call, index) => ({ number: index + 1, call, path: call.path })))(
    'gets what it reads from its call $number to $path',
    async ({ call }) => {
      expect(await faultOf(await send(call), call.reads)).toBeNull();
    },
  );
});
