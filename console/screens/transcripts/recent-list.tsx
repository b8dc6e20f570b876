import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedTranscription } from '@jyutsing/client';
import { describeCode } from '#console/core/failures.ts';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { addressOf } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { formatMoment, formatSecond, formatTime, text } from '#console/core/text.ts';
import { useRefresh } from '#console/core/use-refresh.ts';
import { Button, IconButton } from '#console/ui/button.tsx';
import { Empty, Shown, StatusBadge } from '#console/ui/parts.tsx';
import './recent-list.css';
import { TagEditor, TagFilter } from './tags.tsx';

/** The list is loaded this often, for what other tabs and programs send. */
const OTHERWISE_MS = 20_000;
const WHILE_RUNNING_MS = 5_000;
/** The events of so many are followed: a browser keeps few connections open. */
const FOLLOWED = 2;

/** Loads the list again as soon as the server says that one of these transcriptions has ended. */
function useFollowed(ids: readonly string[], reload: () => void): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    for (const id of ids) {
      const follow = async () => {
        for await (const _ of client().transcriptions.job(id).progress({ signal }));
      };
      // A transcription that failed or was deleted has ended too.
      void follow()
        .catch(() => {})
        .then(() => (signal.aborted ? undefined : reload()));
    }
    return () => stop.abort();
  }, [ids.join(' ')]);
}

/** Lists the newest transcripts. With `isManaged` they can be deleted, and older ones be shown. */
export function RecentList({ limit, isManaged = false }: { limit: number; isManaged?: boolean }) {
  const { home, common, transcripts } = text();
  const count = useSignal(limit);
  const tag = useSignal<string | null>(null);
  const list = useLoaded((signal) => firstOf(count.value + 1, tag.value, signal));
  /** Counts the changes of tags, after each of which they are loaded again. */
  const tagged = useSignal(0);
  const running = (list.value ?? []).filter(({ status }) => status === 'pending' || status === 'processing');
  useRefresh(list.reload, running.length > 0 ? WHILE_RUNNING_MS : OTHERWISE_MS);
  useFollowed(
    running.slice(0, FOLLOWED).map(({ request_id: id }) => id),
    list.reload,
  );
  const remove = async (id: string) => {
    if (!confirm(transcripts.deleteQuestion)) return;
    try {
      await client().transcriptions.delete(id);
      notify(transcripts.deleted);
    } catch (failure) {
      notifyFailure(failure);
    }
    list.reload();
  };
  const saveTags = () => {
    tagged.value += 1;
    list.reload();
  };
  return (
    <>
      {isManaged ? <TagFilter key={tagged.value} chosen={tag.value} onChoose={(next) => (tag.value = next)} /> : null}
      <Shown of={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="wave">{home.none}</Empty>
          ) : (
            <>
              <ul class="recent">
                {all.slice(0, count.value).map((transcript) => (
                  <li key={transcript.request_id}>
                    <Entry of={transcript} />
                    {isManaged ? (
                      <TagEditor
                        key={(transcript.tags ?? []).join()}
                        id={transcript.request_id}
                        title={titleOf(transcript)}
                        tags={transcript.tags ?? []}
                        onSaved={saveTags}
                      />
                    ) : null}
                    {isManaged ? (
                      <IconButton
                        icon="trash"
                        label={`${common.delete}: ${titleOf(transcript)}`}
                        onClick={() => void remove(transcript.request_id)}
                      />
                    ) : null}
                  </li>
                ))}
              </ul>
              {isManaged && all.length > count.value ? (
                <Button kind="quiet" onClick={() => (count.value += limit)}>
                  {common.more}
                </Button>
              ) : null}
            </>
          )
        }
      </Shown>
    </>
  );
}

function Entry({ of }: { of: ListedTranscription }) {
  const { languages } = text();
  const { request_id: id, status, duration_s: seconds, created_at: createdAt } = of;
  return (
    <a href={addressOf('transcripts', id)}>
      <strong class={hasTitle(of) ? '' : 'unnamed'} dir="auto">
        {titleOf(of)}
      </strong>
      <span class="muted small-text tabular">
        {hasTitle(of) ? `${formatMoment(createdAt)} · ${formatTime(seconds)} · ` : null}
        {languages[of.output_language] ?? of.output_language}
        {of.error === undefined ? null : <span title={of.error}> · {describeCode(of.error_code, of.error)}</span>}
      </span>
      <StatusBadge status={status} />
    </a>
  );
}

function hasTitle({ title }: ListedTranscription): boolean {
  return title !== undefined && title.trim() !== '';
}

/**
 * Names an untitled transcript by the second in which it was made and by its length, because the
 * list has no texts.
 */
function titleOf(of: ListedTranscription): string {
  const { title = '', created_at: createdAt, duration_s: seconds } = of;
  return hasTitle(of) ? title : text().transcripts.unnamed(formatSecond(createdAt), formatTime(seconds));
}

async function firstOf(count: number, tag: string | null, signal: AbortSignal): Promise<ListedTranscription[]> {
  const all: ListedTranscription[] = [];
  const options = { pageSize: Math.min(count, 100), tags: tag === null ? [] : [tag], signal };
  for await (const transcript of client().transcriptions.list(options)) {
    all.push(transcript);
    if (all.length === count) break;
  }
  return all;
}
