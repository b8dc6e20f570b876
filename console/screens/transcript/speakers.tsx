import { formatNumber, text } from '#console/core/text.ts';
import type { Editor } from './editor.ts';

const COLOURS = 6;

export function speakerName(label: string, names: Readonly<Record<string, string>>): string {
  const number = Number(label.replace(/^\D+/, ''));
  // A name that was cleared is none.
  const name = names[label] ?? '';
  return name !== '' ? name : text().transcript.speakerNumber(formatNumber(number + 1));
}

export function speakerClass(label: string | null): string {
  return label === null ? '' : `speaker-${Number(label.replace(/^\D+/, '')) % COLOURS}`;
}

/** A field for the name of each speaker, which is changed everywhere at once. */
export function SpeakerNames({ editor }: { editor: Editor }) {
  const { transcript } = text();
  const labels = editor.labels.value;
  const speakers = editor.names.value;
  if (labels.length === 0) return null;
  return (
    <fieldset class="speaker-names">
      <legend class="visually-hidden">{transcript.speakers}</legend>
      {labels.map((label) => (
        <label key={label} class={speakerClass(label)}>
          <span class="dot" aria-hidden="true" />
          <span class="visually-hidden">{transcript.nameOf(speakerName(label, {}))}</span>
          <input
            maxLength={100}
            dir="auto"
            placeholder={speakerName(label, {})}
            value={speakers[label] ?? ''}
            onInput={({ currentTarget }) =>
              editor.change({ speakers: { ...speakers, [label]: currentTarget.value } }, `name ${label}`)
            }
          />
        </label>
      ))}
    </fieldset>
  );
}
