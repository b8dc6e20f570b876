import { useSignal } from '@preact/signals';
import { describeNote } from '#console/core/entry-note.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { Button, IconButton } from '#console/ui/button.tsx';
import type { Finder, Match } from './finder.ts';

function show(match: Match | null): void {
  if (match !== null) document.querySelector(`#segment-${match.key}`)?.scrollIntoView({ block: 'center' });
}

/** Finds a text, goes from place to place, and replaces one or all of them. */
export function FindReplace({ finder }: { finder: Finder }) {
  const { transcript } = text();
  /** The last replacement can be added to a word list, so that it is recognized next time. */
  const last = useSignal('');
  /** The text that it replaced. */
  const replaced = useSignal('');
  const added = useSignal<string | null>(null);
  const { query, replacement, matches, number, current } = finder;
  const count = matches.value.length;
  const remember = () => {
    added.value = null;
    last.value = replacement.value.trim();
    replaced.value = query.value.trim();
  };
  const replaceAll = () => {
    if (count === 0) return;
    notify(transcript.replaced(formatNumber(finder.replaceAll())));
    remember();
  };
  const replaceOne = () => {
    show(finder.replaceOne());
    remember();
  };
  const addWord = async (word: string) => {
    try {
      added.value = await addToCorpus(word);
      notify(transcript.wordAdded(word, added.value));
      const doubt = await whyNoHelp(word, replaced.value);
      if (doubt !== null) notify(doubt, 'bad');
    } catch (failure) {
      notifyFailure(failure);
    }
  };
  return (
    <form
      class="find-replace"
      role="search"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        if (event.altKey) replaceAll();
        else if (event.target.name === 'replacement') replaceOne();
        else show(finder.go(event.shiftKey ? -1 : 1));
      }}
    >
      <input
        class="input"
        type="search"
        aria-label={transcript.find}
        placeholder={transcript.find}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          current.value = null;
        }}
      />
      {query.value === '' ? null : (
        <span class="row found-count" role="status">
          <span class="small-text muted tabular">
            {transcript.foundAt(formatNumber(number.value), formatNumber(count))}
          </span>
          {/* Enter does the same in the field, from which Tab leads to the replacement. */}
          <IconButton icon="up" isSkipped label={transcript.previousMatch} onClick={() => show(finder.go(-1))} />
          <IconButton icon="down" isSkipped label={transcript.nextMatch} onClick={() => show(finder.go(1))} />
        </span>
      )}
      <input
        class="input"
        name="replacement"
        aria-label={transcript.replaceWith}
        placeholder={transcript.replaceWith}
        value={replacement.value}
        onInput={({ currentTarget }) => (replacement.value = currentTarget.value)}
      />
      <Button disabled={count === 0} onClick={replaceOne}>
        {number.value === 0 ? transcript.nextMatch : transcript.replaceOne}
      </Button>
      <Button disabled={count === 0} onClick={replaceAll}>
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

/**
 * Says why a word will hardly take the place of what was recognized: it is none that corrects
 * transcripts, or sounds otherwise. Returns null when it will.
 */
async function whyNoHelp(word: string, recognized: string): Promise<string | null> {
  const [note] = await client().corpora.check([{ text: word }]);
  if (note !== undefined) return describeNote(note);
  const [rightSound, wrongSound] = await Promise.all([word, recognized].map((part) => client().jyutping(part)));
  if (rightSound === undefined || wrongSound === undefined || rightSound === wrongSound) return null;
  return text().transcript.soundsOtherwise(recognized, wrongSound, word, rightSound);
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
