import { OpenAIWhisperAudio } from '@langchain/community/document_loaders/fs/openai_whisper_audio';
import { apiKey, attempt, recording, url } from './harness.js';

async function loader() {
  await attempt('file', async () => {
    const clientOptions = { apiKey, baseURL: `${url}/v1`, maxRetries: 0 };
    const params = { clientOptions, transcriptionCreateParams: { language: 'yue' } };
    const documents = await new OpenAIWhisperAudio(recording, params).load();
    return documents.map(({ pageContent }) => pageContent).join('');
  });
}

export const programs = { '@langchain/community': loader };
