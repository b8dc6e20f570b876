import { signal } from '@preact/signals';
import type { SummaryKind, SummaryLanguage, VideoSummary } from '@jyutsing/client';
import { client, noticeRefusal } from '#console/core/session.ts';

/** The summary of a video, or of a text alone, which has no `videoId`. */
export type Summary = Pick<VideoSummary, 'summary' | 'summaryLanguage' | 'transcript'> & Partial<VideoSummary>;

export type Work =
  | { state: 'none' }
  | { state: 'running' }
  | { state: 'done'; summary: Summary }
  | { state: 'failed'; failure: unknown };

/** The work outlives the screen, so that a summary is made while another screen is open. */
export const work = signal<Work>({ state: 'none' });
let stop = new AbortController();

/** Without a `url`, the transcript alone is summarized, as a text of this kind. */
type Request = {
  url: string;
  language: SummaryLanguage;
  subtitles: string;
  transcript: string;
  kind: SummaryKind;
};

export async function summarize(request: Request): Promise<void> {
  cancel();
  stop = new AbortController();
  const { signal: current } = stop;
  work.value = { state: 'running' };
  try {
    const summary = request.url === '' ? await ofText(request, current) : await ofVideo(request, current);
    work.value = { state: 'done', summary };
  } catch (failure) {
    if (current.aborted) return;
    noticeRefusal(failure);
    work.value = { state: 'failed', failure };
  }
}

function ofVideo({ url, language, subtitles, transcript }: Request, current: AbortSignal): Promise<Summary> {
  return client().videos.summarize(url, {
    language,
    ...(subtitles === '' ? {} : { subtitles }),
    ...(transcript.trim() === '' ? {} : { transcript }),
    signal: current,
  });
}

async function ofText({ language, transcript, kind }: Request, current: AbortSignal): Promise<Summary> {
  const options = { kind, language, signal: current, timeout: 0, maxRetries: 0 };
  const { text: summary } = await client().summarizeText(transcript, options);
  return { summary, summaryLanguage: language, transcript };
}

export function cancel(): void {
  stop.abort();
  if (work.value.state === 'running') work.value = { state: 'none' };
}
