import { signal } from '@preact/signals';
import { describeFailure, failureDetail } from './failures.ts';
import { noticeRefusal } from './session.ts';

export type Notice = { id: number; kind: 'good' | 'bad'; sentence: string; detail: string | null };

const SHOWN_MS = 6_000;

/** Sentences at the edge of the page, which a screen reader reads out. */
export const notices = signal<readonly Notice[]>([]);
let lastId = 0;

export function notify(sentence: string, kind: Notice['kind'] = 'good', detail: string | null = null): void {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value.filter((notice) => notice.sentence !== sentence), { id, kind, sentence, detail }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function notifyFailure(failure: unknown): void {
  noticeRefusal(failure);
  notify(describeFailure(failure), 'bad', failureDetail(failure));
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
