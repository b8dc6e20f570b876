import { useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import type { CorpusEntryNote } from '@jyutsing/client';
import { describeNote } from '#console/core/entry-note.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { Button, IconButton } from '#console/ui/button.tsx';
import { faultOf, isBlank, type Row } from './check-entry.ts';
import { noteKey, type CorpusEditor } from './corpus-editor.ts';
import { pastedColumn, pastedRows, type Fields } from './pasted-rows.ts';

/** Rows that are drawn at first; lists have up to 20,000. */
const SHOWN = 100;

/**
 * The words of a list with their readings, each checked while it is typed; with `only`, the rows
 * with these keys.
 */
export function EntryTable({ editor, only }: { editor: CorpusEditor; only: ReadonlySet<number> | null }) {
  const { corpora, common } = text();
  const typed = useSignal('');
  const count = useSignal(SHOWN);
  const { rows } = editor.content.value;
  const search = typed.value.trim().toLowerCase();
  const { value: notes } = editor.notes;
  const isForSpeech = editor.isForSpeech.value;
  const shown = only === null ? rows : rows.filter(({ key }) => only.has(key));
  const found =
    search === '' ? shown : shown.filter((row) => `${row.text} ${row.jyutping}`.toLowerCase().includes(search));
  return (
    <div class="stack">
      <input
        class="input"
        type="search"
        aria-label={corpora.search}
        placeholder={corpora.search}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      {isForSpeech ? <p class="muted small-text">{corpora.forSpeech}</p> : null}
      <div class="entries" role="table" aria-label={corpora.title}>
        <div class="entry entry-head" role="row">
          <span role="columnheader">{corpora.word}</span>
          <span role="columnheader">{corpora.reading}</span>
          <span role="columnheader">{corpora.weight}</span>
          <span role="columnheader">
            <span class="visually-hidden">{common.delete}</span>
          </span>
        </div>
        {found.slice(0, count.value).map((row) => (
          <EntryRow
            key={row.key}
            row={row}
            note={isForSpeech ? null : (notes.get(noteKey(row)) ?? null)}
            editor={editor}
          />
        ))}
      </div>
      {found.length > count.value ? (
        <Button kind="quiet" onClick={() => (count.value += SHOWN)}>
          {common.more} ({formatNumber(found.length - count.value)})
        </Button>
      ) : null}
    </div>
  );
}

type RowProps = { row: Row; note: CorpusEntryNote | null; editor: CorpusEditor };

const EntryRow = memo(function EntryRow({ row, note, editor }: RowProps) {
  const { corpora, common } = text();
  const { key, text: word, jyutping, weight } = row;
  if (editor.isPublic) {
    return (
      <div class="entry" role="row">
        <span role="cell" lang="zh-HK">
          {word}
        </span>
        <span role="cell" lang="yue-Latn">
          {jyutping}
        </span>
        <span role="cell" class="tabular">
          {weight === '' ? '1' : weight}
        </span>
        <span role="cell" />
      </div>
    );
  }
  const fault = isBlank(row) ? null : faultOf(row);
  /** A table that is pasted becomes rows, and a column of readings or weights fills those below. */
  const paste = (field: keyof Fields, pasted: string): boolean => {
    const table = field === 'text' ? pastedRows(pasted) : null;
    const column = field === 'text' ? null : pastedColumn(pasted);
    if (table !== null) editor.insert(key, table);
    if (column !== null) editor.fillDown(key, field, column);
    return table !== null || column !== null;
  };
  const cell = (field: keyof Fields, label: string, isWrong: boolean) => (
    <span role="cell">
      <input
        class="input"
        dir="auto"
        lang={field === 'text' ? 'zh-HK' : undefined}
        inputmode={field === 'weight' ? 'decimal' : undefined}
        placeholder={field === 'weight' ? '1' : undefined}
        aria-label={`${label}: ${word}`}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `entry-${key}` : undefined}
        value={row[field]}
        onInput={({ currentTarget }) => editor.changeRow(key, { [field]: currentTarget.value })}
        onPaste={(event) => {
          if (paste(field, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
        }}
      />
    </span>
  );
  return (
    <div class="entry" role="row">
      {cell('text', corpora.word, fault === 'noText' || fault === 'tooLong' || fault === 'noWord')}
      {cell('jyutping', corpora.reading, fault === 'syllables' || fault === 'notJyutping')}
      {cell('weight', corpora.weight, fault === 'weight')}
      <span role="cell">
        <IconButton icon="trash" label={`${common.delete}: ${word}`} onClick={() => editor.remove(key)} />
      </span>
      {fault === null ? null : (
        <span role="cell" class="fault small-text" id={`entry-${key}`}>
          {corpora.faults[fault]}
        </span>
      )}
      {fault !== null || note === null ? null : (
        <span role="cell" class="muted small-text entry-note">
          {describeNote(note)}
        </span>
      )}
    </div>
  );
});
