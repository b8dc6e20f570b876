import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '#packages/engines/openai-compatible/recognizer.ts';
import { heard, ONE_STRETCH, SERVER_KEY, surroundingsOf, TWO_STRETCHES } from '#test/hear-with-server.ts';
import { startOpenAiAudioServer, type OpenAiAudioServer } from '#test/openai-audio-server.ts';
import { checkRecognizer, RECOGNIZER_RULE_NAMES } from './recognizer-rules.ts';

let server: OpenAiAudioServer;
beforeAll(async () => {
  server = await startOpenAiAudioServer(SERVER_KEY);
  server.flavour('speaches');
  // The text depends on the sound alone, whatever the order of the uploads.
  server.behave(({ seconds }) => heard(`呢段聲有${Math.round(seconds * 100)}咁長。`));
});
afterAll(() => server.close());

describe.each([
  { name: 'words', settings: {} },
  { name: 'segments', settings: { STT_MODEL: 'sense-voice' } },
])('openai-compatible with times of $name keeps the contract', ({ settings }) => {
  it.each(RECOGNIZER_RULE_NAMES)('%s', async (rule) => {
    const env = surroundingsOf(server, settings);
    const [model] = engine.models(env);
    await expect(
      checkRecognizer(rule, {
        engine,
        model: model!,
        open: () => engine.open(env, model!.name),
        speech: TWO_STRETCHES,
        otherSpeech: ONE_STRETCH,
        mustUnderstand: true,
      }),
    ).resolves.toBeUndefined();
  });
});
