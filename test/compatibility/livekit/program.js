// Runs where the packages of LiveKit are installed: streams a sentence to their speech-to-text as
// an agent does and prints the events that an agent would get as JSON. Arguments: the address, the
// key, a file of 16-bit mono PCM at 24 kHz, the case; without a case it prints their names.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inference, initializeLogger, stt } from '@livekit/agents';
import { STT } from '@livekit/agents-plugin-openai';
import { AudioFrame } from '@livekit/rtc-node';

const RATE_HZ = 24_000;
const FRAME_SAMPLES = RATE_HZ / 20;
const [baseURL, apiKey, path, wanted] = process.argv.slice(2);
const bytes = readFileSync(path);
const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const frames = Array.from({ length: Math.ceil(samples.length / FRAME_SAMPLES) }, (_, at) => {
  // A copy: the plugin sends the whole memory of a frame.
  const own = samples.slice(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES);
  return new AudioFrame(own, RATE_HZ, 1, own.length);
});
const NAMES = new Map(Object.entries(stt.SpeechEventType).map(([name, value]) => [value, name]));

async function listen(options) {
  const stream = new STT({ apiKey, baseURL, ...options }).stream();
  const events = [];
  const reading = (async () => {
    for await (const event of stream) {
      const [best] = event.alternatives ?? [];
      events.push({ type: NAMES.get(event.type), ...(best && { text: best.text, language: best.language }) });
      if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) break;
    }
  })();
  for (const frame of frames) {
    stream.pushFrame(frame);
    // At the pace of speech, which the detectors of the agent count on.
    await sleep(50);
  }
  await Promise.race([reading, sleep(20_000)]);
  return events;
}

const cases = {
  'gpt-4o-transcribe, ends of speech from the server': () => listen({ model: 'gpt-4o-transcribe', language: 'yue' }),
  'gpt-live-transcribe with keywords, ends of speech from the agent': () =>
    listen({ model: 'gpt-live-transcribe', language: ['yue'], keywords: ['地鐵'], vad: new inference.VAD() }),
  'gpt-realtime-whisper, zh-HK': () => listen({ model: 'gpt-realtime-whisper', language: 'zh-HK' }),
  'whisper-1 without a stream': async () => {
    const found = await new STT({ apiKey, baseURL, model: 'whisper-1', language: 'yue', useRealtime: false }).recognize(
      frames,
    );
    return [{ type: 'FINAL_TRANSCRIPT', ...found.alternatives[0] }];
  },
};

if (wanted === undefined) console.log(JSON.stringify(Object.keys(cases)));
else {
  initializeLogger({ pretty: false, level: 'error' });
  const events = await cases[wanted]().catch((thrown) => [{ type: 'FAILED', text: String(thrown) }]);
  console.log(JSON.stringify(events));
}
// Streams that are still open would keep the process.
process.exit(0);
