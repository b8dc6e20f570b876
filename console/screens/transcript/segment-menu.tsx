import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import { IconButton } from '#console/ui/button.tsx';
import type { Editor } from './editor.ts';
import { rearrange } from './segment-text.tsx';
import { mergeWithPrevious, moveBorder, splitAt, withoutSegment, type Rearranged } from './segments.ts';

const WIDTH_PX = 260;
const MARGIN_PX = 8;
/** A menu with less room than this below its button stands above it. */
const LEAST_ROOM_PX = 260;

/** The open menu: the segment that it changes, and its button. */
const opened = signal<{ key: number; button: HTMLElement } | null>(null);

export function MenuButton({ of: key, label }: { of: number; label: string }) {
  return (
    <span class="menu-button">
      <IconButton
        icon="more"
        label={label}
        onClick={({ currentTarget }) => {
          if (currentTarget instanceof HTMLElement) opened.value = { key, button: currentTarget };
        }}
      />
    </span>
  );
}

/** Offers what can be done with a segment; the arrow keys choose, Escape closes. */
export function SegmentMenu({ editor }: { editor: Editor }) {
  const list = useRef<HTMLDivElement>(null);
  const { value } = opened;
  useEffect(() => () => void (opened.value = null), []);
  // Before the next key, which would otherwise go to the button behind the menu.
  useLayoutEffect(() => list.current?.querySelector<HTMLElement>('button:enabled')?.focus(), [value]);
  if (value === null) return null;
  const { key, button } = value;
  const close = () => {
    opened.value = null;
    button.focus();
  };
  const { left, top, bottom } = button.getBoundingClientRect();
  const isBelow = innerHeight - bottom >= LEAST_ROOM_PX;
  return (
    <>
      <div class="menu-veil" onClick={close} />
      <div
        ref={list}
        class="segment-menu"
        role="menu"
        style={{
          left: `${Math.max(MARGIN_PX, Math.min(left, innerWidth - WIDTH_PX - MARGIN_PX))}px`,
          ...(isBelow ? { top: `${bottom + 4}px` } : { bottom: `${innerHeight - top + 4}px` }),
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Tab') close();
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')];
          const at = items.findIndex((item) => item === document.activeElement);
          items[(at + step + items.length) % items.length]?.focus();
        }}
      >
        {choicesFor(editor, key).map(({ label, keys, next }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            disabled={next === null}
            onClick={() => {
              opened.value = null;
              rearrange(editor, next, key);
            }}
          >
            <span>{label}</span>
            {keys === '' ? null : <kbd>{keys}</kbd>}
          </button>
        ))}
      </div>
    </>
  );
}

/** Returns the choices with what each would make; null where it cannot be done. */
function choicesFor(editor: Editor, key: number): { label: string; keys: string; next: Rearranged | null }[] {
  const { change } = text().transcript;
  const { segments } = editor.content.value;
  const from = editor.cursor.key === key ? editor.cursor.from : 0;
  const following = segments[segments.findIndex((segment) => segment.key === key) + 1];
  return [
    { label: change.split, keys: 'Enter', next: splitAt(segments, key, from) },
    { label: change.mergePrevious, keys: '⌫', next: mergeWithPrevious(segments, key) },
    {
      label: change.mergeNext,
      keys: 'Del',
      next: following === undefined ? null : mergeWithPrevious(segments, following.key),
    },
    { label: change.toPrevious, keys: 'Ctrl+⇧+↑', next: moveBorder(segments, key, from, 'previous') },
    { label: change.toNext, keys: 'Ctrl+⇧+↓', next: moveBorder(segments, key, from, 'next') },
    { label: change.remove, keys: '', next: withoutSegment(segments, key) },
  ];
}
