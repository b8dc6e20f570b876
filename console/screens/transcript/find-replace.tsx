import { useSignal } from '@preact/signals';
import { formatNumber, text } from '#console/core/text.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { Button } from '#console/ui/button.tsx';
import type { Editor } from './editor.ts';

/** Replaces a text in all segments at once; one step of undo. */
export function FindReplace({ editor }: { editor: Editor }) {
  const { transcript } = text();
  const wanted = useSignal('');
  const replacement = useSignal('');
  /** The last replacement can be added to a word list, so that it is recognized next time. */
  const last = useSignal('');
  const added = useSignal<string | null>(null);
  const { segments } = editor.content.value;
  const count =
    wanted.value === '' ? 0 : segments.reduce((sum, each) => sum + each.text.split(wanted.value).length - 1, 0);
  const replace = (event: Event) => {
    event.preventDefault();
    if (count === 0) return;
    const changed = segments.map((each) =>
      each.text.includes(wanted.value)
        ? { ...each, text: each.text.replaceAll(wanted.value, () => replacement.value) }
        : each,
    );
    editor.change({ segments: changed }, `replace ${wanted.value}`);
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
        value={wanted.value}
        onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
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
  const own = (await corpora.list()).find((each) => !each.public);
  if (own === undefined) {
    return (await corpora.create({ name: text().corpora.own, entries: [{ text: word }] })).name;
  }
  const { entries, name, version } = await corpora.get(own.id);
  const isThere = entries.some((entry) => entry.text === word);
  if (!isThere) await corpora.replace(own.id, { entries: [...entries, { text: word }], version });
  return name;
}
