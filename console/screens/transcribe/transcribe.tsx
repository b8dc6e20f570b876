import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CorpusSummary } from '@jyutsing/client';
import { canAnnounce, chooseAnnouncing, isAnnouncing } from '#console/core/announce.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { useLoaded, type Loaded } from '#console/core/loaded.ts';
import { client } from '#console/core/session.ts';
import { formatAmount, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { DropZone } from '#console/ui/drop-zone.tsx';
import { Field, Switch } from '#console/ui/field.tsx';
import { Card, PageHead } from '#console/ui/parts.tsx';
import { ModelBanner } from '#console/ui/model-banner.tsx';
import { MicrophoneRecorder } from '#console/ui/microphone-recorder.tsx';
import { chosenOptions, contextFault, options } from './options.ts';
import { OptionsForm } from './options-form.tsx';
import { SubmissionList } from './submission-list.tsx';
import { addFiles, addLink, chosen, restoreSubmissions, startAll, submissions } from './submissions.ts';
import './transcribe.css';

export function Transcribe() {
  const { transcribe } = text();
  useEffect(() => void restoreSubmissions().catch(notifyFailure), []);
  const corpora = useLoaded((signal) => client().corpora.list({ signal }));
  return (
    <>
      <PageHead title={transcribe.title} lead={transcribe.lead} />
      <div class="transcribe">
        <div class="stack">
          <ModelBanner language={options.language.value} />
          <DropZone title={transcribe.drop} hint={transcribe.formats} onFiles={addFiles}>
            <MicrophoneRecorder name={transcribe.recording} onRecorded={(file) => addFiles([file])} />
          </DropZone>
          <LinkField />
          {submissions.value.length === 0 ? null : (
            <Card title={transcribe.files}>
              <SubmissionList />
              {canAnnounce ? (
                <Switch
                  label={transcribe.announce}
                  checked={isAnnouncing.value}
                  onChange={(isWanted) => void chooseAnnouncing(isWanted)}
                />
              ) : null}
            </Card>
          )}
          <Start corpora={corpora} />
        </div>
        <Card title={transcribe.options}>
          <OptionsForm corpora={corpora.value ?? []} />
        </Card>
      </div>
    </>
  );
}

function LinkField() {
  const { transcribe } = text();
  const typed = useSignal('');
  const isBad = useSignal(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const url = URL.parse(typed.value.trim());
    isBad.value = url === null || !/^https?:$/.test(url.protocol);
    if (url === null || isBad.value) return;
    addLink(url);
    typed.value = '';
  };
  return (
    <form class="link-field" onSubmit={submit}>
      <Field label={transcribe.link} fault={isBad.value ? transcribe.badLink : null}>
        {(control) => (
          <div class="link-row">
            <input
              {...control}
              class="input"
              inputmode="url"
              placeholder={transcribe.linkPlaceholder}
              value={typed.value}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value;
                isBad.value = false;
              }}
            />
            <Button type="submit" icon="link" disabled={typed.value.trim() === ''}>
              {transcribe.addLink}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}

/** The button that begins, and what it costs. */
function Start({ corpora }: { corpora: Loaded<CorpusSummary[]> }) {
  const { transcribe } = text();
  const usage = useLoaded((signal) => client().usage({ signal }));
  const ready = chosen.value;
  const isMeasured = ready.every(({ seconds }) => seconds !== null);
  const seconds = ready.reduce((sum, recording) => sum + Math.ceil(recording.seconds ?? 0), 0);
  const remaining = usage.value?.quotas['stt_seconds']?.remaining;
  const isTooLong = contextFault() !== null;
  const isLoading = corpora.value === null && corpora.isLoading;
  const begin = () => startAll(chosenOptions(corpora.value));
  return (
    <div class="start">
      <Button kind="primary" disabled={ready.length === 0 || isTooLong || isLoading} onClick={begin}>
        {transcribe.start(Math.max(1, ready.length))}
      </Button>
      {isTooLong ? <p class="fault small-text">{transcribe.contextTooLong}</p> : null}
      {typeof remaining === 'number' ? (
        <p class="muted small-text tabular">
          {ready.length > 0 && isMeasured ? `${transcribe.cost(formatAmount(seconds))} · ` : ''}
          {transcribe.left(formatAmount(remaining))}
        </p>
      ) : null}
    </div>
  );
}
