import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLoaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import './tags.css';

/** The server takes so many, each of 50 characters. */
const MAX_LENGTH = 20 * 52;

type EditorProps = { id: string; title: string; tags: readonly string[]; onSaved: () => void };

/** The tags of a transcript, as one field with commas. It saves on Enter and when it is left. */
export function TagEditor({ id, title, tags, onSaved }: EditorProps) {
  const { transcripts } = text();
  const isOpen = useSignal(false);
  const save = async (typed: string) => {
    isOpen.value = false;
    const next = typed
      .split(/[,，、]/u)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (next.join() === tags.join()) return;
    try {
      await client().transcriptions.job(id).save({ tags: next });
    } catch (failure) {
      notifyFailure(failure);
    }
    onSaved();
  };
  if (!isOpen.value) {
    const shown = tags.length === 0 ? transcripts.addTags : tags.map((tag) => `#${tag}`).join(' ');
    return (
      <Button
        small
        kind="quiet"
        label={`${shown} (${transcripts.tagsOf(title)})`}
        onClick={() => (isOpen.value = true)}
      >
        {shown}
      </Button>
    );
  }
  return (
    <input
      class="input tag-input"
      aria-label={transcripts.tagsOf(title)}
      placeholder={transcripts.tagsHint}
      maxLength={MAX_LENGTH}
      dir="auto"
      defaultValue={tags.join(', ')}
      ref={(input) => input?.focus()}
      onBlur={({ currentTarget }) => void save(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
        if (key !== 'Escape') return;
        currentTarget.value = tags.join(', ');
        currentTarget.blur();
      }}
    />
  );
}

type FilterProps = { chosen: string | null; onChoose: (tag: string | null) => void };

/** The tags of the account, of which one limits the list; nothing while there are none. */
export function TagFilter({ chosen, onChoose }: FilterProps) {
  const { transcripts } = text();
  const { value: tags } = useLoaded((signal) => client().transcriptions.tags({ signal }));
  // The last transcript with the chosen tag may have lost it.
  const isGone = tags !== null && chosen !== null && !tags.some(({ tag }) => tag === chosen);
  useEffect(() => {
    if (isGone) onChoose(null);
  }, [isGone]);
  if (tags === null || tags.length === 0) return null;
  return (
    <div class="tag-filter" role="group" aria-label={transcripts.tags}>
      {tags.map(({ tag, count }) => (
        <Button small key={tag} pressed={tag === chosen} onClick={() => onChoose(tag === chosen ? null : tag)}>
          #{tag} <span class="muted tabular">{formatNumber(count)}</span>
        </Button>
      ))}
    </div>
  );
}
