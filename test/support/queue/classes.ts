import { vi } from 'vitest';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { Queue } from '#server/queue/queue.ts';
import type { Store } from '#server/store/store.ts';
import { totalDepth, work, type QueueTest } from './test-queues.ts';

const BY_MODEL = { 'whisper-large-v3': 'gpu' };

function planOf(...models: string[]): TranscriptionPlan {
  const refs = models.map((model) => ({ ability: 'recognizer' as const, engine: 'sherpa-onnx', model, version: '1' }));
  const recognizers = { cantonese: refs[0]!, ...(refs[1] === undefined ? {} : { english: refs[1] }) };
  const furtherEngines = { languageIdentifier: null, diarizer: null, romanizer: null, correctors: [] };
  return {
    backend: 'auto',
    version: '1',
    willFuse: false,
    models: { recognizers, ...furtherEngines },
  } as unknown as TranscriptionPlan;
}

function enqueue(store: Store, queue: Queue, transcriptionId: string, plan: TranscriptionPlan | null): Promise<void> {
  return store.transaction((transaction) =>
    queue.enqueue(transaction, { name: 'transcribe', payload: { transcriptionId }, accountId: 'account', plan }),
  );
}

/** Tests of jobs that only workers of a class take. */
export function describeClasses(test: QueueTest): void {
  test('workers of a class, and no others, take the recordings of its models', async ({ expect, queues }) => {
    const [usual, gpu] = [
      await queues.open(undefined, { own: 'default', byModel: BY_MODEL }),
      await queues.open(undefined, { own: 'gpu', byModel: {} }),
    ];
    await enqueue(queues.store, usual, 'large', planOf('whisper-large-v3'));
    await enqueue(queues.store, usual, 'small', planOf('whisper-small'));
    await enqueue(queues.store, usual, 'mixed', planOf('whisper-small', 'whisper-large-v3'));
    await enqueue(queues.store, usual, 'unplanned', null);
    expect((await usual.depth()).transcribe).toEqual({ waiting: 4, active: 0 });
    expect((await usual.unattended()).toSorted()).toEqual(['default', 'gpu']);

    const taken: string[] = [];
    await work(usual, async ({ payload }) => void taken.push(`usual ${payload.transcriptionId}`));
    await vi.waitFor(() => expect(taken).toEqual(['usual small', 'usual unplanned']), 60_000);
    await vi.waitFor(async () => expect(await totalDepth(usual)).toEqual({ waiting: 2, active: 0 }), 60_000);
    expect(await usual.unattended()).toEqual(['gpu']);

    await work(gpu, async ({ payload }) => void taken.push(`gpu ${payload.transcriptionId}`));
    await vi.waitFor(() => expect(taken.slice(2)).toEqual(['gpu large', 'gpu mixed']), 60_000);
    await vi.waitFor(async () => expect(await totalDepth(usual)).toEqual({ waiting: 0, active: 0 }), 60_000);
    expect(await usual.unattended()).toEqual([]);
  });

  test('a job of a class fails, runs again and dies in its class', async ({ expect, queues }) => {
    const queue = await queues.open(undefined, { own: 'gpu', byModel: BY_MODEL });
    const dead: { id: string; name: string }[] = [];
    let starts = 0;
    const run = async () => {
      starts += 1;
      throw new Error('the model does not fit');
    };
    await work(queue, run, 1, dead as never);
    await enqueue(queues.store, queue, 'failing', planOf('whisper-large-v3'));
    await vi.waitFor(
      () => expect(dead).toMatchObject([{ name: 'transcribe', payload: { transcriptionId: 'failing' } }]),
      60_000,
    );
    expect(starts).toBe(2);
    await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 60_000);
  });
}
