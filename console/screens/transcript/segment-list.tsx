import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import type { Player } from '#console/audio/player.ts';
import type { EditedSegment, Editor } from './editor.ts';
import { SegmentRow, type Mode } from './segment-row.tsx';
import { watchVisibility } from './visibility.ts';

/** Segments that become visible together: a browser that watches thousands scrolls slowly. */
const GROUP = 40;

type ListProps = {
  segments: readonly EditedSegment[];
  mode: Mode;
  withReadings: boolean;
  active: ReadonlySignal<number>;
  editor: Editor;
  player: Player | null;
};

export const SegmentList = memo(function SegmentList(props: ListProps) {
  const { segments, withReadings } = props;
  const starts = Array.from({ length: Math.ceil(segments.length / GROUP) }, (_, index) => index * GROUP);
  return (
    <div class={`segments ${withReadings ? 'with-readings' : ''}`}>
      {starts.map((start) => (
        <Group key={start} {...props} start={start} />
      ))}
    </div>
  );
});

function Group({ start, segments, ...rest }: ListProps & { start: number }) {
  const list = useRef<HTMLOListElement>(null);
  const isNear = useSignal(start === 0);
  useEffect(() => (list.current === null ? undefined : watchVisibility(list.current, isNear)), []);
  return (
    <ol ref={list} start={start + 1}>
      {segments.slice(start, start + GROUP).map((segment, index) => (
        <SegmentRow key={segment.key} {...rest} index={start + index} segment={segment} isNear={isNear} />
      ))}
    </ol>
  );
}
