import { useRef } from 'preact/hooks';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { addressOf, open } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { corpusDescriptionOf } from '#console/core/shipped.ts';
import { formatNumber, text } from '#console/core/text.ts';
import type { ScreenProps } from '#console/screens/screens.ts';
import { Button, ButtonLink } from '#console/ui/button.tsx';
import { FileInput } from '#console/ui/file-input.tsx';
import { Card, Empty, PageHead, Shown } from '#console/ui/parts.tsx';
import { faultOf } from './check-entry.ts';
import { CorpusEditor, entryOf, hasNewDraft } from './corpus-editor.ts';
import { CorpusScreen } from './corpus.tsx';
import { readWordFile } from './import-file.ts';
import type { Fields } from './pasted-rows.ts';
import './corpora.css';

/** All word lists, or the one that the address names; `new` is one that was never saved. */
export function Corpora({ id }: ScreenProps) {
  return id === null ? <CorpusList /> : <CorpusScreen id={id} />;
}

function CorpusList() {
  const { corpora: messages, languages } = text();
  const corpora = useLoaded((signal) => client().corpora.list({ signal }));
  const personal = corpora.value?.filter((corpus) => !corpus.public) ?? [];
  return (
    <>
      <PageHead title={messages.title} lead={messages.lead}>
        <ImportButton />
        <ButtonLink kind="primary" href={addressOf('corpora', 'new')}>
          {messages.make}
        </ButtonLink>
      </PageHead>
      <Shown of={corpora}>
        {(all) => (
          <div class="stack">
            <Card title={messages.own}>
              {personal.length === 0 ? <Empty icon="corpora">{messages.none}</Empty> : <List of={personal} />}
            </Card>
            <Card title={messages.shipped}>
              <List of={all.filter((corpus) => corpus.public)} />
            </Card>
          </div>
        )}
      </Shown>
    </>
  );

  function List({ of }: { of: typeof personal }) {
    return (
      <ul class="corpora">
        {of.map((corpus) => (
          <li key={corpus.id}>
            <a href={addressOf('corpora', corpus.id)}>
              <strong dir="auto">{corpus.name}</strong>
              <span class="muted small-text" dir="auto">
                {corpusDescriptionOf(corpus)}
              </span>
              <span class="muted small-text tabular">
                {messages.words(corpus.entries_count)} · {languages[corpus.language] ?? corpus.language} ·{' '}
                {messages.version(formatNumber(corpus.version))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    );
  }
}

/** Makes a word list of a file. */
function ImportButton() {
  const { corpora } = text();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" onClick={() => input.current?.click()}>
        {corpora.import}
      </Button>
      <FileInput input={input} accept=".tsv,.csv,.txt,.json" onChoose={([file]) => void importFile(file)} />
    </>
  );
}

/** Shows words with faulty lines as a list that is not saved yet, so that they can be mended. */
function openAsDraft(name: string, rows: readonly Fields[]): void {
  const editor = new CorpusEditor(null);
  editor.change({ name, rows: rows.map((row, key) => ({ ...row, key })) });
  open('corpora', 'new');
}

async function importFile(file: File): Promise<void> {
  const { corpora } = text();
  const list = await readWordFile(file);
  if (list === null) {
    notify(corpora.notAList(file.name), 'bad');
    return;
  }
  if (list.rows.some((row) => faultOf({ ...row, key: 0 }) !== null)) {
    if (!(await hasNewDraft()) || confirm(corpora.replaceDraft)) openAsDraft(list.name, list.rows);
    return;
  }
  try {
    const made = await client().corpora.create({ name: list.name, entries: list.rows.map(entryOf) });
    open('corpora', made.id);
  } catch (failure) {
    notifyFailure(failure);
  }
}
