import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatTime, text } from '#console/core/text.ts';
import type { EditedSegment, Editor } from './editor.ts';
import { faultOfTimes, formatExactTime, parseTime } from './times.ts';

/** One press of an arrow key moves a time by this much. */
const STEP_SECONDS = 0.1;

type Edge = 'start' | 'end';
const EDGES: readonly Edge[] = ['start', 'end'];

/**
 * Edits the times of a segment. A time that overlaps another segment stays in its field and is not
 * saved.
 */
export function TimeFields({ segment, editor }: { segment: EditedSegment; editor: Editor }) {
  const { transcript } = text();
  const id = useId();
  /** Text in a field that is no time of the segment. */
  const refused = useSignal<{ edge: Edge; typed: string; fault: string } | null>(null);
  const faultFor = (times: EditedSegment): string | null => {
    const { segments } = editor.content.peek();
    const index = segments.findIndex(({ key }) => key === segment.key);
    const fault = faultOfTimes(segments, index, times, editor.duration);
    return fault === null ? null : transcript.timeFaults[fault.kind](formatExactTime(fault.at));
  };
  const take = (edge: Edge, typed: string) => {
    const seconds = parseTime(typed);
    const fault = seconds === null ? transcript.timeFaults.notATime : faultFor({ ...segment, [edge]: seconds });
    refused.value = fault === null ? null : { edge, typed, fault };
    if (fault !== null || seconds === segment[edge]) return;
    // Each saved time is a step of undo of its own.
    editor.changeSegment(segment.key, { [edge]: seconds }, `${edge} ${seconds}`);
  };
  return (
    <div class="times">
      {EDGES.map((edge) => {
        const isRefused = refused.value?.edge === edge;
        const shown = isRefused ? (refused.value?.typed ?? '') : formatExactTime(segment[edge]);
        return (
          <input
            key={edge}
            class="tabular"
            inputMode="decimal"
            size={8}
            aria-label={transcript.timeOf[edge](formatTime(segment.start))}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? id : undefined}
            value={shown}
            onChange={({ currentTarget }) => take(edge, currentTarget.value)}
            onKeyDown={(event) => {
              const step = { ArrowUp: STEP_SECONDS, ArrowDown: -STEP_SECONDS }[event.key];
              const seconds = parseTime(event.currentTarget.value);
              if (step === undefined || seconds === null) return;
              event.preventDefault();
              take(edge, formatExactTime(Math.max(0, seconds + step)));
            }}
          />
        );
      })}
      {refused.value === null ? null : (
        <p id={id} class="fault" role="alert">
          {refused.value.fault}
        </p>
      )}
    </div>
  );
}
