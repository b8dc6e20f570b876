import { setTimeout as sleep } from 'node:timers/promises';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, request, requestIdOf, submission, waitForResult, type Answer } from '#testbed/service/service.ts';
import { createRequests, type Send } from '../bench/request-kinds.ts';
import { anyVoice, cantoneseText, openStream } from '../bench/tts/client.ts';

const KEY = { 'x-api-key': OWNER_KEY };
const JSON_TYPE = { ...KEY, 'content-type': 'application/json' };

/**
 * One function for each kind of request by name, among them clients that leave and requests that
 * are refused; all throw when the answer is not the right one. Records are delivered to
 * `callbackUrl`.
 */
export async function createSoakRequests(
  baseUrl: string,
  folder: string,
  callbackUrl: string,
): Promise<Readonly<Record<string, Send>>> {
  const names = ['transcription', 'streamed speech', 'speech file', 'score', 'voice', 'video summary'];
  const common = await createRequests(baseUrl, folder);
  const voice = await anyVoice(baseUrl);
  const audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
  let turn = 0;
  /** A different context each time prevents a cached result. */
  const newWork = () => ({ context: `turn ${(turn += 1)}`, skip_fusion: 'true' });
  const submit = async () => {
    const answer = await request(`${baseUrl}/api/stt`, submission(audio, { ...newWork(), callback_url: callbackUrl }));
    return requestIdOf(expectStatus(answer, 200));
  };
  const get = (path: string) => request(baseUrl + path, { headers: KEY });
  const post = (path: string, body: object) =>
    request(baseUrl + path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const remove = async (path: string) =>
    expectStatus(await request(baseUrl + path, { method: 'DELETE', headers: KEY }), 200);

  return {
    ...Object.fromEntries(common.map((send, index) => [names[index] ?? `request ${index}`, send])),
    async 'blocking call'() {
      expectStatus(await request(`${baseUrl}/`, submission(audio, newWork())), 200);
    },
    async 'streamed text'() {
      const form = new FormData();
      form.append('stream', 'true');
      form.append('prompt', newWork().context);
      form.append('file', new Blob([new Uint8Array(audio)]), 'a.wav');
      const init = { method: 'POST', headers: KEY, body: form };
      const answer = expectStatus(await request(`${baseUrl}/v1/audio/transcriptions`, init), 200);
      if (!String(answer.body['text']).includes('transcript.text.done')) throw new Error('a stream ended early');
    },
    async 'progress, files and deletion'() {
      const id = await submit();
      expectStatus(await get(`/api/speech-to-text/${id}/events`), 200);
      await waitForResult(baseUrl, id);
      for (const format of ['json', 'txt', 'srt', 'vtt'])
        expectStatus(await get(`/api/speech-to-text/${id}.${format}`), 200);
      await remove(`/api/speech-to-text/${id}`);
    },
    async 'deletion during the work'() {
      await remove(`/api/speech-to-text/${await submit()}`);
    },
    async 'the same recording at once'() {
      const fields = newWork();
      const answers = await Promise.all([1, 2].map(() => request(`${baseUrl}/api/stt`, submission(audio, fields))));
      for (const answer of answers) await waitForResult(baseUrl, requestIdOf(expectStatus(answer, 200)));
    },
    async 'OpenAI speech'() {
      const input = await cantoneseText(1, (turn += 1));
      expectStatus(await post('/v1/audio/speech', { model: 'tts-1', input, voice }), 200);
    },
    async 'a listener who leaves'() {
      const { response } = await openStream(baseUrl, voice, await cantoneseText(4, (turn += 1)));
      response.destroy();
    },
    async 'a corpus'() {
      const entries = [{ text: '點心' }];
      const { body } = expectStatus(await post('/api/corpora', { name: 'soak', language: 'cantonese', entries }), 200);
      await remove(`/api/corpora/${String((body['corpus'] as { id: string }).id)}`);
    },
    async 'reading lists'() {
      for (const path of ['/api/usage', '/v1/models', '/api/voices', '/api/corpora', '/api/speech-to-text', '/health'])
        expectStatus(await get(path), 200);
      expectStatus(await post('/api/text-to-jyutping', { text: '你好' }), 200);
    },
    async 'refused requests'() {
      expectStatus(await request(`${baseUrl}/api/stt`, submission(Buffer.from('no sound'))), 415);
      expectStatus(await request(`${baseUrl}/api/stt`, submission(audio, { api_key: 'wrong' })), 401);
      expectStatus(await request(`${baseUrl}/api/tts-stream`, { method: 'POST', headers: JSON_TYPE, body: '{' }), 400);
    },
    async 'an upload that breaks off'() {
      const leaving = new AbortController();
      const init = { ...submission(new Uint8Array(8 * 1_024 ** 2)), signal: leaving.signal };
      const sending = request(`${baseUrl}/api/stt`, init).catch(() => {});
      await sleep(20);
      leaving.abort();
      await sending;
    },
  };
}

function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`status ${answer.status} instead of ${status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
}
