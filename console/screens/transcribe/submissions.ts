import { computed, signal } from '@preact/signals';
import { InvalidRequestError, NotFoundError, type TranscribeOptions, type TranscriptionJob } from '@jyutsing/client';
import { durationOf } from '#console/audio/duration.ts';
import { announce } from '#console/core/announce.ts';
import { decodeText } from '#console/core/decode-text.ts';
import { keepDraft, readDraft } from '#console/core/drafts.ts';
import { open } from '#console/core/router.ts';
import { noticeRefusal, client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';

export type Phase =
  | 'chosen'
  | 'waiting'
  | 'sending'
  | 'queued'
  | 'recognition'
  | 'diarization'
  | 'fusion'
  | 'completed'
  | 'failed'
  | 'cancelled';

/** One recording on its way to a transcript. */
export type Submission = {
  id: number;
  name: string;
  /** The source is null for one that was sent before the page was loaded. */
  source: File | URL | null;
  sizeBytes: number | null;
  /** The length is null until the recording is decoded. */
  seconds: number | null;
  phase: Phase;
  /** Part of the phase that is done, from 0 to 1; null while it is unknown. */
  fraction: number | null;
  /**
   * The id of the transcription on the server; null until the server has accepted the recording.
   */
  transcriptionId: string | null;
  failure: unknown;
};

type Options = Pick<
  TranscribeOptions,
  'language' | 'diarization' | 'channels' | 'speakers' | 'context' | 'fusion' | 'corpora' | 'keepAudio'
>;

const SENT_AT_A_TIME = 2;
const RUNNING: ReadonlySet<Phase> = new Set(['waiting', 'sending', 'queued', 'recognition', 'diarization', 'fusion']);

/** The list outlives the screen, so that sending goes on while another screen is open. */
export const submissions = signal<readonly Submission[]>([]);
export const chosen = computed(() => submissions.value.filter(({ phase }) => phase === 'chosen'));
const isSending = computed(() => submissions.value.some(({ phase }) => phase === 'waiting' || phase === 'sending'));

let lastId = 0;
let sending = 0;
const waiting: { id: number; options: Options }[] = [];
const stops = new Map<number, AbortController>();

addEventListener('beforeunload', (event) => {
  if (isSending.value) event.preventDefault();
});

export function addFiles(files: readonly File[]): void {
  for (const file of files) {
    const id = add({ name: file.name, source: file, sizeBytes: file.size });
    if (file.size === 0) change(id, { phase: 'failed', failure: emptyFile() });
    else void durationOf(file).then((seconds) => change(id, { seconds }));
  }
}

/** The console refuses an empty file itself, so that nothing is sent. */
function emptyFile(): InvalidRequestError {
  return new InvalidRequestError('The file is empty.', { code: 'empty_file' });
}

export function addLink(url: URL): void {
  const name = decodeText(url.pathname.split('/').at(-1) ?? '') ?? '';
  add({ name: name === '' ? url.hostname : name, source: url, sizeBytes: null });
}

function add(source: Pick<Submission, 'name' | 'source' | 'sizeBytes'>): number {
  lastId += 1;
  const fresh = { seconds: null, phase: 'chosen', fraction: null, transcriptionId: null, failure: null } as const;
  submissions.value = [...submissions.value, { id: lastId, ...source, ...fresh }];
  return lastId;
}

/** Sends all chosen recordings, two at a time. */
export function startAll(options: Options): void {
  for (const { id } of chosen.value) start(id, options);
}

function start(id: number, options: Options): void {
  lastOptions = options;
  change(id, { phase: 'waiting', fraction: null, failure: null });
  waiting.push({ id, options });
  sendNext();
}

let lastOptions: Options = {};

export function retry(id: number): void {
  start(id, lastOptions);
}

/** Takes a submission off the list, or cancels it while it runs, on the server too. */
export async function remove(id: number): Promise<void> {
  const submission = submissions.value.find((candidate) => candidate.id === id);
  stops.get(id)?.abort();
  const isRunning = submission !== undefined && RUNNING.has(submission.phase);
  if (isRunning) change(id, { phase: 'cancelled' });
  else drop(id);
  if (isRunning) keepAccepted();
  if (isRunning && submission.transcriptionId !== null) {
    await client().transcriptions.job(submission.transcriptionId).cancel();
  }
}

/** The service takes titles of so many UTF-16 units. */
const MAX_TITLE = 200;

/** The name of a recording without its extension, which is no part of a title. */
function titleOf(name: string): string {
  const title = name.replace(/\.[a-z][a-z0-9]{1,4}$/i, '').trim();
  // A character of two units is not cut in half.
  return (title === '' ? name : title).slice(0, MAX_TITLE).replace(/[\u{D800}-\u{DBFF}]$/u, '');
}

function drop(id: number): void {
  submissions.value = submissions.value.filter((candidate) => candidate.id !== id);
  keepAccepted();
}

function sendNext(): void {
  while (sending < SENT_AT_A_TIME) {
    const next = waiting.shift();
    if (next === undefined) return;
    const submission = submissions.value.find(({ id }) => id === next.id);
    if (submission?.phase === 'waiting') void send(submission, next.options);
  }
}

async function send({ id, source, name }: Submission, options: Options): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  const { signal } = stop;
  sending += 1;
  let isReleased = false;
  const releaseSlot = () => {
    if (isReleased) return;
    isReleased = true;
    sending -= 1;
    sendNext();
  };
  change(id, { phase: 'sending' });
  try {
    if (source === null) return;
    const onUploadProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number | null }) =>
      change(id, { fraction: totalBytes === null ? null : sentBytes / totalBytes });
    const job = await client().transcribe(source, { ...options, title: titleOf(name), onUploadProgress, signal });
    releaseSlot();
    change(id, { phase: 'queued', fraction: 0, transcriptionId: job.id });
    keepAccepted();
    await follow(id, job, signal);
  } catch (failure) {
    if (signal.aborted) return;
    noticeRefusal(failure);
    change(id, { phase: 'failed', failure });
    announceEnd(name, 'failed', null);
  } finally {
    releaseSlot();
    stops.delete(id);
  }
}

/** Shows how far a transcription is until it ends. Throws why it failed. */
async function follow(id: number, job: TranscriptionJob, signal: AbortSignal): Promise<void> {
  let updates = 0;
  for await (const { stage, fraction, durationSeconds } of job.progress({ signal })) {
    updates += 1;
    change(id, { phase: stage, fraction, ...(durationSeconds > 0 ? { seconds: durationSeconds } : {}) });
  }
  // It was finished long ago when there is nothing else to tell.
  if (updates < 2) return;
  const { name = '' } = submissions.value.find((candidate) => candidate.id === id) ?? {};
  announceEnd(name, 'completed', job.id);
}

function announceEnd(name: string, phase: 'completed' | 'failed', transcriptionId: string | null): void {
  const { announced } = text().transcribe;
  announce(announced[phase](name), () =>
    open(transcriptionId === null ? 'transcribe' : 'transcripts', transcriptionId),
  );
}

type Accepted = Pick<Submission, 'name' | 'sizeBytes' | 'seconds'> & { transcriptionId: string };
const DRAFT = 'submissions';
/** Finished ones are kept too, so that the list is the same after the page is loaded again. */
const KEPT = 30;

function keepAccepted(): void {
  const accepted = submissions.value.flatMap(({ name, sizeBytes, seconds, transcriptionId, phase }): Accepted[] =>
    transcriptionId === null || phase === 'cancelled' ? [] : [{ name, sizeBytes, seconds, transcriptionId }],
  );
  keepDraft(DRAFT, accepted.slice(-KEPT));
}

let restoring: Promise<void> | null = null;

/** Shows what was sent before the page was loaded again, and follows what still runs. */
export function restoreSubmissions(): Promise<void> {
  return (restoring ??= restore());
}

async function restore(): Promise<void> {
  const accepted = (await readDraft<Accepted[]>(DRAFT)) ?? [];
  for (const { transcriptionId, ...facts } of accepted) {
    if (submissions.value.some((submission) => submission.transcriptionId === transcriptionId)) continue;
    const id = add({ ...facts, source: null });
    change(id, { phase: 'queued', seconds: facts.seconds, transcriptionId });
    const stop = new AbortController();
    stops.set(id, stop);
    follow(id, client().transcriptions.job(transcriptionId), stop.signal)
      .catch((failure: unknown) => {
        if (stop.signal.aborted) return;
        // It was deleted meanwhile.
        if (failure instanceof NotFoundError) drop(id);
        else change(id, { phase: 'failed', failure });
      })
      .finally(() => stops.delete(id));
  }
}

function change(id: number, part: Partial<Submission>): void {
  submissions.value = submissions.value.map((candidate) =>
    candidate.id === id ? { ...candidate, ...part } : candidate,
  );
}
