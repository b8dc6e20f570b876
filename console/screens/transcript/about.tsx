import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SummaryKind, TextAboutTranscript, TextLanguage } from '@jyutsing/client';
import type { Player } from '#console/audio/player.ts';
import { client } from '#console/core/session.ts';
import { formatTime, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { FailureBanner, Progress } from '#console/ui/parts.tsx';
import type { Editor } from './editor.ts';

const KINDS = ['summary', 'minutes', 'chapters'] as const;
const LANGUAGES = ['cantonese', 'written_chinese', 'english', 'mandarin', 'japanese', 'korean'] as const;

/** Summary, minutes, chapters and answers, whose statements lead to their times. */
export function About({
  id,
  editor,
  player,
  onClose,
}: {
  id: string;
  editor: Editor;
  player: Player | null;
  onClose: () => void;
}) {
  const { after, common } = text();
  const dialog = useRef<HTMLDialogElement>(null);
  const kind = useSignal<SummaryKind>('summary');
  const language = useSignal<TextLanguage>('cantonese');
  const question = useSignal('');
  const answer = useSignal<TextAboutTranscript | null>(null);
  const { busy, failure, attempt } = useAttempt<'write' | 'ask'>();
  useEffect(() => dialog.current?.showModal(), []);
  const write = (what: 'write' | 'ask') =>
    attempt(what, async () => {
      answer.value = null;
      await editor.save();
      const job = client().transcriptions.job(id);
      const options = { language: language.value, timeout: 0, maxRetries: 0 };
      answer.value =
        what === 'ask' ? await job.ask(question.value, options) : await job.summary({ ...options, kind: kind.value });
    });
  const isBusy = busy.value !== null;
  return (
    <dialog ref={dialog} class="export" aria-label={after.aboutTitle} onClose={onClose}>
      <header class="row">
        <h2>{after.aboutTitle}</h2>
        <span class="push">
          <IconButton icon="close" label={common.close} onClick={() => dialog.current?.close()} />
        </span>
      </header>
      <Choices
        label={after.kind}
        options={KINDS.map((value) => ({ value, label: after.kinds[value] ?? value }))}
        value={kind.value}
        onChoose={(value) => (kind.value = value)}
      />
      <SelectField
        label={after.language}
        value={language.value}
        options={LANGUAGES.map((value) => ({ value, label: after.languages[value] ?? value }))}
        onChoose={(value) => (language.value = value)}
      />
      <div class="row">
        <Button kind="primary" disabled={isBusy} onClick={() => void write('write')}>
          {after.write}
        </Button>
        <span class="muted small-text">{after.cost}</span>
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.value.trim() !== '' && !isBusy) void write('ask');
        }}
      >
        <Field label={after.question}>
          {(control) => (
            <input
              {...control}
              class="input"
              dir="auto"
              maxLength={1_000}
              value={question.value}
              onInput={({ currentTarget }) => (question.value = currentTarget.value)}
            />
          )}
        </Field>
        <div class="row">
          <Button type="submit" disabled={isBusy || question.value.trim() === ''}>
            {after.ask}
          </Button>
        </div>
      </form>
      {isBusy ? <Progress label={after.writing} fraction={null} /> : null}
      {failure.value === null ? null : <FailureBanner of={failure.value} />}
      <div role="status">
        {answer.value === null ? null : (
          <Statements
            of={answer.value}
            onSeek={(seconds) => {
              player?.seek(seconds);
              dialog.current?.close();
            }}
          />
        )}
      </div>
    </dialog>
  );
}

function Statements({ of, onSeek }: { of: TextAboutTranscript; onSeek: (seconds: number) => void }) {
  const { after } = text();
  if (of.statements.length === 0) return <p>{after.noAnswer}</p>;
  return (
    <ul class="statements">
      {of.statements.map(({ text: statement, role, sources }, index) => (
        <li key={index}>
          <p dir="auto">
            {after.roles[role] === undefined ? null : <strong>{after.roles[role]}: </strong>}
            {statement}
          </p>
          <span class="row small-text">
            {after.sources}
            {sources.map(({ start, text: source }) =>
              start === null ? null : (
                <Button
                  key={start}
                  small
                  onClick={() => onSeek(start)}
                  label={`${after.sources} ${formatTime(start)}: ${source}`}
                >
                  {formatTime(start)}
                </Button>
              ),
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
