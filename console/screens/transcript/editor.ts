import { computed, signal } from '@preact/signals';
import { InvalidRequestError, NotFoundError, type components, type TranscriptionJob } from '@jyutsing/client';
import { dropDraft, keepDraft, readDraft } from '#console/core/drafts.ts';
import { noticeRefusal } from '#console/core/session.ts';

export type TranscriptFile = components['schemas']['TranscriptionFile'];
type FileSegment = TranscriptFile['segments'][number];
export type EditedSegment = Pick<FileSegment, 'start' | 'end' | 'text' | 'speaker' | 'words'> & { key: number };

/**
 * The part of a transcript that can be changed; it is replaced as a whole, so that each state can
 * come back.
 */
export type Content = {
  segments: readonly EditedSegment[];
  speakers: Readonly<Record<string, string>>;
  title: string;
};

/** `deleted`: the transcript was deleted elsewhere, so that nothing can be saved. */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict' | 'deleted';
/** Without the words, which are most of a long transcript and are found again. */
type DraftSegment = Omit<EditedSegment, 'words'>;
type Draft = { version: number; content: Omit<Content, 'segments'> & { segments: readonly DraftSegment[] } };

const SAVE_AFTER_MS = 1_000;
const TRY_AGAIN_MS = 5_000;
/** Changes of one text within this time are undone together. */
const ONE_CHANGE_MS = 1_500;
const MAX_STEPS = 200;

/** Edits a transcript and saves by itself; a draft stays in the browser until it is saved. */
export class Editor {
  readonly content;
  /** The labels of the speakers, in order; the list is replaced only when it differs. */
  readonly labels;
  /** The names that speakers were given, by label. */
  readonly names;
  /** Seconds of the recording. */
  readonly duration: number;
  readonly notice: TranscriptFile['notice'];
  /** Whether the built-in recognizer wrote the text. */
  readonly isFallback = signal(false);
  /** The segment and the place in its text where the user typed last. */
  cursor = { key: -1, from: 0 };
  readonly saveState = signal<SaveState>('saved');
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  readonly #job: TranscriptionJob;
  readonly #draftName: string;
  #version: number;
  /** The content that the server has. */
  #saved: Content;
  #past: Content[] = [];
  #future: Content[] = [];
  #last = { of: '', atMs: 0 };
  #saving: Promise<void> | null = null;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(job: TranscriptionJob, file: TranscriptFile) {
    this.#job = job;
    this.#draftName = `transcript ${job.id}`;
    this.#version = file.version;
    this.duration = file.duration_s;
    this.notice = file.notice;
    this.#saved = contentOf(file);
    this.content = signal(this.#saved);
    const labels = computed(() => JSON.stringify(labelsOf(this.content.value.segments)));
    this.labels = computed((): readonly string[] => JSON.parse(labels.value));
    this.names = computed(() => this.content.value.speakers);
  }

  /** Takes up what was typed in this browser and never saved. */
  async takeDraft(): Promise<void> {
    const draft = await readDraft<Draft>(this.#draftName);
    if (draft === null) return;
    this.#past = [this.content.value];
    const words = new Map(this.#saved.segments.map((segment) => [segment.start, segment.words]));
    const segments = draft.content.segments.map((segment) => ({ ...segment, words: words.get(segment.start) ?? [] }));
    this.#show({ ...draft.content, segments });
    if (draft.version === this.#version) {
      void this.refreshWords();
      return;
    }
    clearTimeout(this.#saveTimer);
    this.saveState.value = 'conflict';
  }

  /** Changes a part of the content. Quick changes with the same `of` are undone in one step. */
  change(part: Partial<Content>, of: string): void {
    const nowMs = performance.now();
    if (of !== this.#last.of || nowMs - this.#last.atMs > ONE_CHANGE_MS) {
      this.#past = [...this.#past, this.content.value].slice(-MAX_STEPS);
    }
    this.#last = { of, atMs: nowMs };
    this.#future = [];
    this.#show({ ...this.content.value, ...part });
  }

  changeSegment(key: number, part: Partial<EditedSegment>, what: string): void {
    const segments = this.content.value.segments.map((segment) =>
      segment.key === key ? { ...segment, ...part } : segment,
    );
    this.change({ segments }, `${what} ${key}`);
  }

  readonly undo = (): void => {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.content.value);
    this.#last = { of: '', atMs: 0 };
    this.#show(before);
  };

  readonly redo = (): void => {
    const next = this.#future.pop();
    if (next === undefined) return;
    this.#past.push(this.content.value);
    this.#last = { of: '', atMs: 0 };
    this.#show(next);
  };

  /** Saves what is not saved yet. */
  async save(): Promise<void> {
    if (!this.#isHeld()) await this.#save(false);
  }

  /** Saves over what was saved elsewhere, after a conflict. */
  async keepMine(): Promise<void> {
    await this.#save(true);
  }

  /** Takes what was saved elsewhere, after a conflict. */
  async takeTheirs(): Promise<void> {
    this.#saved = await this.#load();
    this.#past = [];
    this.#future = [];
    this.#last = { of: '', atMs: 0 };
    this.#show(this.#saved);
    clearTimeout(this.#saveTimer);
    await this.#settle();
  }

  /** Returns the segments as they were recognized, before anybody corrected them. */
  async recognized(signal: AbortSignal): Promise<readonly EditedSegment[]> {
    return contentOf(await this.#job.json({ version: 'original', signal })).segments;
  }

  /** Reads the times of the words again, which a change of the text moved. */
  async refreshWords(): Promise<void> {
    await this.save();
    if (this.saveState.value !== 'saved') return;
    const { segments } = await this.#load();
    if (this.content.value !== this.#saved) return;
    this.#saved = { ...this.#saved, segments };
    this.content.value = this.#saved;
  }

  close(): void {
    void this.save();
    clearTimeout(this.#saveTimer);
  }

  #show(next: Content): void {
    this.content.value = next;
    this.canUndo.value = this.#past.length > 0;
    this.canRedo.value = this.#future.length > 0;
    keepDraft(this.#draftName, draftOf(next, this.#version));
    if (this.#isHeld()) return;
    this.saveState.value = 'unsaved';
    this.#saveLater(SAVE_AFTER_MS);
  }

  #saveLater(ms: number): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => void this.save(), ms);
  }

  /** Whether saving waits for the user, or is of no use. */
  #isHeld(): boolean {
    return this.saveState.value === 'conflict' || this.saveState.value === 'deleted';
  }

  /** Saves one state at a time; changes that are made meanwhile are saved next. */
  async #save(isForced: boolean): Promise<void> {
    clearTimeout(this.#saveTimer);
    await this.#saving;
    if (this.content.value === this.#saved) return this.#settle();
    this.#saving = this.#send(this.content.value, isForced);
    await this.#saving;
    this.#saving = null;
    if (this.saveState.value === 'unsaved') await this.#save(false);
  }

  async #send(content: Content, isForced: boolean): Promise<void> {
    this.saveState.value = 'saving';
    try {
      const { segments, speakers, title } = content;
      const texts = segments.map(({ start, end, text, speaker }) => ({ start, end, text, speaker }));
      const correction = { speakers, title, ...(segments === this.#saved.segments ? {} : { segments: texts }) };
      this.#version = await this.#job.save(correction, { version: isForced ? 'any' : this.#version });
      this.#saved = content;
      if (this.content.value === content) await this.#settle();
      else this.saveState.value = 'unsaved';
    } catch (failure) {
      noticeRefusal(failure);
      const isConflict = failure instanceof InvalidRequestError && failure.code === 'conflict';
      this.saveState.value = isConflict ? 'conflict' : failure instanceof NotFoundError ? 'deleted' : 'failed';
      if (!this.#isHeld()) this.#saveLater(TRY_AGAIN_MS);
    }
  }

  /** Drops the draft, as nothing is left to save. */
  async #settle(): Promise<void> {
    this.saveState.value = 'saved';
    await dropDraft(this.#draftName);
  }

  async #load(): Promise<Content> {
    const file = await this.#job.json();
    this.#version = file.version;
    return contentOf(file);
  }
}

function draftOf({ segments, speakers, title }: Content, version: number): Draft {
  const texts = segments.map(({ key, start, end, text, speaker }) => ({ key, start, end, text, speaker }));
  return { version, content: { segments: texts, speakers, title } };
}

function contentOf({ segments, speakers = {}, title = '' }: TranscriptFile): Content {
  return {
    segments: segments.map(({ start, end, text, speaker, words }, key) => ({ key, start, end, text, speaker, words })),
    speakers,
    title,
  };
}

function labelsOf(segments: readonly EditedSegment[]): string[] {
  return [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))].sort();
}
