import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CaptionTracks, SummaryLanguage, VideoSummary } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { formatTime, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { cancel, summarize, work } from './summaries.ts';
import './video.css';

const LANGUAGES = [
  'cantonese',
  'mandarin',
  'english',
  'japanese',
  'korean',
] as const satisfies readonly SummaryLanguage[];
const SPOKEN: Readonly<Record<string, string>> = {
  cantonese: 'zh-HK',
  mandarin: 'zh-CN',
  english: 'en',
  japanese: 'ja',
  korean: 'ko',
};
const EMPTY = { url: '', language: 'cantonese' as SummaryLanguage, subtitles: '', transcript: '' };

/** Makes a transcript and a summary of the video behind a link. */
export function Video() {
  const { video } = text();
  const draft = useDraft('video', EMPTY);
  const tracks = useSignal<CaptionTracks | null>(null);
  const isLooking = useSignal(false);
  const change = (part: Partial<typeof EMPTY>) => (draft.value = { ...draft.value, ...part });
  const { url, language, subtitles, transcript } = draft.value;
  const current = work.value;
  const link = useRef<HTMLInputElement>(null);
  const needsLink = url.trim() === '';
  const lookUp = async () => {
    isLooking.value = true;
    try {
      tracks.value = await client().videos.captions(url.trim());
    } catch (failure) {
      notifyFailure(failure);
    } finally {
      isLooking.value = false;
    }
  };
  return (
    <>
      <PageHead title={video.title} lead={video.lead} />
      <div class="stack">
        <form
          class="card stack"
          onSubmit={(event) => {
            event.preventDefault();
            void summarize({ ...draft.value, url: url.trim() });
          }}
        >
          <Field label={video.link}>
            {(control) => (
              <input
                {...control}
                ref={link}
                class="input"
                inputmode="url"
                placeholder={video.placeholder}
                value={url}
                onInput={({ currentTarget }) => {
                  change({ url: currentTarget.value, subtitles: '' });
                  tracks.value = null;
                }}
              />
            )}
          </Field>
          <div class="video-options">
            <SelectField
              label={video.language}
              value={language}
              options={LANGUAGES.map((value) => ({ value, label: video.languages[value] }))}
              onChoose={(value) => change({ language: value })}
            />
            {tracks.value === null ? (
              <div class="field">
                <span class="label">{video.captions}</span>
                <Button disabled={needsLink || isLooking.value} onClick={() => void lookUp()}>
                  {video.findTracks}
                </Button>
              </div>
            ) : (
              <SelectField
                label={video.captions}
                value={subtitles}
                options={[
                  { value: '', label: video.firstTrack },
                  ...tracks.value.languages.map(({ name }) => ({ value: name, label: name })),
                ]}
                onChoose={(value) => change({ subtitles: value })}
              />
            )}
          </div>
          <OwnTranscript
            value={transcript}
            needsLink={needsLink}
            onChange={(value) => change({ transcript: value })}
            onGoToLink={() => link.current?.focus()}
          />
          <div class="row">
            <Button kind="primary" type="submit" icon="video" disabled={needsLink || current.state === 'running'}>
              {video.start}
            </Button>
            {needsLink && transcript.trim() === '' ? <p class="muted small-text">{video.needsLink}</p> : null}
            <Cost />
          </div>
        </form>
        {current.state === 'running' ? <Working /> : null}
        {current.state === 'failed' ? <FailureBanner of={current.failure} /> : null}
        {current.state === 'done' ? <Result of={current.summary} /> : null}
      </div>
    </>
  );
}

function Working() {
  const { video, common } = text();
  return (
    <div class="card stack" role="status">
      <p>{video.working}</p>
      <Progress label={video.working} fraction={null} />
      <div class="row">
        <Button onClick={cancel}>{common.cancel}</Button>
      </div>
    </div>
  );
}

/**
 * Takes a transcript of the user in place of the captions of the video. The service needs the link
 * all the same.
 */
function OwnTranscript({
  value,
  needsLink,
  onChange,
  onGoToLink,
}: {
  value: string;
  needsLink: boolean;
  onChange: (value: string) => void;
  onGoToLink: () => void;
}) {
  const { video } = text();
  return (
    <details open={value !== ''}>
      <summary>{video.ownTranscript}</summary>
      <Field label={video.transcript} hint={video.ownHint}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            rows={5}
            dir="auto"
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
      {needsLink && value.trim() !== '' ? (
        <div class="row needs-link" role="status">
          <p class="fault small-text">{video.transcriptNeedsLink}</p>
          <Button small onClick={onGoToLink}>
            {video.goToLink}
          </Button>
        </div>
      ) : null}
    </details>
  );
}

function Cost() {
  const { video } = text();
  const usage = useLoaded((signal) => {
    // This runs again when a summary was made.
    void work.value;
    return client().videos.usage({ signal });
  });
  const left = usage.value?.remaining;
  return (
    <p class="muted small-text">
      {video.costs}
      {typeof left === 'number' ? ` · ${video.left(left)}` : ''}
    </p>
  );
}

function Result({ of }: { of: VideoSummary }) {
  const { video, common } = text();
  const { videoId, title, summary, summaryLanguage, transcript, subtitleLanguage, lineStarts } = of;
  const tools = (content: string, kind: string) => (
    <div class="row">
      <Button
        small
        icon="copy"
        label={`${common.copy}: ${kind}`}
        onClick={() => void navigator.clipboard.writeText(content).then(() => notify(common.copied), notifyFailure)}
      >
        {common.copy}
      </Button>
      <Button
        small
        icon="download"
        label={`${common.download}: ${kind}`}
        onClick={() => saveFile(content, `${title ?? videoId} ${kind}.txt`)}
      >
        {common.download}
      </Button>
    </div>
  );
  return (
    <>
      <h2 dir="auto">{title ?? videoId}</h2>
      <Card title={video.summary} actions={tools(summary, video.summary)}>
        <p class="long-text" lang={SPOKEN[summaryLanguage]} dir="auto">
          {summary}
        </p>
      </Card>
      <Card
        title={
          <>
            {video.transcript} {subtitleLanguage === undefined ? null : <span class="badge">{subtitleLanguage}</span>}
          </>
        }
        actions={tools(transcript, video.transcript)}
      >
        <div class="long-text scrolled" tabIndex={0} role="region" aria-label={video.transcript}>
          {lineStarts === undefined || videoId === undefined ? (
            <p dir="auto">{transcript}</p>
          ) : (
            <TimedLines videoId={videoId} lines={transcript.split('\n')} starts={lineStarts} />
          )}
        </div>
      </Card>
    </>
  );
}

/** Shows lines with times, each of which leads to its moment of the video. */
function TimedLines({ videoId, lines, starts }: { videoId: string; lines: string[]; starts: readonly number[] }) {
  const { video } = text();
  return (
    <ol class="timed-lines">
      {lines.map((line, index) => {
        const seconds = Math.floor(starts[index] ?? 0);
        return (
          <li key={index}>
            <a
              class="time tabular"
              href={`https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}&t=${seconds}s`}
              target="_blank"
              rel="noreferrer"
              aria-label={video.watchFrom(formatTime(seconds))}
            >
              {formatTime(seconds)}
            </a>
            <span dir="auto">{line}</span>
          </li>
        );
      })}
    </ol>
  );
}
