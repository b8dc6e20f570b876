import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { startProgress } from '../progress.ts';
import { asTable, percent } from '../report.ts';
import type { EvaluationOptions } from '../run.ts';
import { readSentences } from '../spoken-sentences.ts';

/** Options of `eval chinese`; `limit` counts the sentences of each language. */
export type ChineseOptions = Pick<EvaluationOptions, 'limit' | 'jsonPath' | 'format'>;

/** The least shares of sentences that must come back in the language in which they were spoken. */
const GOALS = { cantonese: 0.95, mandarin: 0.9 } as const;
type Spoken = keyof typeof GOALS;
const SPOKEN = Object.keys(GOALS) as Spoken[];

type Heard = { spoken: Spoken; voice: string; sent: string; heard: string; text: string };

/**
 * Speaks everyday sentences with the shipped voices and transcribes them with `language=zh`, as a
 * client of a service of its own. Returns 1 when fewer sentences than the goal come back in the
 * language in which they were spoken.
 */
export async function runChinese({ limit, jsonPath, format }: ChineseOptions): Promise<number> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { WORKERS: '1' });
  const results: Heard[] = [];
  try {
    const client = createClient(service.baseUrl);
    const voices = await client.voices();
    const sentences = await Promise.all(
      SPOKEN.map(async (spoken) => (await readSentences(spoken)).slice(0, limit).map(({ text }) => ({ spoken, text }))),
    );
    const all = sentences.flat();
    const progress = startProgress('chinese', all.length);
    for (const [index, { spoken, text: sentence }] of all.entries()) {
      const voice = voices[index % voices.length]!;
      // Without random variation, so that a repeated run hears the same.
      const recording = await client.speak({ text: sentence, voice_id: voice, language: spoken, temperature: 0 });
      const { language: recognized, text } = await client.transcribe(recording);
      results.push({ spoken, voice, sent: sentence, heard: recognized, text });
      progress.done(results.length);
    }
    progress.finish(`${results.length} sentences`);
  } finally {
    await service.stop();
  }
  if (jsonPath !== null) await writeFile(jsonPath, JSON.stringify(results, null, 2));
  const rows = SPOKEN.map((spoken) => rowOf(spoken, results));
  console.log(asTable(['spoken', 'sentences', 'as spoken', 'share', 'goal'], rows.map(cellsOf), format));
  for (const result of results.filter(({ heard: recognized, spoken }) => recognized !== spoken)) {
    console.log(`${result.spoken} by ${result.voice} came back as ${result.heard}: ${result.sent} → ${result.text}`);
  }
  return rows.every(({ share, goal }) => share >= goal) ? 0 : 1;
}

function rowOf(spoken: Spoken, results: readonly Heard[]) {
  const inLanguage = results.filter((result) => result.spoken === spoken);
  const right = inLanguage.filter(({ heard: recognized }) => recognized === spoken).length;
  return { spoken, sentences: inLanguage.length, right, share: right / inLanguage.length, goal: GOALS[spoken] };
}

function cellsOf({ spoken, sentences, right, share, goal }: ReturnType<typeof rowOf>): string[] {
  return [spoken, String(sentences), String(right), percent(share), `≥ ${percent(goal)}`];
}

function createClient(baseUrl: string) {
  const headers = { 'x-api-key': OWNER_KEY };
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(baseUrl + path, { ...init, headers: { ...headers, ...init.headers } });
    if (response.ok) return response;
    throw new AppError('internal_error', `${path} was answered with ${response.status}: ${await response.text()}`);
  };
  return {
    async voices(): Promise<string[]> {
      const { voices } = (await (await send('/api/voices')).json()) as { voices: { voice_id: string }[] };
      return voices.map(({ voice_id: id }) => id);
    },
    async speak(body: object): Promise<Blob> {
      const json = { 'content-type': 'application/json' };
      return (await send('/api/tts', { method: 'POST', headers: json, body: JSON.stringify(body) })).blob();
    },
    async transcribe(recording: Blob): Promise<{ language: string; text: string }> {
      const body = new FormData();
      body.append('file', recording, 'sentence.wav');
      body.append('model', 'whisper-1');
      body.append('language', 'zh');
      body.append('response_format', 'verbose_json');
      const answer = await (await send('/v1/audio/transcriptions', { method: 'POST', body })).json();
      return answer as { language: string; text: string };
    },
  };
}
