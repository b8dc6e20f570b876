import { Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { charactersIn } from '#console/core/characters.ts';
import { saveFile } from '#console/core/save-file.ts';
import { formatNumber, lengthFault, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Field } from '#console/ui/field.tsx';
import { Card, FailureBanner } from '#console/ui/parts.tsx';
import { Markup } from './markup.tsx';
import { isPaused, isSpeaking, pauseOrContinue, stopSpeaking } from './speaking.ts';

export const MAX_CHARACTERS = 5_000;

type TextCardProps = {
  typed: string;
  /** Sentences about what speaking costs and what is left. */
  facts: readonly string[];
  failure: unknown;
  mayStart: boolean;
  /** The file is null while it cannot be saved. */
  file: Blob | null;
  onType: (typed: string) => void;
  onStart: () => void;
  /** Makes the sound file without playing it. */
  onSave: () => void;
  isSaving: boolean;
};

/** The text to speak, with the buttons that start, stop and save. */
export function TextCard({ typed, facts, failure, mayStart, file, onType, onStart, onSave, isSaving }: TextCardProps) {
  const { speak, common } = text();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <Card>
      <div class="stack">
        <Field
          label={speak.text}
          hint={speak.length(formatNumber(charactersIn(typed)), formatNumber(MAX_CHARACTERS))}
          fault={lengthFault(typed, MAX_CHARACTERS)}
        >
          {(control) => (
            <textarea
              {...control}
              ref={field}
              class="input speak-text"
              rows={5}
              dir="auto"
              value={typed}
              onInput={({ currentTarget }) => onType(currentTarget.value)}
            />
          )}
        </Field>
        <Markup field={field} onType={onType} />
        <div class="row speak-actions">
          {/* Keys keep the buttons behind these from being taken for one of them, with their focus. */}
          {isSpeaking.value ? (
            <Fragment key="playing">
              <Button kind="primary" icon={isPaused.value ? 'play' : 'pause'} onClick={pauseOrContinue}>
                {isPaused.value ? speak.goOn : common.pause}
              </Button>
              <Button icon="stop" onClick={stopSpeaking}>
                {common.stop}
              </Button>
            </Fragment>
          ) : (
            <Button key="start" kind="primary" icon="speak" disabled={!mayStart} onClick={onStart}>
              {speak.start}
            </Button>
          )}
          <Button icon="download" disabled={!mayStart || isSaving} onClick={onSave}>
            {speak.mp3}
          </Button>
          {file === null ? null : (
            <Button icon="download" onClick={() => saveFile(file, `${typed.trim().slice(0, 20)}.wav`)}>
              {speak.wav}
            </Button>
          )}
          <p class="muted small-text tabular" role="status">
            {facts.join(' · ')}
          </p>
        </div>
        <FailureBanner of={failure} />
      </div>
    </Card>
  );
}
