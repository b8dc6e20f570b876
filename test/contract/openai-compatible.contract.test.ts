import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '#packages/engines/openai-compatible/recognizer.ts';
import { transcribed, ONE_UTTERANCE, SERVER_KEY, envFor, TWO_UTTERANCES } from '#test/openai/transcribe-with-server.ts';
import { startTranscriptionServer, type TranscriptionServer } from '#test/openai/transcription-server.ts';
import { recognizeLiveWith } from '#test/live-here.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { LIVE_RULE_NAMES, LIVE_RULES } from './live-recognition-rules.ts';
import { checkRecognizer, RECOGNIZER_RULE_NAMES } from './recognizer-rules.ts';

let server: TranscriptionServer;
beforeAll(async () => {
  server = await startTranscriptionServer(SERVER_KEY);
  server.imitate('speaches');
  // The text depends only on the audio, not on the order of uploads.
  server.behave(({ seconds }) => transcribed(`呢段聲有${Math.round(seconds * 100)}咁長。`));
});
afterAll(() => server.close());

describe.each([
  { name: 'words', settings: {} },
  { name: 'segments', settings: { STT_MODEL: 'sense-voice' } },
])('openai-compatible with times of $name keeps the contract', ({ settings }) => {
  it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
    const env = envFor(server, settings);
    const [model] = engine.models(env);
    await expect(
      checkRecognizer(rule, {
        engine,
        model: model!,
        open: () => engine.open(env, model!.name),
        speech: TWO_UTTERANCES,
        otherSpeech: ONE_UTTERANCE,
        mustRecognize: true,
      }),
    ).resolves.toBeUndefined();
  });
});

describe('openai-compatible keeps the contract of live recognition', () => {
  const models = recognizerModels(recognizerRef('any'));
  it.each(LIVE_RULE_NAMES)('%s', async (rule) => {
    const live = recognizeLiveWith(await engine.open(envFor(server, {}), 'openai-compatible'));
    const subject = {
      open: (changes: object, signal: AbortSignal) =>
        live.open({ accountId: 'a', models, context: null, turnDetection: null, ...changes }, signal),
      language: 'cantonese',
      speech: TWO_UTTERANCES,
      mustRecognize: true,
    } as const;
    await expect(LIVE_RULES[rule](subject)).resolves.toBeUndefined();
  });
});
