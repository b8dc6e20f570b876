import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, request, submission, type Answer } from '#testbed/service/service.ts';
import { anyVoice } from '../bench/tts/client.ts';

type Ask = () => Promise<Answer>;

/** One request of each kind that an honest client sends; the key is where such clients put it. */
export async function honestRequests(baseUrl: string): Promise<Readonly<Record<string, Ask>>> {
  const recording = wavBytes(await speak(toJyutping('今日天氣好好')));
  const voice = await anyVoice(baseUrl);
  const header = { 'x-api-key': OWNER_KEY };
  let turn = 0;
  return {
    models: () => request(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${OWNER_KEY}` } }),
    usage: () => request(`${baseUrl}/api/usage`, { headers: header }),
    transcription() {
      turn += 1;
      // A different context each time prevents a cached result.
      const fields = { context: `turn ${turn}`, wait_for_completion: 'true' };
      return request(`${baseUrl}/api/stt`, submission(recording, fields));
    },
    'transcription with the key last'() {
      turn += 1;
      const form = new FormData();
      form.append('context', `turn ${turn}`);
      form.append('data', new Blob([new Uint8Array(recording)]), 'recording.wav');
      form.append('api_key', OWNER_KEY);
      return request(`${baseUrl}/speech-to-text`, { method: 'POST', body: form });
    },
    speech: () =>
      request(`${baseUrl}/api/tts-stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: OWNER_KEY, text: '早晨', voice_id: voice }),
      }),
    scoring() {
      const form = new FormData();
      form.append('api_key', OWNER_KEY);
      form.append('text', '今日天氣好好');
      form.append('audio', new Blob([new Uint8Array(recording)]), 'recording.wav');
      return request(`${baseUrl}/api/score-pronunciation`, { method: 'POST', body: form });
    },
  };
}
