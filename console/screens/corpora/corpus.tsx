import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { InvalidRequestError } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { open } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { saveFile } from '#console/core/save-file.ts';
import { corpusDescriptionOf } from '#console/core/shipped.ts';
import { formatNumber, lengthFault, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Field } from '#console/ui/field.tsx';
import { Banner, Card, PageHead, Shown } from '#console/ui/parts.tsx';
import { CorpusEditor } from './corpus-editor.ts';
import { EntryTable } from './entry-table.tsx';

const MAX_DESCRIPTION_CHARACTERS = 2_000;

/** One word list, which is edited when it is the account's own. */
export function CorpusScreen({ id }: { id: string }) {
  const editor = useLoaded(async (signal) => {
    const opened = new CorpusEditor(id === 'new' ? null : await client().corpora.get(id, { signal }));
    await opened.takeDraft();
    return opened;
  });
  return <Shown of={editor}>{(value) => <Workspace editor={value} onReload={editor.reload} />}</Shown>;
}

function Workspace({ editor, onReload }: { editor: CorpusEditor; onReload: () => void }) {
  const { corpora } = text();
  const isConflict = useSignal(false);
  /** The rows that alone are shown, while there are any. */
  const only = useSignal<ReadonlySet<number> | null>(null);
  const { name } = editor.content.value;
  const { isPublic } = editor;
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (editor.isChanged.value) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [editor]);
  useEffect(() => (editor.isPublic ? undefined : editor.followNotes()), [editor]);
  const run = async (work: () => Promise<unknown>) => {
    editor.isBusy.value = true;
    try {
      await work();
    } catch (failure) {
      if (failure instanceof InvalidRequestError && failure.code === 'conflict') isConflict.value = true;
      else notifyFailure(failure);
    } finally {
      editor.isBusy.value = false;
    }
  };
  const save = (isForced: boolean) =>
    run(async () => {
      const id = await editor.save({ isForced });
      isConflict.value = false;
      notify(corpora.saved(formatNumber(editor.version ?? 1)));
      if (editor.id === null) open('corpora', id);
      else onReload();
    });
  return (
    <>
      <PageHead title={name === '' ? corpora.make : name}>
        <Tools editor={editor} run={run} onSave={() => void save(false)} />
      </PageHead>
      <div class="stack">
        {isConflict.value ? (
          <Conflict
            onKeep={() => void save(true)}
            onTake={() => {
              isConflict.value = false;
              void editor.discardDraft().then(onReload);
            }}
          />
        ) : null}
        <Description editor={editor} />
        <Card
          title={corpora.words(editor.count.value)}
          actions={
            isPublic ? undefined : (
              <div class="row">
                <Button small disabled={editor.isBusy.value} onClick={() => void run(() => editor.fillReadings())}>
                  {corpora.fill}
                </Button>
                <Button small onClick={() => editor.add()}>
                  {corpora.add}
                </Button>
              </div>
            )
          }
        >
          {isPublic ? null : <Faults editor={editor} only={only} />}
          <EntryTable editor={editor} only={only.value} />
        </Card>
      </div>
    </>
  );
}

/** Says how many rows cannot be used, shows them alone, and leaves them out. */
function Faults({ editor, only }: { editor: CorpusEditor; only: Signal<ReadonlySet<number> | null> }) {
  const { corpora } = text();
  const faulty = editor.faulty.value;
  if (faulty.length === 0 && only.value === null) return null;
  const isShownAlone = only.value !== null;
  return (
    <Banner>
      <div class="row">
        <span>{faulty.length === 0 ? corpora.noneFaulty : corpora.faultyRows(faulty.length)}</span>
        <Button
          small
          pressed={isShownAlone}
          onClick={() => (only.value = isShownAlone ? null : new Set(faulty.map(({ key }) => key)))}
        >
          {corpora.onlyFaulty}
        </Button>
        <Button
          small
          disabled={faulty.length === 0}
          onClick={() => {
            only.value = null;
            editor.dropFaulty();
          }}
        >
          {corpora.dropFaulty}
        </Button>
      </div>
    </Banner>
  );
}

/** Asks what to do when the word list was saved elsewhere meanwhile. */
function Conflict({ onKeep, onTake }: { onKeep: () => void; onTake: () => void }) {
  const { corpora } = text();
  return (
    <Banner kind="bad">
      <p>{corpora.conflict}</p>
      <div class="row">
        <Button small onClick={onKeep}>
          {corpora.keepMine}
        </Button>
        <Button small onClick={onTake}>
          {corpora.takeTheirs}
        </Button>
      </div>
    </Banner>
  );
}

/** The name and the description, as fields unless the word list is shipped. */
function Description({ editor }: { editor: CorpusEditor }) {
  const { corpora, common } = text();
  const { name, description } = editor.content.value;
  if (editor.isPublic) {
    return (
      <div class="muted">
        <p dir="auto">{corpusDescriptionOf({ id: editor.id ?? '', public: true, description })}</p>
        <p>{corpora.readOnly}</p>
      </div>
    );
  }
  return (
    <div class="corpus-fields">
      <Field label={corpora.name} hint={name.trim() === '' && editor.count.value > 0 ? corpora.nameNeeded : undefined}>
        {(control) => (
          <input
            {...control}
            class="input"
            dir="auto"
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => editor.change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={common.optional(corpora.description)} fault={lengthFault(description, MAX_DESCRIPTION_CHARACTERS)}>
        {(control) => (
          <input
            {...control}
            class="input"
            dir="auto"
            value={description}
            onInput={({ currentTarget }) => editor.change({ description: currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}

type ToolsProps = { editor: CorpusEditor; run: (work: () => Promise<unknown>) => Promise<void>; onSave: () => void };

function Tools({ editor, run, onSave }: ToolsProps) {
  const { corpora, common } = text();
  const { id, isPublic } = editor;
  const { name, description } = editor.content.value;
  const faults = editor.faulty.value.length;
  const isTooLong = lengthFault(description, MAX_DESCRIPTION_CHARACTERS) !== null;
  return (
    <>
      {editor.version === null ? null : (
        <span class="badge">
          {editor.isChanged.value ? corpora.unsaved : corpora.version(formatNumber(editor.version))}
        </span>
      )}
      {id === null ? null : (
        <Button
          icon="download"
          onClick={() => void run(async () => saveFile(await client().corpora.tsv(id), `${name}.tsv`))}
        >
          {corpora.export}
        </Button>
      )}
      {id === null ? null : (
        <Button
          icon="download"
          disabled={editor.isBusy.value || editor.isChanged.value}
          onClick={() => void run(async () => saveFile(await client().corpora.deck(id), `${name}.apkg`))}
        >
          {corpora.deck}
        </Button>
      )}
      {id === null || isPublic ? null : (
        <Button
          icon="trash"
          onClick={() => {
            if (!confirm(corpora.deleteQuestion(name))) return;
            void run(async () => {
              await client().corpora.delete(id);
              await editor.discardDraft();
              open('corpora');
            });
          }}
        >
          {common.delete}
        </Button>
      )}
      {isPublic ? null : (
        <Button
          kind="primary"
          disabled={editor.isBusy.value || !editor.isChanged.value || name.trim() === '' || faults > 0 || isTooLong}
          onClick={onSave}
        >
          {faults > 0 ? corpora.toMend(formatNumber(faults)) : common.save}
        </Button>
      )}
    </>
  );
}
