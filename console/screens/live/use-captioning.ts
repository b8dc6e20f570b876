import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { guardLeaving, open } from '#console/core/router.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { formatMoment, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { usedCorpora } from '#console/core/used-corpora.ts';
import { startCaptions, type Captioning, type CaptionLanguage } from './captions.ts';

type Draft = { language: CaptionLanguage; diarization: boolean; lines: readonly string[]; recordings: readonly File[] };

/** Captions the microphone, and keeps the captions when the user leaves the screen. */
export function useCaptioning() {
  const { live } = text();
  const draft = useDraft<Draft>('live', { language: 'cantonese', diarization: false, lines: [], recordings: [] });
  const captioning = useSignal<Captioning | null>(null);
  const { busy, failure, attempt } = useAttempt<'starting' | 'ending' | 'saving'>();
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.value, ...part });
  const clear = () => change({ lines: [], recordings: [] });
  useEffect(() => {
    const endGuard = guardLeaving(() => captioning.peek() === null || confirm(live.leaveQuestion));
    return () => {
      endGuard();
      void captioning.peek()?.finish();
    };
  }, []);
  const begin = () =>
    attempt('starting', async () => {
      captioning.value = await startCaptions(
        {
          language: draft.value.language,
          diarization: draft.value.diarization,
          title: `${live.title} ${formatMoment(new Date().toISOString())}`,
        },
        (line) => change({ lines: [...draft.value.lines, line] }),
        (recording, reason) => {
          captioning.value = null;
          change({ recordings: [...draft.value.recordings, recording] });
          if (reason !== null) failure.value = reason;
          if (reason !== null) noticeRefusal(reason);
        },
      );
    });
  const save = () =>
    attempt('saving', async () => {
      const { language, diarization, recordings } = draft.value;
      const corpora = usedCorpora(await client().corpora.list(), {});
      const jobs = [];
      for (const recording of recordings) {
        const job = await client().transcribe(recording, {
          language,
          diarization,
          corpora,
          keepAudio: true,
          title: recording.name,
        });
        await job.wait();
        jobs.push(job);
      }
      clear();
      open('transcripts', jobs[0]?.id);
    });
  const running = captioning.value;
  return {
    draft,
    running,
    busy: busy.value,
    failure: failure.value,
    change,
    clear,
    begin: () => void begin(),
    end: () => {
      if (running !== null) void attempt('ending', () => running.finish());
    },
    save: () => void save(),
  };
}

export type CaptionScreen = ReturnType<typeof useCaptioning>;
