import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import type { Player } from '#console/audio/player.ts';
import type { Beside } from './beside.tsx';
import type { EditedSegment, Editor } from './editor.ts';
import type { Finder } from './finder.ts';
import { beginsGroup } from './segments.ts';
import { SegmentRow, type Mode } from './segment-row.tsx';
import { watchVisibility } from './visibility.ts';

type GroupProps = {
  mode: Mode;
  withReadings: boolean;
  beside: Beside | null;
  /** The key of the segment that is heard; -1 while none is. */
  active: ReadonlySignal<number>;
  /** The key of the segment that was gone to; -1: none. */
  sought: ReadonlySignal<number>;
  editor: Editor;
  finder: Finder;
  player: Player | null;
};
type ListProps = GroupProps & { segments: readonly EditedSegment[] };

export const SegmentList = memo(function SegmentList({ segments, ...rest }: ListProps) {
  const last = useRef<readonly (readonly EditedSegment[])[]>([]);
  const groups = groupsOf(segments, last.current);
  last.current = groups;
  return (
    <div
      class={`segments ${rest.withReadings ? 'with-readings' : ''} ${rest.beside === null ? '' : 'with-translation'}`}
    >
      {groups.map((group, index) => (
        <Group key={group[0]?.key} {...rest} segments={group} isFirst={index === 0} />
      ))}
    </div>
  );
});

/**
 * Segments that become visible together: a browser that watches thousands scrolls slowly. Groups
 * that have the same segments as before are the same arrays.
 */
function groupsOf(
  segments: readonly EditedSegment[],
  before: readonly (readonly EditedSegment[])[],
): readonly (readonly EditedSegment[])[] {
  const groupsByLeader = new Map(before.map((group) => [group[0]?.key, group]));
  const groups: EditedSegment[][] = [];
  for (const segment of segments) {
    const open = groups.at(-1);
    if (open === undefined || beginsGroup(segment.key)) groups.push([segment]);
    else open.push(segment);
  }
  return groups.map((group) => {
    const earlier = groupsByLeader.get(group[0]?.key);
    const isSame = earlier?.length === group.length && group.every((segment, index) => segment === earlier[index]);
    return isSame ? earlier : group;
  });
}

const Group = memo(function Group({ segments, isFirst, ...rest }: ListProps & { isFirst: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const isNear = useSignal(isFirst);
  useEffect(() => (list.current === null ? undefined : watchVisibility(list.current, isNear)), []);
  return (
    <ol ref={list}>
      {segments.map((segment) => (
        <SegmentRow key={segment.key} {...rest} segment={segment} isNear={isNear} />
      ))}
    </ol>
  );
});
