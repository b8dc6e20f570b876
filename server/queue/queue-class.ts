import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { Store } from '#store/store.ts';
import { JOB_NAMES, type JobDefinitions, type JobName, type QueueDepth } from './queue.ts';

/**
 * Recordings of a class are transcribed by processes of that class only, such as those on machines
 * with a GPU. All others, and deliveries, are of this class.
 */
export const DEFAULT_CLASS = 'default';

export type QueueClasses = {
  /** The class whose recordings this process takes. */
  own: string;
  /** The classes of recognition models by the name of the model or of its engine. */
  byModel: Readonly<Record<string, string>>;
};

/** The class of a transcription: that of its first recognition model that has one. */
export function classOf(plan: TranscriptionPlan | null, { byModel }: Pick<QueueClasses, 'byModel'>): string {
  const names = Object.values(plan?.models.recognizers ?? {}).flatMap(({ model, engine }) => [model, engine]);
  const name = names.find((candidate) => Object.hasOwn(byModel, candidate));
  return (name === undefined ? undefined : byModel[name]) ?? DEFAULT_CLASS;
}

/** All classes that this process knows. */
export function knownClasses({ own: ownClass, byModel }: QueueClasses): string[] {
  return [...new Set([DEFAULT_CLASS, ownClass, ...Object.values(byModel)])];
}

/** The name under which the jobs of a class are stored: each class is a queue of its own. */
export function storedName(name: string, queueClass: string): string {
  return queueClass === DEFAULT_CLASS ? name : `${name}.${queueClass}`;
}

/** The name of a job without its class. */
export function jobNameOf(stored: string): string {
  return stored.split('.')[0] ?? stored;
}

/** Adds the numbers of jobs up over the classes of each name. */
export function depthOf(
  counts: readonly { name: string; state: string; count: number }[],
  nameOf: (stored: string) => string,
): QueueDepth {
  const countOf = (name: JobName, state: string) =>
    counts.reduce((sum, entry) => (nameOf(entry.name) === name && entry.state === state ? sum + entry.count : sum), 0);
  const depths = JOB_NAMES.map((name) => [
    name,
    { waiting: countOf(name, 'waiting'), active: countOf(name, 'active') },
  ]);
  return Object.fromEntries(depths) as QueueDepth;
}

/** The class of the jobs of a name that this process takes: only transcriptions have classes. */
export function classTaken(name: JobName, { own: ownClass }: Pick<QueueClasses, 'own'>): string {
  return name === 'transcribe' ? ownClass : DEFAULT_CLASS;
}

/** The class that a worker registers; null when it takes no recordings. */
export function classOfWorker({ transcribe }: JobDefinitions, { own: ownClass }: QueueClasses): string | null {
  return transcribe.concurrency > 0 ? ownClass : null;
}

/** The known classes of recordings that wait under these stored names and that no process takes. */
export async function unattendedClasses(
  classes: QueueClasses,
  waiting: readonly string[],
  { workers }: Pick<Store, 'workers'>,
): Promise<string[]> {
  const left = knownClasses(classes).filter((queueClass) => waiting.includes(storedName('transcribe', queueClass)));
  if (left.length === 0) return left;
  const taken = await workers.queueClasses();
  return left.filter((queueClass) => !taken.includes(queueClass));
}
