import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { Language } from '@jyutsing/contracts/transcript';
import type { ModelFailure, TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import type { ModelHealth } from '#features/transcription/model-health.ts';
import { isFailureOfModel } from '#features/transcription/recognition.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';

type Services = { health: Pick<ModelHealth, 'failed' | 'succeeded'>; metrics: Metrics; logger: Logger };
type Transcribed = { result: TranscriptionResult; isDegraded: boolean };

/** Counts what reached the followers of a record, over all attempts. */
export type FollowedSegments = {
  /** Another attempt begins at the start of the recording. */
  beginAgain(): void;
  /** Takes every event of an attempt; returns the number of a new segment, else null. */
  add(event: TranscriptionEvent): number | null;
  /** The recognizer that works, or worked when the attempt failed; empty: none does. */
  model(): string;
};

/**
 * Numbers segments, but not again those before the place where a process broke. Channels that are
 * transcribed one after the other are speakers, so that place is one for each speaker.
 */
export function createFollowedSegments(): FollowedSegments {
  let model = '';
  let untilMs = new Map<string | null, number>();
  let skipUntilMs = untilMs;
  let count = 0;
  return {
    model: () => model,
    beginAgain() {
      model = '';
      skipUntilMs = untilMs;
      untilMs = new Map(untilMs);
    },
    add(event) {
      if (event.type === 'recognizer') model = event.model;
      // Until recognition has ended, a correction shows the stage of the recognition.
      if (event.type === 'progress' && event.stage !== 'recognition') model = '';
      if (event.type !== 'segment-end') return null;
      const { speaker, startMs, endMs } = event.segment;
      if (startMs < (skipUntilMs.get(speaker) ?? 0)) return null;
      untilMs.set(speaker, Math.max(untilMs.get(speaker) ?? 0, endMs));
      count += 1;
      return count - 1;
    },
  };
}

/**
 * Transcribes again without a recognizer whose process breaks or hangs, and counts which models
 * failed. A result with failures is degraded: a model that is well again may give a better text.
 * Throws the error of the last recognizer.
 */
export async function withOtherRecognizers(
  planned: TranscriptionModels,
  attempt: (models: TranscriptionModels) => Promise<Transcribed>,
  followed: Pick<FollowedSegments, 'model' | 'beginAgain'>,
  { health, metrics, logger }: Services,
  signal: AbortSignal,
): Promise<Transcribed> {
  const broken: ModelFailure[] = [];
  const count = (failures: readonly ModelFailure[]) => {
    for (const { model, failure, segments } of failures)
      metrics.modelFailures.inc({ model, reason: failure }, segments);
  };
  for (let models = planned; ;) {
    try {
      const { result, isDegraded } = await attempt(models);
      const failures = result.modelFailures ?? [];
      count(failures);
      const failed = new Set(failures.map(({ model }) => model));
      // A model that answered for most segments works, whatever it wrote in the rest.
      failed.delete(result.backend);
      for (const model of failed) health.failed(model);
      health.succeeded(result.backend);
      const modelFailures = [...broken, ...failures];
      return modelFailures.length === 0
        ? { result, isDegraded }
        : { result: { ...result, modelFailures }, isDegraded: true };
    } catch (thrown) {
      const model = followed.model();
      const rest = withoutModel(models, model);
      // Without a working model the failure is not that of one.
      if (signal.aborted || model === '' || rest === null || !isFailureOfModel(thrown)) throw thrown;
      const answeredBy = Object.values(rest.recognizers)[0]?.model ?? '';
      logger.warn({ model, answeredBy, cause: thrown }, 'a recognizer broke; another one transcribes the recording');
      const failure: ModelFailure = { model, failure: 'failed', answeredBy, segments: 1 };
      count([failure]);
      health.failed(model);
      broken.push(failure);
      models = rest;
      followed.beginAgain();
    }
  }
}

/** The models without one recognizer; null when a language has no other. */
function withoutModel(models: TranscriptionModels, model: string): TranscriptionModels | null {
  const recognizers: Partial<Record<Language, ModelRef<'recognizer'>>> = {};
  const otherRecognizers: Partial<Record<Language, readonly ModelRef<'recognizer'>[]>> = {};
  for (const [name, ref] of Object.entries(models.recognizers)) {
    const language = name as Language;
    const refs = [ref, ...(models.otherRecognizers?.[language] ?? [])];
    const [first, ...rest] = refs.filter((candidate) => candidate.model !== model);
    if (first === undefined) return null;
    recognizers[language] = first;
    otherRecognizers[language] = rest;
  }
  return { ...models, recognizers, otherRecognizers };
}
