import { useSignal } from '@preact/signals';
import type { SummaryKind, TextLanguage } from '@jyutsing/client';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { formatMoment, formatTime, text } from '#console/core/text.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { FailureBanner, Progress } from '#console/ui/parts.tsx';
import { exportName } from './export-choices.ts';
import { Sheet } from './sheet.tsx';
import { asMarkdown, headingOf, type TextOrder, type WrittenText, type WrittenTexts } from './written-texts.ts';

const KINDS = ['summary', 'minutes', 'chapters'] as const;
const LANGUAGES = ['cantonese', 'written_chinese', 'english', 'mandarin', 'japanese', 'korean'] as const;

type AboutProps = { written: WrittenTexts; title: string; onGo: (seconds: number) => void; onClose: () => void };

/** Summary, minutes, chapters and answers, whose statements lead to their times. */
export function About({ written, title, onGo, onClose }: AboutProps) {
  const { after } = text();
  const language = useSignal<TextLanguage>('cantonese');
  const { kept, busy, failure, write, remove } = written;
  const isBusy = busy.value !== null;
  return (
    <Sheet title={after.aboutTitle} onClose={onClose}>
      <SelectField
        label={after.language}
        value={language.value}
        options={LANGUAGES.map((value) => ({ value, label: after.languages[value] ?? value }))}
        onChoose={(value) => (language.value = value)}
      />
      <Orders isBusy={isBusy} onWrite={(order) => void write(order, language.value)} />
      {isBusy ? (
        <>
          <p class="small-text">{after.writing}</p>
          <Progress label={after.writing} fraction={null} />
        </>
      ) : null}
      {failure.value === null ? null : <FailureBanner of={failure.value} />}
      <div role="status" class="stack">
        {kept.value.texts.map((one) => (
          <Written
            key={one.at}
            of={one}
            title={title}
            onGo={(seconds) => {
              onClose();
              onGo(seconds);
            }}
            onRemove={() => remove(one)}
          />
        ))}
      </div>
    </Sheet>
  );
}

/** Orders a text of a kind, or asks a question. */
function Orders({ isBusy, onWrite }: { isBusy: boolean; onWrite: (asked: TextOrder) => void }) {
  const { after } = text();
  const kind = useSignal<SummaryKind>('summary');
  const question = useSignal('');
  return (
    <>
      <Choices
        label={after.kind}
        options={KINDS.map((value) => ({ value, label: after.kinds[value] ?? value }))}
        value={kind.value}
        onChoose={(value) => (kind.value = value)}
      />
      <div class="row">
        <Button kind="primary" disabled={isBusy} onClick={() => onWrite({ kind: kind.value })}>
          {after.write}
        </Button>
        <span class="muted small-text">{after.cost}</span>
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.value.trim() !== '' && !isBusy) onWrite({ question: question.value.trim() });
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
    </>
  );
}

type WrittenProps = { of: WrittenText; title: string; onGo: (seconds: number) => void; onRemove: () => void };

/** A text that was written, which can be copied, saved and removed. */
function Written({ of, title, onGo, onRemove }: WrittenProps) {
  const { after, common } = text();
  const name = title === '' ? common.untitled : title;
  const copy = () => {
    navigator.clipboard.writeText(asMarkdown(of, name)).then(() => notify(common.copied), notifyFailure);
  };
  return (
    <article class="written stack">
      <header class="row">
        <h3 dir="auto">{headingOf(of)}</h3>
        <span class="muted small-text">
          {after.languages[of.language]} · {formatMoment(of.at)}
        </span>
        <span class="row push">
          <IconButton icon="copy" label={common.copy} onClick={copy} />
          <IconButton
            icon="download"
            label={common.download}
            onClick={() => saveFile(asMarkdown(of, name), exportName(`${name} ${headingOf(of)}`, null, 'md'))}
          />
          <IconButton icon="trash" label={common.delete} onClick={onRemove} />
        </span>
      </header>
      <Statements of={of.content} onSeek={onGo} />
    </article>
  );
}

function Statements({ of, onSeek }: { of: WrittenText['content']; onSeek: (seconds: number) => void }) {
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
