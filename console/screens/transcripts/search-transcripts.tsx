import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ListedTranscription } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { addressOf } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { formatMoment, formatTime, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Field } from '#console/ui/field.tsx';
import { Empty, Shown } from '#console/ui/parts.tsx';
import './search-transcripts.css';

/** Letters that are typed one after another are looked for together. */
const PAUSE_MS = 300;
const SHOWN_AT_FIRST = 30;

/** A field that looks in all transcripts, and what it found; `children` while it is empty. */
export function SearchTranscripts({ children }: { children: ComponentChildren }) {
  const { after } = text();
  const typed = useSignal('');
  const query = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => (query.value = typed.value.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <>
      <Field label={after.search} hint={after.searchHint}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="search"
            maxLength={500}
            dir="auto"
            value={typed.value}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        )}
      </Field>
      {query.value === '' ? children : <Results query={query.value} key={query.value} />}
    </>
  );
}

type FoundList = { transcripts: ListedTranscription[]; total: number; unindexed: number };

function Results({ query }: { query: string }) {
  const { after, common } = text();
  const count = useSignal(SHOWN_AT_FIRST);
  const found = useLoaded((signal) => find(query, count.value, signal));
  return (
    <Shown of={found}>
      {({ transcripts, total, unindexed }) => (
        <div role="region" aria-label={after.search}>
          <p class="muted small-text" role="status">
            {total === 0 ? after.nothing : after.found(total)} {unindexed === 0 ? null : after.unindexed(unindexed)}
          </p>
          {total === 0 ? <Empty icon="search">{after.nothing}</Empty> : null}
          <ul class="found">
            {transcripts.map((transcript) => (
              <li key={transcript.request_id}>
                <Found of={transcript} />
              </li>
            ))}
          </ul>
          {total > transcripts.length ? (
            <Button kind="quiet" disabled={found.isLoading} onClick={() => (count.value += SHOWN_AT_FIRST)}>
              {common.more}
            </Button>
          ) : null}
        </div>
      )}
    </Shown>
  );
}

function Found({ of }: { of: ListedTranscription }) {
  const { after, common } = text();
  const { request_id: id, title = '', created_at: createdAt, matches = [], matches_count: count = 0 } = of;
  return (
    <>
      <a href={addressOf('transcripts', id)}>
        <strong dir="auto">{title === '' ? common.untitled : title}</strong>
        <span class="muted small-text"> {formatMoment(createdAt)}</span>
      </a>
      {matches.map(({ start, text: written, highlights }) => (
        <a class="match" key={start} href={addressOf('transcripts', id, start)}>
          <span class="muted small-text tabular">{formatTime(start)}</span>
          <span dir="auto">{marked(written, highlights)}</span>
        </a>
      ))}
      {count > matches.length ? <span class="muted small-text">{after.further(count - matches.length)}</span> : null}
    </>
  );
}

/** The text with the places that match. */
function marked(written: string, places: readonly (readonly number[])[]) {
  const parts = [];
  let at = 0;
  for (const [start = 0, end = 0] of places) {
    parts.push(written.slice(at, start), <mark key={start}>{written.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, written.slice(at)];
}

async function find(query: string, count: number, signal: AbortSignal): Promise<FoundList> {
  const transcripts: ListedTranscription[] = [];
  let counts = { total: 0, unindexed: 0 };
  const options = { pageSize: Math.min(count, 100), signal, onFound: (found: typeof counts) => void (counts = found) };
  for await (const transcript of client().transcriptions.search(query, options)) {
    transcripts.push(transcript);
    if (transcripts.length === count) break;
  }
  return { transcripts, ...counts };
}
