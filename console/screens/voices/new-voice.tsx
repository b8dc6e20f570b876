import { useComputed, useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { JyutsingError, type Voice } from '@jyutsing/client';
import { checkSample } from '#console/audio/check-sample.ts';
import { describeFailure } from '#console/core/failures.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button } from '#console/ui/button.tsx';
import { FileInput } from '#console/ui/file-input.tsx';
import { Field } from '#console/ui/field.tsx';
import { MicrophoneRecorder } from '#console/ui/microphone-recorder.tsx';
import { SoundPlayer } from '#console/ui/sound-player.tsx';
import { Banner, Progress } from '#console/ui/parts.tsx';
import { PROMPTS } from './prompts.ts';

const RECORDED_SECONDS = 10;
/** A `prompt` of null marks a file whose words are unknown. */
type Draft = { name: string; recording: File | null; prompt: string | null };
const EMPTY: Draft = { name: '', recording: null, prompt: null };

/** Records a text, checks the recording and makes a voice of it. */
export function NewVoice({ onMade }: { onMade: (voice: Voice) => void }) {
  const { voices } = text();
  const draft = useDraft('voice', EMPTY);
  const promptIndex = useSignal(0);
  const hasConsent = useSignal(false);
  const isBusy = useSignal(false);
  const fault = useSignal<unknown>(null);
  const recording = useComputed(() => draft.value.recording);
  const verdict = useVerdict(recording);
  const file = useRef<HTMLInputElement>(null);
  const take = (taken: File, words: string | null) => {
    fault.value = null;
    draft.value = { ...draft.value, recording: taken, prompt: words };
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const { name, recording: sample, prompt: words } = draft.value;
    if (sample === null) return;
    isBusy.value = true;
    fault.value = null;
    try {
      const transcript = words === null ? {} : { transcript: words };
      const voice = await client().voices.create({ name: name.trim(), sample, consent: true, ...transcript });
      draft.value = { ...EMPTY };
      hasConsent.value = false;
      notify(voices.made(voice.name));
      onMade(voice);
    } catch (failure) {
      noticeRefusal(failure);
      fault.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      {recording.value === null ? (
        <Prompt index={promptIndex} onRecorded={take} onChooseFile={() => file.current?.click()} />
      ) : (
        <>
          <SoundPlayer sound={recording.value} name={recording.value.name} />
          <VerdictView of={verdict.value} />
          <div class="row">
            {draft.value.prompt === null ? (
              <Button small onClick={() => file.current?.click()}>
                {voices.otherFile}
              </Button>
            ) : null}
            <Button small icon="undo" onClick={() => (draft.value = { ...draft.value, recording: null })}>
              {voices.recordAgain}
            </Button>
          </div>
        </>
      )}
      <FileInput input={file} accept="audio/*,video/*" onChoose={([chosen]) => take(chosen, null)} />
      <Field label={voices.name}>
        {(control) => (
          <input
            {...control}
            class="input"
            dir="auto"
            maxLength={100}
            value={draft.value.name}
            onInput={({ currentTarget }) => (draft.value = { ...draft.value, name: currentTarget.value })}
          />
        )}
      </Field>
      <div class="checks">
        <label>
          <input
            type="checkbox"
            checked={hasConsent.value}
            onChange={({ currentTarget }) => (hasConsent.value = currentTarget.checked)}
          />
          <span>{voices.consent}</span>
        </label>
      </div>
      {fault.value === null ? null : <Banner kind="bad">{refusalText(fault.value)}</Banner>}
      {isBusy.value ? <Progress label={voices.make} fraction={null} /> : null}
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          disabled={
            isBusy.value ||
            !hasConsent.value ||
            draft.value.name.trim() === '' ||
            verdict.value === null ||
            verdict.value.advice !== null
          }
        >
          {voices.make}
        </Button>
      </div>
    </form>
  );
}

type PromptProps = {
  index: Signal<number>;
  onRecorded: (recording: File, words: string) => void;
  onChooseFile: () => void;
};

/** A text to read into the microphone. */
function Prompt({ index, onRecorded, onChooseFile }: PromptProps) {
  const { voices } = text();
  const prompt = PROMPTS[index.value % PROMPTS.length] ?? '';
  return (
    <>
      <p class="muted small-text">{voices.prompt}</p>
      <blockquote lang="zh-HK">{prompt}</blockquote>
      <div class="row">
        <MicrophoneRecorder
          name={voices.fresh}
          label={voices.record}
          maxSeconds={RECORDED_SECONDS}
          onRecorded={(recorded) => onRecorded(recorded, prompt)}
        />
        <Button kind="quiet" small onClick={() => (index.value += 1)}>
          {voices.another}
        </Button>
        <Button kind="quiet" small onClick={onChooseFile}>
          {voices.orFile}
        </Button>
      </div>
    </>
  );
}

type Verdict = { seconds: number; advice: string | null };

/**
 * Says what is wrong with a recording before a voice is made of it, null while it is measured. The
 * browser judges first what it can, such as length and loudness; then the service judges the rest,
 * such as a second person.
 */
function useVerdict(recording: { value: File | null }) {
  const verdict = useSignal<Verdict | null>(null);
  useSignalEffect(() => {
    const { value } = recording;
    verdict.value = null;
    if (value === null) return undefined;
    const stop = new AbortController();
    judge(value, stop.signal).then((found) => {
      if (!stop.signal.aborted) verdict.value = found;
    }, notifyFailure);
    return () => stop.abort();
  });
  return verdict;
}

async function judge(recording: File, signal: AbortSignal): Promise<Verdict> {
  const { seconds, fault } = await checkSample(recording);
  if (fault !== null) return { seconds, advice: text().voices.checks[fault] };
  try {
    await client().voices.check(recording, { signal });
  } catch (failure) {
    if (isUnsuitable(failure)) return { seconds, advice: refusalText(failure) };
    // The recording is checked once more when the voice is made.
    if (!signal.aborted) noticeRefusal(failure);
  }
  return { seconds, advice: null };
}

function VerdictView({ of }: { of: Verdict | null }) {
  const { voices } = text();
  if (of === null) return <Progress label={voices.checking} fraction={null} />;
  if (of.advice !== null) return <Banner kind="bad">{of.advice}</Banner>;
  return (
    <p role="status">
      <span class="badge good">{voices.ready(formatNumber(Math.round(of.seconds * 10) / 10))}</span>
    </p>
  );
}

/** The sentences of the service about samples, in the language of the page. */
function refusalText(failure: unknown): string {
  const { refusals } = text().voices;
  if (!isUnsuitable(failure)) return describeFailure(failure);
  const [, translation] = refusals.find(([words]) => failure.message.includes(words)) ?? [];
  return translation ?? failure.message;
}

function isUnsuitable(failure: unknown): failure is JyutsingError {
  return failure instanceof JyutsingError && failure.code === 'unsuitable_sample';
}
