import type { ReadonlySignal } from '@preact/signals';
import { formatTime, text } from '#console/core/text.ts';
import type { EditedSegment, Editor } from './editor.ts';
import type { Finder } from './finder.ts';
import { MarkedText } from './marked-text.tsx';
import { mergeWithPrevious, moveBorder, splitAt, type Rearranged } from './segments.ts';

type SegmentTextProps = {
  segment: EditedSegment;
  editor: Editor;
  finder: Finder;
  isNear: ReadonlySignal<boolean>;
};

/** The text of a segment as a field, with the keys that split and join segments. */
export function SegmentText({ segment, editor, finder, isNear }: SegmentTextProps) {
  const { key } = segment;
  const press = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    // Enter and Backspace belong to the input method while it composes a character.
    if (event.isComposing) return;
    const change = changeOf(event, event.currentTarget, segment, editor);
    if (change === null) return;
    event.preventDefault();
    rearrange(editor, change(), key);
  };
  return (
    <div class="segment-field">
      <MarkedText segment={segment} finder={finder} isNear={isNear} />
      <textarea
        class="segment-text"
        id={`segment-${key}`}
        rows={Math.max(1, Math.ceil(segment.text.length / 44))}
        lang="zh-HK"
        dir="auto"
        aria-label={text().transcript.textAt(formatTime(segment.start))}
        value={segment.text}
        onKeyDown={press}
        onBlur={({ currentTarget }) => (editor.cursor = { key, from: currentTarget.selectionStart })}
        onInput={({ currentTarget }) =>
          editor.changeSegment(key, { text: currentTarget.value.replaceAll('\n', ' ') }, 'text')
        }
      />
    </div>
  );
}

/** The change that a key makes at the cursor; null for keys that the field handles itself. */
function changeOf(
  { key: pressed, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  { selectionStart: from, selectionEnd: to, value }: HTMLTextAreaElement,
  { key }: EditedSegment,
  editor: Editor,
): (() => Rearranged | null) | null {
  const { segments } = editor.content.value;
  const withControl = ctrlKey || metaKey;
  if (withControl && shiftKey && pressed === 'ArrowUp') return () => moveBorder(segments, key, from, 'previous');
  if (withControl && shiftKey && pressed === 'ArrowDown') return () => moveBorder(segments, key, from, 'next');
  if (withControl || altKey) return null;
  if (pressed === 'Enter') return () => splitAt(segments, key, from);
  if (from !== to) return null;
  if (pressed === 'Backspace' && from === 0) return () => mergeWithPrevious(segments, key);
  if (pressed !== 'Delete' || from !== value.length) return null;
  return () => {
    const next = segments[segments.findIndex((segment) => segment.key === key) + 1];
    return next === undefined ? null : mergeWithPrevious(segments, next.key);
  };
}

/** Shows segments that were split, joined or deleted, and puts the cursor where it belongs. */
export function rearrange(editor: Editor, next: Rearranged | null, of: number): void {
  if (next === null) return;
  // Each is a step of undo of its own.
  editor.change({ segments: next.segments }, `rearrange ${of} ${performance.now()}`);
  focusText(next.key, next.caret);
}

/** Moves the focus into the text of a segment, once it is drawn; selects up to `to`. */
export function focusText(key: number, from: number, to = from): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>(`#segment-${key}`);
    if (field === null) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(from, to);
    field.scrollIntoView({ block: 'nearest' });
  });
}
