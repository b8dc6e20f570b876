import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { defineDuplexTask } from '#workers/define-task.ts';
import type { LiveMessage, LiveReport } from '#workers/live/live-messages.ts';

/** Runs any number of live sessions in one process; ends when it is aborted. */
export const recognizeLive = defineDuplexTask({
  name: 'recognize-live',
  pool: 'live',
  timeoutMs: Infinity,
  async *run(_input: null, messages: AsyncIterable<LiveMessage>, { engines, env }, signal): AsyncGenerator<LiveReport> {
    const { hostLiveSessions } = await import('#workers/live/host-sessions.ts');
    const { createLiveDetectorOf, speechCheckOf } = await import('@jyutsing/engines/runtime/speech-detection');
    const means = { hold: engines.hold, createDetector: createLiveDetectorOf(env), isSpeech: speechCheckOf(env) };
    yield* hostLiveSessions(messages, means, signal);
  },
  /** A moment of silence: it loads the models of Cantonese, the most requested language. */
  async warmUp({ engines, env, defaultModels }, signal) {
    await import('#workers/live/host-sessions.ts');
    const { createLiveDetectorOf } = await import('@jyutsing/engines/runtime/speech-detection');
    (await createLiveDetectorOf(env)()).close();
    const { followPiece } = await import('#features/live/follow-piece.ts');
    const language = 'cantonese';
    const registry = await engines.registry();
    const model = registry.select('recognizer', { language, model: defaultModels.recognizer });
    const follower = await followPiece(await engines.open(model), { language, context: null });
    await follower.finish(new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ / 4), signal);
  },
});
