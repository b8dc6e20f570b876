import { signal } from '@preact/signals';
import type { SummaryLanguage, VideoSummary } from '@jyutsing/client';
import { client, noticeRefusal } from '#console/core/session.ts';

export type Work =
  | { state: 'none' }
  | { state: 'running' }
  | { state: 'done'; summary: VideoSummary }
  | { state: 'failed'; failure: unknown };

/** The work outlives the screen, so that a summary is made while another screen is open. */
export const work = signal<Work>({ state: 'none' });
let stop = new AbortController();

type Request = { url: string; language: SummaryLanguage; subtitles: string; transcript: string };

export async function summarize({ url, language, subtitles, transcript }: Request): Promise<void> {
  cancel();
  stop = new AbortController();
  const { signal: current } = stop;
  work.value = { state: 'running' };
  try {
    const summary = await client().videos.summarize(url, {
      language,
      ...(subtitles === '' ? {} : { subtitles }),
      ...(transcript.trim() === '' ? {} : { transcript }),
      signal: current,
    });
    work.value = { state: 'done', summary };
  } catch (failure) {
    if (current.aborted) return;
    noticeRefusal(failure);
    work.value = { state: 'failed', failure };
  }
}

export function cancel(): void {
  stop.abort();
  if (work.value.state === 'running') work.value = { state: 'none' };
}
