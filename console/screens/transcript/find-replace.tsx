import { useSignal } from '@preact/signals';
import { formatNumber, text } from '#console/core/text.ts';
import { notify } from '#console/core/notices.ts';
import { Button } from '#console/ui/button.tsx';
import type { Editor } from './editor.ts';

/** Replaces a text in all segments at once; one step of undo. */
export function FindReplace({ editor }: { editor: Editor }) {
  const { transcript } = text();
  const wanted = useSignal('');
  const replacement = useSignal('');
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
    </form>
  );
}
