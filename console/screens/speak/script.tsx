import { useComputed, useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import { Button, IconButton } from '#console/ui/button.tsx';
import { countSyllables, isJyutping, readingOf, withReading, type ReadPart } from './reading-parts.ts';
import { heardPassage, piecesOf, type Manner, type Passage } from './speaking.ts';

export type ScriptProps = {
  passages: readonly Passage[];
  /** The passages that begin chapters. */
  headings: ReadonlySet<string>;
  manner: Manner;
  /**
   * The readings that the service gives each text; null in a language in which readings are of no
   * use.
   */
  readings: ReadonlyMap<string, readonly ReadPart[]> | null;
  /** Whether readings can be changed here; SSML has elements for that. */
  isEditable: boolean;
  /** A `reading` of null goes back to the one of the service. */
  onEdit: (text: string, reading: string | null) => void;
};

/** The passages with their readings, and the word that is heard. */
export function Script({ passages, headings, readings, ...rest }: ScriptProps) {
  return (
    <ol class="script">
      {passages.map(({ text: passage, reading }, index) => (
        <li key={`${index} ${passage}`} class={headings.has(passage) ? 'chapter' : ''}>
          <PassageView
            {...rest}
            passage={passage}
            reading={reading}
            index={index}
            parts={readings?.get(passage) ?? null}
          />
        </li>
      ))}
    </ol>
  );
}

type PassageProps = Pick<ScriptProps, 'manner' | 'isEditable' | 'onEdit'> & {
  passage: string;
  reading: string | null;
  index: number;
  /** It is null until the service has answered, and in other languages. */
  parts: readonly ReadPart[] | null;
};

/** Long texts have thousands of characters, so that only what changed is drawn again. */
const PassageView = memo(
  function PassageView({ passage, reading, index, parts, manner, isEditable, onEdit }: PassageProps) {
    const { speak } = text();
    const spokenNow = useHeard({ text: passage, reading }, manner, index);
    const editing = useSignal<number | null>(null);
    const row = useRef<HTMLParagraphElement>(null);
    const typed = parts === null || reading === null ? null : withReading(parts, reading);
    const shown = typed ?? parts ?? [{ character: passage, jyutping: null }];
    const change = (place: number, jyutping: string) => {
      const next = readingOf(shown.map((part, at) => (at === place ? { ...part, jyutping } : part)));
      onEdit(passage, parts !== null && next === readingOf(parts) ? null : next);
      close(place);
    };
    const close = (place: number) => {
      editing.value = null;
      row.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
    };
    const edited = editing.value === null ? undefined : shown[editing.value];
    return (
      <>
        <p class="script-text" dir="auto" lang={parts === null ? undefined : 'zh-HK'} ref={row}>
          {placed(shown).map(({ character, jyutping, from }, place) => (
            <Part
              key={place}
              place={place}
              character={character}
              jyutping={jyutping}
              isChanged={typed !== null && jyutping !== parts?.[place]?.jyutping}
              state={stateOf(from, spokenNow.value)}
              onOpen={isEditable ? () => (editing.value = place) : null}
            />
          ))}
        </p>
        {edited === undefined || editing.value === null ? null : (
          <ReadingForm
            key={editing.value}
            part={edited}
            onChange={(jyutping) => change(editing.value ?? 0, jyutping)}
            onCancel={() => close(editing.value ?? 0)}
          />
        )}
        {reading === null ? null : (
          <div class="row">
            {typed === null && parts !== null ? <p class="fault small-text">{speak.badReading}</p> : null}
            <IconButton icon="undo" label={speak.restoreReading(passage)} onClick={() => onEdit(passage, null)} />
          </div>
        )}
      </>
    );
  },
  (before, now) =>
    before.passage === now.passage &&
    before.reading === now.reading &&
    before.index === now.index &&
    before.parts === now.parts &&
    before.isEditable === now.isEditable &&
    JSON.stringify(before.manner) === JSON.stringify(now.manner),
);

/** The parts with the place in the text where each begins. */
function placed(parts: readonly ReadPart[]): (ReadPart & { from: number })[] {
  let from = 0;
  return parts.map((part) => {
    const begins = { ...part, from };
    from += part.character.length;
    return begins;
  });
}

type PartProps = ReadPart & {
  place: number;
  isChanged: boolean;
  state: string;
  /** It is null where the reading cannot be changed. */
  onOpen: (() => void) | null;
};

/** A character with its reading above, which a click changes. */
function Part({ place, character, jyutping, isChanged, state, onOpen }: PartProps) {
  if (jyutping === null) return <span class={state}>{character}</span>;
  const written = (
    <ruby>
      {character}
      <rt lang="yue-Latn">{jyutping}</rt>
    </ruby>
  );
  if (onOpen === null) return <span class={state}>{written}</span>;
  return (
    <button
      type="button"
      class={`read-part ${state} ${isChanged ? 'changed' : ''}`}
      data-place={place}
      aria-label={`${character} ${jyutping}`}
      onClick={onOpen}
    >
      {written}
    </button>
  );
}

type FormProps = { part: ReadPart; onChange: (jyutping: string) => void; onCancel: () => void };

/** Changes the reading of one part, which keeps its number of syllables. */
function ReadingForm({ part: { character, jyutping }, onChange, onCancel }: FormProps) {
  const { speak, common } = text();
  const typed = useSignal(jyutping ?? '');
  const count = countSyllables(jyutping ?? '');
  const isRight = isJyutping(typed.value) && countSyllables(typed.value) === count;
  const label = speak.readingOf(character);
  return (
    <form
      class="reading-form row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) onChange(typed.value.trim().replaceAll(/\s+/g, ' '));
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <input
        class="input"
        aria-label={label}
        aria-invalid={!isRight}
        spellcheck={false}
        autocapitalize="off"
        ref={(input) => input?.focus()}
        defaultValue={jyutping ?? ''}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <Button small type="submit" disabled={!isRight}>
        {common.save}
      </Button>
      <Button small onClick={onCancel}>
        {common.cancel}
      </Button>
      {isRight ? null : (
        <p class="fault small-text" role="alert">
          {count === 1 ? speak.badReading : speak.badReadings(count)}
        </p>
      )}
    </form>
  );
}

/** The class of a part that begins at this place: heard now, or before. */
function stateOf(from: number, spokenNow: { from: number; to: number } | null): string {
  if (spokenNow === null || from >= spokenNow.to) return '';
  return from < spokenNow.from ? 'done' : 'said';
}

/** The part of a passage that is heard, in UTF-16 units; null while none is or was. */
function useHeard(passage: Passage, manner: Manner, index: number) {
  const key = useComputed(() => {
    const at = heardPassage.value;
    const pieces = piecesOf(passage, manner);
    if (pieces === null || at === null) return '';
    if (at.index !== index) return at.index > index ? `${passage.text.length} ${passage.text.length}` : '';
    const place = pieces.findLastIndex(({ start }) => start !== null && start <= at.time);
    if (place < 0) return '';
    const from = pieces.slice(0, place).reduce((sum, piece) => sum + piece.text.length, 0);
    return `${from} ${from + (pieces[place]?.text.length ?? 0)}`;
  });
  // The text of the key changes less often than the time.
  return useComputed(() => {
    const [from = 0, to = 0] = key.value.split(' ').map(Number);
    return key.value === '' ? null : { from, to };
  });
}
