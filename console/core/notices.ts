import { signal } from '@preact/signals';
import { describeFailure } from './failures.ts';
import { noticeRefusal } from './session.ts';

export type Notice = { id: number; kind: 'good' | 'bad'; sentence: string };

const SHOWN_MS = 6_000;

/** Sentences at the edge of the page, which a screen reader reads out. */
export const notices = signal<readonly Notice[]>([]);
let lastId = 0;

export function notify(sentence: string, kind: Notice['kind'] = 'good'): void {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value.filter((each) => each.sentence !== sentence), { id, kind, sentence }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function notifyFailure(failure: unknown): void {
  noticeRefusal(failure);
  notify(describeFailure(failure), 'bad');
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}
