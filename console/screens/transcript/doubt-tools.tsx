import { useComputed } from '@preact/signals';
import { text } from '#console/core/text.ts';
import { IconButton } from '#console/ui/button.tsx';
import { doubtsOf } from './doubts.ts';
import type { Editor } from './editor.ts';

/** Says what the shades mean, how much is uncertain, and goes from one such place to the next. */
export function DoubtTools({ editor, onGo }: { editor: Editor; onGo: (step: 1 | -1) => void }) {
  const { doubts } = text().transcript;
  const count = useComputed(() =>
    editor.content.value.segments.reduce((sum, segment) => sum + doubtsOf(segment).length, 0),
  );
  if (count.value === 0) return null;
  return (
    <div class="row doubt-tools small-text" role="group" aria-label={doubts.label}>
      <mark class="doubt">{doubts.some}</mark>
      <mark class="doubt much">{doubts.much}</mark>
      <span class="muted tabular">{doubts.count(count.value)}</span>
      <IconButton icon="up" label={doubts.previous} onClick={() => onGo(-1)} />
      <IconButton icon="down" label={doubts.next} onClick={() => onGo(1)} />
    </div>
  );
}
