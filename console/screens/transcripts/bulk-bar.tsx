import { useSignal } from '@preact/signals';
import { dropDraft } from '#console/core/drafts.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { writtenDraftOf } from '#console/screens/transcript/written-texts.ts';
import { Button } from '#console/ui/button.tsx';
import { deleteInParts, inParts } from './in-parts.ts';

const FORMATS = ['docx', 'md', 'txt', 'srt', 'vtt', 'json'] as const;
type Format = (typeof FORMATS)[number];

type BarProps = {
  chosen: ReadonlySet<string>;
  /** Those of the chosen that have a text. */
  completed: readonly string[];
  onChooseAll: () => void;
  onChooseNone: () => void;
  /** These are gone; the others, if any, could not be deleted. */
  onDeleted: (ids: readonly string[]) => void;
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
      const { deleted, failure } = await deleteInParts(ids, (part) => client().transcriptions.deleteMany(part));
      for (const id of deleted) await dropDraft(writtenDraftOf(id));
      if (failure === null) notify(transcripts.deletedMany(deleted.length));
      else if (deleted.length > 0) notify(transcripts.deletedSome(deleted.length, ids.length - deleted.length), 'bad');
      onDeleted(deleted);
      if (failure !== null) throw failure;
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
