// An agent of LiveKit that hears and speaks Cantonese:
//   npm install @livekit/agents@1.9.0 @livekit/agents-plugin-openai@1.9.0
//   node livekit-agent.ts dev
import { fileURLToPath } from 'node:url';
import { cli, defineAgent, voice, WorkerOptions, type JobContext } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';

const service = {
  baseURL: `${process.env.JYUTSING_URL ?? 'http://127.0.0.1:8080'}/v1`,
  apiKey: process.env.JYUTSING_API_KEY ?? '',
};

export default defineAgent({
  async entry(context: JobContext) {
    await context.connect();
    const session = new voice.AgentSession({
      stt: new openai.STT({ ...service, model: 'gpt-4o-transcribe', language: 'yue', useRealtime: true }),
      llm: new openai.LLM({ model: 'gpt-4o-mini' }),
      tts: new openai.TTS({ ...service, voice: 'jasmine' as 'alloy' }),
    });
    await session.start({
      agent: new voice.Agent({ instructions: '你係一個講廣東話嘅助手，答得簡短。' }),
      room: context.room,
    });
  },
});

cli.runApp(new WorkerOptions({ agent: fileURLToPath(import.meta.url) }));
