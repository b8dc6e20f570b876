import { useSignal } from '@preact/signals';
import { notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { formatTime, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { SelectField, Switch } from '#console/ui/field.tsx';
import { LevelMeter } from '#console/ui/level-meter.tsx';
import { ModelBanner } from '#console/ui/model-banner.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { Audience, CaptionText } from './audience.tsx';
import { openText } from './captions.ts';
import { useCaptioning, type CaptionScreen } from './use-captioning.ts';
import './live.css';

const LANGUAGES = ['cantonese', 'mandarin', 'english', 'auto'] as const;

export function Live() {
  const { live } = text();
  const screen = useCaptioning();
  const isForAudience = useSignal(false);
  const { lines } = screen.draft.value;
  return (
    <>
      <PageHead title={live.title} lead={live.lead} />
      <div class="stack">
        <ModelBanner language={screen.draft.value.language} />
        <Card>
          <div class="live-controls">
            <Controls screen={screen} />
            <Button onClick={() => (isForAudience.value = true)}>{live.audience}</Button>
          </div>
        </Card>
        {screen.busy === null ? null : <Progress label={live.busy[screen.busy]} fraction={null} />}
        <FailureBanner of={screen.failure}>{lines.length > 0 ? <span>{live.kept}</span> : null}</FailureBanner>
        <Card title={live.captions} actions={<Tools screen={screen} />}>
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

/** Starts captions in a language, or shows the microphone and ends them. */
function Controls({ screen: { draft, running, busy, change, begin, end } }: { screen: CaptionScreen }) {
  const { live, languages, common, transcribe } = text();
  if (running === null) {
    return (
      <>
        <SelectField
          label={common.language}
          value={draft.value.language}
          options={LANGUAGES.map((value) => ({ value, label: languages[value] ?? value }))}
          onChoose={(language) => change({ language })}
        />
        <Switch
          label={transcribe.speakers}
          checked={draft.value.diarization}
          onChange={(diarization) => change({ diarization })}
        />
        <Button kind="primary" icon="live" disabled={busy !== null} onClick={begin}>
          {draft.value.lines.length > 0 ? live.goOn : live.start}
        </Button>
      </>
    );
  }
  return (
    <div class="recording">
      <span class="recording-time tabular" role="timer">
        {formatTime(running.recorder.seconds.value)}
      </span>
      <LevelMeter level={running.recorder.level.value} isClipped={running.recorder.isClipped.value} />
      <Button kind="danger" icon="stop" disabled={busy !== null} onClick={end}>
        {live.stop}
      </Button>
    </div>
  );
}

/** The buttons that save, copy and clear the captions. */
function Tools({ screen: { draft, running, busy, save, clear } }: { screen: CaptionScreen }) {
  const { live, common } = text();
  const { lines, recordings } = draft.value;
  const isIdle = running === null && busy === null;
  const hasText = lines.length > 0;
  return (
    <span class="row">
      <Button small icon="transcripts" disabled={!isIdle || recordings.length === 0} onClick={save}>
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
  );
}
