import { useSignal } from '@preact/signals';
import { dropDraft } from '#console/core/drafts.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { writtenDraftOf } from '#console/screens/transcript/written-texts.ts';
import { Button } from '#console/ui/button.tsx';

const FORMATS = ['docx', 'md', 'txt', 'srt', 'vtt', 'json'] as const;
type Format = (typeof FORMATS)[number];
/** The service takes so many at a time. */
const MOST_AT_A_TIME = 100;

type BarProps = {
  chosen: ReadonlySet<string>;
  /** Those of the chosen that have a text. */
  completed: readonly string[];
  onChooseAll: () => void;
  onChooseNone: () => void;
  onDeleted: () => void;
};

/** Saves the chosen transcripts as files in one archive, or deletes them. */
export function BulkBar({ chosen, completed, onChooseAll, onChooseNone, onDeleted }: BarProps) {
  const { transcripts, common, transcript } = text();
  const format = useSignal<Format>('docx');
  const isBusy = useSignal(false);
  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    try {
      await work();
    } catch (failure) {
      notifyFailure(failure);
    }
    isBusy.value = false;
  };
  const save = () =>
    run(async () => {
      const parts = inParts(completed);
      if (completed.length < chosen.size) notify(transcripts.leftOut(chosen.size - completed.length), 'bad');
      for (const [index, ids] of parts.entries()) {
        const archive = await client().transcriptions.export(ids, format.value);
        saveFile(archive, `${transcripts.title}${parts.length > 1 ? ` ${index + 1}` : ''}.zip`);
      }
    });
  const remove = () =>
    run(async () => {
      const ids = [...chosen];
      if (!confirm(transcripts.deleteManyQuestion(ids.length))) return;
      for (const part of inParts(ids)) await client().transcriptions.deleteMany(part);
      for (const id of ids) await dropDraft(writtenDraftOf(id));
      notify(transcripts.deletedMany(ids.length));
      onDeleted();
    });
  return (
    <div class="bulk-bar" role="group" aria-label={transcripts.chosen(chosen.size)}>
      <strong role="status">{transcripts.chosen(chosen.size)}</strong>
      <Button small onClick={onChooseAll}>
        {transcripts.chooseAll}
      </Button>
      <Button small onClick={onChooseNone}>
        {transcripts.chooseNone}
      </Button>
      <span class="row push">
        <select
          class="input"
          aria-label={transcript.format}
          value={format.value}
          onChange={({ currentTarget }) => (format.value = currentTarget.value as Format)}
        >
          {FORMATS.map((value) => (
            <option key={value} value={value}>
              {value.toUpperCase()}
            </option>
          ))}
        </select>
        <Button
          small
          icon="download"
          disabled={isBusy.value || completed.length === 0}
          onClick={() => void save()}
          label={`${common.download} (ZIP)`}
        >
          {common.download}
        </Button>
        <Button small icon="trash" kind="danger" disabled={isBusy.value} onClick={() => void remove()}>
          {common.delete}
        </Button>
      </span>
    </div>
  );
}

function inParts(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MOST_AT_A_TIME);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MOST_AT_A_TIME, (index + 1) * MOST_AT_A_TIME));
}
