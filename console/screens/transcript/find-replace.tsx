import { useSignal } from '@preact/signals';
import { formatNumber, text } from '#console/core/text.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { Button } from '#console/ui/button.tsx';
import type { Editor } from './editor.ts';

/** Replaces a text in all segments at once, as one step of undo. */
export function FindReplace({ editor }: { editor: Editor }) {
  const { transcript } = text();
  const search = useSignal('');
  const replacement = useSignal('');
  /** The last replacement can be added to a word list, so that it is recognized next time. */
  const last = useSignal('');
  const added = useSignal<string | null>(null);
  const { segments } = editor.content.value;
  const count =
    search.value === '' ? 0 : segments.reduce((sum, segment) => sum + segment.text.split(search.value).length - 1, 0);
  const replace = (event: Event) => {
    event.preventDefault();
    if (count === 0) return;
    const changed = segments.map((segment) =>
      segment.text.includes(search.value)
        ? { ...segment, text: segment.text.replaceAll(search.value, () => replacement.value) }
        : segment,
    );
    editor.change({ segments: changed }, `replace ${search.value}`);
    notify(transcript.replaced(formatNumber(count)));
    added.value = null;
    last.value = replacement.value.trim();
  };
  const addWord = async (word: string) => {
    try {
      added.value = await addToCorpus(word);
      notify(transcript.wordAdded(word, added.value));
    } catch (failure) {
      notifyFailure(failure);
    }
  };
  return (
    <form class="find-replace" onSubmit={replace}>
      <input
        class="input"
        aria-label={transcript.find}
        placeholder={transcript.find}
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
      />
      <input
        class="input"
        aria-label={transcript.replaceWith}
        placeholder={transcript.replaceWith}
        value={replacement.value}
        onInput={({ currentTarget }) => (replacement.value = currentTarget.value)}
      />
      <Button type="submit" disabled={count === 0}>
        {transcript.replaceAll(formatNumber(count))}
      </Button>
      {last.value === '' || added.value !== null ? null : (
        <Button icon="corpora" onClick={() => void addWord(last.value)}>
          {transcript.addWord(last.value)}
        </Button>
      )}
    </form>
  );
}

/** Adds a word to the oldest word list of the account, or to a new one. Returns its name. */
async function addToCorpus(word: string): Promise<string> {
  const { corpora } = client();
  const personal = (await corpora.list()).find((corpus) => !corpus.public);
  if (personal === undefined) {
    return (await corpora.create({ name: text().corpora.own, entries: [{ text: word }] })).name;
  }
  const { entries, name, version } = await corpora.get(personal.id);
  const isThere = entries.some((entry) => entry.text === word);
  if (!isThere) await corpora.replace(personal.id, { entries: [...entries, { text: word }], version });
  return name;
}
