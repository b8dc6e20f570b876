import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import type { Piece } from './pieces.ts';

type Shown = { of: HTMLElement; note: string };

const WIDTH_PX = 300;
const MARGIN_PX = 8;
/** A note with less room than this below its character stands above it. */
const LEAST_ROOM_PX = 140;

const shown = signal<Shown | null>(null);

export function showCorrection(of: HTMLElement, note: string): void {
  shown.value = { of, note };
}

export function hideCorrection(): void {
  shown.value = null;
}

/** Says what fusion changed at a piece, and why; null when it changed nothing. */
export function correctionOf({ text: changed, corrected, reading }: Piece): string | null {
  if (corrected === null) return null;
  const { correction } = text().transcript;
  const { from, term } = corrected;
  return [
    correction.change(from, reading === null ? changed : `${changed} ${reading}`),
    term === null ? correction.sound : correction.term(term),
  ].join(' ');
}

/**
 * The correction at the character that has the pointer or the focus. It stands outside of the list,
 * which cuts off what is larger than its parts; screen readers get it from the character itself.
 */
export function CorrectionNote() {
  const round = useSignal(0);
  useEffect(() => {
    const move = () => void (round.value += 1);
    addEventListener('scroll', move, { capture: true, passive: true });
    return () => {
      removeEventListener('scroll', move, { capture: true });
      hideCorrection();
    };
  }, []);
  void round.value;
  if (shown.value === null) return null;
  const { of, note } = shown.value;
  const { left, top, bottom } = of.getBoundingClientRect();
  const isBelow = innerHeight - bottom >= LEAST_ROOM_PX;
  return (
    <div
      class="correction-note"
      aria-hidden="true"
      style={{
        left: `${Math.max(MARGIN_PX, Math.min(left, innerWidth - WIDTH_PX - MARGIN_PX))}px`,
        ...(isBelow ? { top: `${bottom + MARGIN_PX}px` } : { bottom: `${innerHeight - top + MARGIN_PX}px` }),
      }}
    >
      {note}
    </div>
  );
}
