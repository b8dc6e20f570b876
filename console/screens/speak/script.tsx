import { text } from '#console/core/text.ts';
import { IconButton } from '#console/ui/button.tsx';
import { isJyutping } from './readings.ts';
import { heardPassage, piecesOf, type Manner, type Passage } from './speaking.ts';

/** The passages with their readings, and the word that is heard. */
export function Script({
  passages,
  manner,
  readings,
  onEdit,
}: {
  passages: readonly Passage[];
  manner: Manner;
  /**
   * The readings that the service gives each text; null in a language in which readings are of no
   * use.
   */
  readings: ReadonlyMap<string, string> | null;
  /** A `reading` of null goes back to the one of the service. */
  onEdit: (text: string, reading: string | null) => void;
}) {
  const { speak } = text();
  return (
    <ol class="script">
      {passages.map((passage, index) => (
        <li key={`${index} ${passage.text}`}>
          <p class="script-text" dir="auto">
            <Words passage={passage} manner={manner} index={index} />
          </p>
          {readings === null ? null : (
            <div class="script-reading">
              <textarea
                class="input"
                rows={1}
                aria-label={speak.readingOf(passage.text)}
                aria-invalid={passage.reading !== null && !isJyutping(passage.reading)}
                spellcheck={false}
                autocapitalize="off"
                placeholder={text().common.loading}
                value={passage.reading ?? readings.get(passage.text) ?? ''}
                onInput={({ currentTarget: { value } }) =>
                  onEdit(passage.text, value === '' || value === readings.get(passage.text) ? null : value)
                }
              />
              {passage.reading === null ? null : (
                <IconButton
                  icon="undo"
                  label={speak.restoreReading(passage.text)}
                  onClick={() => onEdit(passage.text, null)}
                />
              )}
              {passage.reading !== null && !isJyutping(passage.reading) ? (
                <p class="fault small-text" role="alert">
                  {speak.badReading}
                </p>
              ) : null}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Words({ passage, manner, index }: { passage: Passage; manner: Manner; index: number }) {
  const pieces = piecesOf(passage, manner);
  const at = heardPassage.value;
  if (pieces === null) return <>{passage.text}</>;
  const saidIndex =
    at === null || at.index !== index ? -1 : pieces.findLastIndex(({ start }) => start !== null && start <= at.time);
  return (
    <>
      {pieces.map((piece, place) => (
        <span
          key={place}
          class={place === saidIndex ? 'said' : place < saidIndex || (at?.index ?? 0) > index ? 'done' : ''}
        >
          {piece.text}
        </span>
      ))}
    </>
  );
}
