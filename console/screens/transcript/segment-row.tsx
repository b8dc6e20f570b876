import type { ReadonlySignal } from '@preact/signals';
import { useComputed, useSignalEffect } from '@preact/signals';
import { memo } from 'preact/compat';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { Player } from '#console/audio/player.ts';
import { formatPercent, formatTime, text } from '#console/core/text.ts';
import { TAGS, type Beside } from './beside.tsx';
import { correctionOf, hideCorrection, showCorrection } from './correction-note.tsx';
import { doubtOf } from './doubts.ts';
import type { EditedSegment, Editor } from './editor.ts';
import type { Finder } from './finder.ts';
import { pieceAt, piecesOf, type Piece } from './pieces.ts';
import { MenuButton } from './segment-menu.tsx';
import { SegmentText } from './segment-text.tsx';
import { TimeFields } from './time-fields.tsx';
import { speakerClass, speakerName } from './speakers.tsx';

export type Mode = 'listen' | 'edit';

type RowProps = {
  /** Tells whether the part of the list with this row is near the visible part of the page. */
  isNear: ReadonlySignal<boolean>;
  segment: EditedSegment;
  mode: Mode;
  withReadings: boolean;
  beside: Beside | null;
  active: ReadonlySignal<number>;
  sought: ReadonlySignal<number>;
  editor: Editor;
  finder: Finder;
  player: Player | null;
};

/** Shows one segment, whose characters exist only while it is near the visible part of the page. */
export const SegmentRow = memo(function SegmentRow(props: RowProps) {
  const { isNear, segment, mode, active, sought, editor, finder, player, beside } = props;
  const row = useRef<HTMLLIElement>(null);
  const isActive = useComputed(() => active.value === segment.key);
  const isSought = useComputed(() => sought.value === segment.key);
  useSignalEffect(() => {
    if (isActive.value && player?.isPlaying.peek() === true) {
      row.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    }
  });
  const { transcript } = text();
  return (
    <li
      ref={row}
      id={`row-${segment.key}`}
      class={`segment ${mode} ${isActive.value || isSought.value ? 'active' : ''} ${speakerClass(segment.speaker)}`}
    >
      <div class="segment-head">
        <button
          type="button"
          class="time tabular"
          disabled={player === null}
          aria-label={transcript.playFrom(formatTime(segment.start))}
          onClick={() => player?.playFrom(segment.start)}
        >
          {formatTime(segment.start)}
        </button>
        <Speaker segment={segment} editor={editor} mode={mode} />
      </div>
      {mode === 'edit' ? (
        <SegmentText segment={segment} editor={editor} finder={finder} isNear={isNear} />
      ) : isNear.value ? (
        <Pieces {...props} isActive={isActive} />
      ) : (
        <p lang="zh-HK">{segment.text}</p>
      )}
      {beside === null ? null : (
        <p class="translation" lang={TAGS[beside.language]} dir="auto">
          {beside.texts.get(segment.key) ?? ''}
        </p>
      )}
      {mode === 'edit' && isNear.value ? (
        <div class="segment-tools">
          <TimeFields segment={segment} editor={editor} />
          <MenuButton of={segment.key} label={transcript.change.label(formatTime(segment.start))} />
        </div>
      ) : null}
    </li>
  );
});

function Speaker({ segment, editor, mode }: { segment: EditedSegment; editor: Editor; mode: Mode }) {
  const { transcript } = text();
  const speakers = editor.names.value;
  const { speaker } = segment;
  if (mode === 'listen') {
    return speaker === null ? null : (
      <span class="speaker" dir="auto">
        {speakerName(speaker, speakers)}
      </span>
    );
  }
  const labels = editor.labels.value;
  if (labels.length === 0) return null;
  return (
    <select
      class="speaker"
      aria-label={transcript.speakerOf(formatTime(segment.start))}
      value={speaker ?? ''}
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        editor.changeSegment(segment.key, { speaker: value === '' ? null : value }, 'speaker');
      }}
    >
      {[...labels, nextLabel(labels)].map((label) => (
        <option key={label} value={label}>
          {speakerName(label, speakers)}
        </option>
      ))}
      <option value="">{transcript.noSpeaker}</option>
    </select>
  );
}

function nextLabel(labels: readonly string[]): string {
  const last = Math.max(...labels.map((label) => Number(label.replace(/^\D+/, ''))));
  return `SPEAKER_${String(last + 1).padStart(2, '0')}`;
}

function Pieces({ segment, player, withReadings, isActive }: RowProps & { isActive: ReadonlySignal<boolean> }) {
  const pieces = useMemo(() => piecesOf(segment), [segment]);
  const saidIndex = useComputed(() =>
    isActive.value && player !== null ? pieceAt(pieces, player.time.value + 0.01) : -1,
  );
  return (
    <p lang="zh-HK" dir="auto">
      {pieces.map((piece, index) => (
        <PieceView
          key={index}
          piece={piece}
          isSaid={saidIndex.value === index}
          withReading={withReadings}
          onPlay={player === null || piece.start === null ? null : () => player.playFrom(piece.start ?? 0)}
        />
      ))}
    </p>
  );
}

type PieceProps = { piece: Piece; isSaid: boolean; withReading: boolean; onPlay: (() => void) | null };

function PieceView({ piece, isSaid, withReading, onPlay }: PieceProps) {
  const id = useId();
  const { text: shown, confidence, reading, start } = piece;
  if (start === null) return <>{shown}</>;
  const spoken = `piece ${doubtOf(piece) ?? ''} ${isSaid ? 'said' : ''}`;
  const written =
    withReading && reading !== null ? (
      <ruby>
        {shown}
        <rt lang="yue-Latn">{reading}</rt>
      </ruby>
    ) : (
      shown
    );
  const correction = correctionOf(piece);
  if (correction === null) {
    const facts = [reading, confidence === null ? null : text().transcript.sure(formatPercent(confidence))];
    return (
      <span class={spoken} title={facts.filter((fact) => fact !== null).join(' · ')} onClick={onPlay ?? undefined}>
        {written}
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        class={`${spoken} corrected`}
        aria-describedby={id}
        onClick={onPlay ?? undefined}
        onPointerEnter={({ currentTarget }) => showCorrection(currentTarget, correction)}
        onPointerLeave={hideCorrection}
        onFocus={({ currentTarget }) => showCorrection(currentTarget, correction)}
        onBlur={hideCorrection}
        onKeyDown={({ key }) => {
          if (key === 'Escape') hideCorrection();
        }}
      >
        {written}
      </button>
      <span id={id} hidden>
        {correction}
      </span>
    </>
  );
}
