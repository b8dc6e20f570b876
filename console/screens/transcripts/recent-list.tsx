import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedTranscription } from '@jyutsing/client';
import { dropDraft } from '#console/core/drafts.ts';
import { describeCode } from '#console/core/failures.ts';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { addressOf } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { formatMoment, formatSecond, formatTime, text } from '#console/core/text.ts';
import { useRefresh } from '#console/core/use-refresh.ts';
import { writtenDraftOf } from '#console/screens/transcript/written-texts.ts';
import { Button, IconButton } from '#console/ui/button.tsx';
import { Empty, Shown, StatusBadge } from '#console/ui/parts.tsx';
import { BulkBar } from './bulk-bar.tsx';
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

/**
 * Lists the newest transcripts. With `isManaged` they can be chosen and deleted, and older ones be
 * shown.
 */
export function RecentList({ limit, isManaged = false }: { limit: number; isManaged?: boolean }) {
  const { home, common } = text();
  const count = useSignal(limit);
  const tag = useSignal<string | null>(null);
  const list = useLoaded((signal) => firstOf(count.value + 1, tag.value, signal));
  /** Counts the changes of tags, after each of which they are loaded again. */
  const tagged = useSignal(0);
  const chosen = useSignal<ReadonlySet<string>>(NONE);
  const running = (list.value ?? []).filter(({ status }) => status === 'pending' || status === 'processing');
  useRefresh(list.reload, running.length > 0 ? WHILE_RUNNING_MS : OTHERWISE_MS);
  useFollowed(
    running.slice(0, FOLLOWED).map(({ request_id: id }) => id),
    list.reload,
  );
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
              {isManaged ? <Chosen all={all.slice(0, count.value)} chosen={chosen} reload={list.reload} /> : null}
              <ul class="recent">
                {all.slice(0, count.value).map((transcript) => (
                  <li key={transcript.request_id}>
                    {isManaged ? <ChoiceBox of={transcript} chosen={chosen} /> : null}
                    <Entry of={transcript} />
                    {isManaged ? <Tools of={transcript} onTagged={saveTags} reload={list.reload} /> : null}
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

const NONE: ReadonlySet<string> = new Set();

type Choice = { chosen: Signal<ReadonlySet<string>> };

function ChoiceBox({ of, chosen }: Choice & { of: ListedTranscription }) {
  const { request_id: id } = of;
  return (
    <input
      type="checkbox"
      aria-label={text().transcripts.choose(titleOf(of))}
      checked={chosen.value.has(id)}
      onChange={({ currentTarget }) => {
        const next = new Set(chosen.value);
        if (currentTarget.checked) next.add(id);
        else next.delete(id);
        chosen.value = next;
      }}
    />
  );
}

/** Acts on the chosen transcripts among those that are listed. */
function Chosen({ all, chosen, reload }: Choice & { all: readonly ListedTranscription[]; reload: () => void }) {
  const listed = all.filter(({ request_id: id }) => chosen.value.has(id));
  if (listed.length === 0) return null;
  return (
    <BulkBar
      chosen={new Set(listed.map(({ request_id: id }) => id))}
      completed={listed.flatMap(({ request_id: id, status }) => (status === 'completed' ? id : []))}
      onChooseAll={() => (chosen.value = new Set(all.map(({ request_id: id }) => id)))}
      onChooseNone={() => (chosen.value = NONE)}
      onDeleted={(ids) => {
        const gone = new Set(ids);
        chosen.value = new Set([...chosen.value].filter((id) => !gone.has(id)));
        reload();
      }}
    />
  );
}

type ToolsProps = { of: ListedTranscription; onTagged: () => void; reload: () => void };

/** The tags of a transcript, and its deletion. */
function Tools({ of, onTagged, reload }: ToolsProps) {
  const { transcripts, common } = text();
  const { request_id: id, tags = [] } = of;
  const title = titleOf(of);
  const remove = async () => {
    if (!confirm(transcripts.deleteQuestion)) return;
    try {
      await client().transcriptions.delete(id);
      await dropDraft(writtenDraftOf(id));
      notify(transcripts.deleted);
    } catch (failure) {
      notifyFailure(failure);
    }
    reload();
  };
  return (
    <>
      <TagEditor key={tags.join()} id={id} title={title} tags={tags} onSaved={onTagged} />
      <IconButton icon="trash" label={`${common.delete}: ${title}`} onClick={() => void remove()} />
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
