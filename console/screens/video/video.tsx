import { useSignal, type Signal } from '@preact/signals';
import type { CaptionTracks, SummaryKind, SummaryLanguage } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { formatTime, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button, Choices } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { cancel, summarize, work, type Summary } from './summaries.ts';
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
const KINDS = ['summary', 'minutes', 'chapters'] as const satisfies readonly SummaryKind[];
const EMPTY = {
  url: '',
  language: 'cantonese' as SummaryLanguage,
  subtitles: '',
  transcript: '',
  kind: 'summary' as SummaryKind,
};

/** Makes a transcript and a summary of the video behind a link, or a summary of a text alone. */
export function Video() {
  const { video, after } = text();
  const draft = useDraft('video', EMPTY);
  const tracks = useSignal<CaptionTracks | null>(null);
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.value, ...part });
  const { url, transcript, kind } = draft.value;
  const current = work.value;
  const hasLink = url.trim() !== '';
  const hasText = transcript.trim() !== '';
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
          <LanguageAndCaptions draft={draft.value} tracks={tracks} onChange={change} />
          <OwnTranscript value={transcript} onChange={(value) => change({ transcript: value })} />
          {hasLink || !hasText ? null : (
            <Choices
              label={after.kind}
              options={KINDS.map((value) => ({ value, label: after.kinds[value] ?? value }))}
              value={kind}
              onChoose={(value) => change({ kind: value })}
            />
          )}
          <div class="row">
            <Button
              kind="primary"
              type="submit"
              icon="video"
              disabled={(!hasLink && !hasText) || current.state === 'running'}
            >
              {video.start}
            </Button>
            {hasLink || hasText ? null : <p class="muted small-text">{video.needsLink}</p>}
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

type Draft = typeof EMPTY;
type ChoiceProps = {
  draft: Draft;
  tracks: Signal<CaptionTracks | null>;
  onChange: (part: Partial<Draft>) => void;
};

/** Chooses the language of the summary, and the captions of the video. */
function LanguageAndCaptions({ draft, tracks, onChange: change }: ChoiceProps) {
  const { video } = text();
  const isLooking = useSignal(false);
  const { url, language, subtitles } = draft;
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
          <Button disabled={url.trim() === '' || isLooking.value} onClick={() => void lookUp()}>
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

/** Takes a transcript of the user in place of the captions of the video. */
function OwnTranscript({ value, onChange }: { value: string; onChange: (value: string) => void }) {
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

function Result({ of }: { of: Summary }) {
  const { video, common } = text();
  const { videoId, summary, summaryLanguage, transcript, subtitleLanguage, lineStarts } = of;
  const title = of.title ?? videoId ?? video.ownTitle;
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
        onClick={() => saveFile(content, `${title} ${kind}.txt`)}
      >
        {common.download}
      </Button>
    </div>
  );
  return (
    <>
      <h2 dir="auto">{title}</h2>
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
