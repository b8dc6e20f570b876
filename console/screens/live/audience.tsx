import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import { Button, IconButton } from '#console/ui/button.tsx';

const SIZES = [1, 2, 3, 4, 5] as const;
const SHOWN_LINES = 12;

/** Shows the captions, of which the last one is always in view. */
export function CaptionText({ lines, openLine }: { lines: readonly string[]; openLine: string }) {
  const { live } = text();
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [lines, openLine]);
  return (
    <div class="captions" role="log" aria-label={live.captions} tabIndex={0}>
      {lines.map((line, index) => (
        <p key={index} dir="auto">
          {line}
        </p>
      ))}
      <p ref={end} class="open" dir="auto" aria-hidden="true">
        {openLine === '' && lines.length === 0 ? live.none : openLine}
      </p>
    </div>
  );
}

/** Shows nothing but captions, in letters that people read from afar. */
export function Audience({
  lines,
  openLine,
  onClose,
}: {
  lines: readonly string[];
  openLine: string;
  onClose: () => void;
}) {
  const { live, common } = text();
  const size = useSignal(3);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  const resize = (by: number) => (size.value = Math.min(SIZES.length, Math.max(1, size.value + by)));
  return (
    <dialog ref={dialog} class={`audience size-${size.value}`} aria-label={live.audience} onClose={onClose}>
      <div class="row audience-bar">
        <Button small label={live.smaller} disabled={size.value === 1} onClick={() => resize(-1)}>
          A−
        </Button>
        <Button small label={live.larger} disabled={size.value === SIZES.length} onClick={() => resize(1)}>
          A+
        </Button>
        <IconButton icon="close" label={common.close} onClick={onClose} />
      </div>
      <CaptionText lines={lines.slice(-SHOWN_LINES)} openLine={openLine} />
    </dialog>
  );
}
