import type { ReadonlySignal } from '@preact/signals';
import { doubtsOf } from './doubts.ts';
import type { EditedSegment } from './editor.ts';
import { matchesIn, type Finder } from './finder.ts';

type Mark = { from: number; to: number; kind: string };

/**
 * The text behind a field, which cannot mark parts of its own text: uncertain characters and the
 * places of the search. It has the same letters at the same places, and is not read out.
 */
export function MarkedText({
  segment,
  finder,
  isNear,
}: {
  segment: EditedSegment;
  finder: Finder;
  isNear: ReadonlySignal<boolean>;
}) {
  if (!isNear.value) return null;
  const { text, key } = segment;
  const query = finder.query.value;
  const current = finder.current.value;
  const matches = query === '' ? [] : matchesIn(segment, query);
  const found = matches.map((match): Mark => {
    const isCurrent = current?.key === key && current.from === match.from;
    return { ...match, kind: isCurrent ? 'found current' : 'found' };
  });
  const marks = found.length > 0 ? found : doubtsOf(segment);
  if (marks.length === 0) return null;
  const parts = [];
  let at = 0;
  for (const { from, to, kind } of marks) {
    parts.push(text.slice(at, from), <mark class={kind}>{text.slice(from, to)}</mark>);
    at = to;
  }
  parts.push(text.slice(at));
  return (
    <div class="segment-marks" aria-hidden="true" lang="zh-HK" dir="auto">
      {parts}
    </div>
  );
}
