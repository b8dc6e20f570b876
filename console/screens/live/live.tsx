import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { notifyFailure } from '#console/core/notices.ts';
import { guardLeaving, open } from '#console/core/router.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { formatMoment, formatTime, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { usedCorpora } from '#console/core/used-corpora.ts';
import { Button } from '#console/ui/button.tsx';
import { SelectField } from '#console/ui/field.tsx';
import { LevelMeter } from '#console/ui/level-meter.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { Audience, CaptionText } from './audience.tsx';
import { openText, startCaptions, type Captioning, type CaptionLanguage } from './captions.ts';
import './live.css';

const LANGUAGES = ['cantonese', 'mandarin', 'english', 'auto'] as const;

type Draft = { language: CaptionLanguage; lines: readonly string[]; recordings: readonly File[] };

export function Live() {
  const { live, languages, common } = text();
  const draft = useDraft<Draft>('live', { language: 'cantonese', lines: [], recordings: [] });
  const captioning = useSignal<Captioning | null>(null);
  const { busy, failure, attempt } = useAttempt<'starting' | 'ending' | 'saving'>();
  const isForAudience = useSignal(false);
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.value, ...part });
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
        { language: draft.value.language, title: `${live.title} ${formatMoment(new Date().toISOString())}` },
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
      const { language, recordings } = draft.value;
      const corpora = usedCorpora(await client().corpora.list(), {});
      const jobs = [];
      for (const recording of recordings) {
        const job = await client().transcribe(recording, { language, corpora, keepAudio: true, title: recording.name });
        await job.wait();
        jobs.push(job);
      }
      clear();
      open('transcripts', jobs[0]?.id);
    });
  const clear = () => change({ lines: [], recordings: [] });
  const { lines, recordings } = draft.value;
  const running = captioning.value;
  const isIdle = running === null && busy.value === null;
  const hasText = lines.length > 0;
  return (
    <>
      <PageHead title={live.title} lead={live.lead} />
      <div class="stack">
        <Card>
          <div class="live-controls">
            {running === null ? (
              <>
                <SelectField
                  label={common.language}
                  value={draft.value.language}
                  options={LANGUAGES.map((value) => ({ value, label: languages[value] ?? value }))}
                  onChoose={(language) => change({ language })}
                />
                <Button kind="primary" icon="live" disabled={busy.value !== null} onClick={() => void begin()}>
                  {hasText ? live.goOn : live.start}
                </Button>
              </>
            ) : (
              <div class="recording">
                <span class="recording-time tabular" role="timer">
                  {formatTime(running.recorder.seconds.value)}
                </span>
                <LevelMeter level={running.recorder.level.value} isClipped={running.recorder.isClipped.value} />
                <Button
                  kind="danger"
                  icon="stop"
                  disabled={busy.value !== null}
                  onClick={() => void attempt('ending', () => running.finish())}
                >
                  {live.stop}
                </Button>
              </div>
            )}
            <Button onClick={() => (isForAudience.value = true)}>{live.audience}</Button>
          </div>
        </Card>
        {busy.value === null ? null : <Progress label={live.busy[busy.value]} fraction={null} />}
        <FailureBanner of={failure.value}>{hasText ? <span>{live.kept}</span> : null}</FailureBanner>
        <Card
          title={live.captions}
          actions={
            <span class="row">
              <Button
                small
                icon="transcripts"
                disabled={!isIdle || recordings.length === 0}
                onClick={() => void save()}
              >
                {live.save}
              </Button>
              <Button
                small
                icon="download"
                disabled={!hasText}
                onClick={() => saveFile(`${lines.join('\n')}\n`, `${live.title}.txt`)}
              >
                {live.saveText}
              </Button>
              <Button
                small
                icon="copy"
                disabled={!hasText}
                onClick={() => void navigator.clipboard.writeText(lines.join('\n')).catch(notifyFailure)}
              >
                {common.copy}
              </Button>
              <Button
                small
                icon="trash"
                disabled={!isIdle || (!hasText && recordings.length === 0)}
                onClick={() => {
                  if (confirm(live.clearQuestion)) clear();
                }}
              >
                {live.clear}
              </Button>
            </span>
          }
        >
          <p class="muted small-text">{live.saveHint}</p>
          <CaptionText lines={lines} openLine={openText.value} />
        </Card>
      </div>
      {isForAudience.value ? (
        <Audience lines={lines} openLine={openText.value} onClose={() => (isForAudience.value = false)} />
      ) : null}
    </>
  );
}
