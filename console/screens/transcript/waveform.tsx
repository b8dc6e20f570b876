import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '#console/core/preferences.ts';
import { formatTime, text } from '#console/core/text.ts';
import type { Peaks } from '#console/audio/peaks.ts';
import type { Player } from '#console/audio/player.ts';
import type { EditedSegment, Editor } from './editor.ts';

const BAR = 3;
const LANE = 6;
const SPEAKER_COLOURS = 6;
const STEP_SECONDS = 5;
const AFTER_EDIT_MS = 400;

/** The loudness of a recording, with the speakers as lanes below. A click moves the sound. */
export function Waveform({
  peaks: measured,
  player,
  editor,
}: {
  peaks: ReadonlySignal<Peaks | null>;
  player: Player;
  editor: Editor;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useSignal(0);
  const peaks = measured.value;
  const { duration } = editor;
  const { segments } = editor.content.value;
  const speakers = editor.labels.value;
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => (width.value = entry?.contentRect.width ?? 0));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const drawnSegments = useRef<readonly EditedSegment[]>([]);
  useEffect(() => {
    const drawNow = () => {
      if (canvas.current !== null) draw(canvas.current, { peaks, segments, speakers, duration });
      drawnSegments.current = segments;
    };
    // Thousands of segments take long to draw, which must not hold up those who edit them.
    const isEdit = drawnSegments.current !== segments && drawnSegments.current.length > 0;
    const timer = setTimeout(drawNow, isEdit ? AFTER_EDIT_MS : 0);
    return () => clearTimeout(timer);
  }, [width.value, peaks, segments, duration, theme.value]);
  const time = player.time.value;
  const moveTo = ({ clientX, currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    const { left, width: whole } = currentTarget.getBoundingClientRect();
    player.seek(((clientX - left) / whole) * duration);
  };
  return (
    <div
      class="waveform"
      role="slider"
      tabIndex={0}
      aria-label={text().transcript.position}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={formatTime(time)}
      onClick={moveTo}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP_SECONDS, ArrowRight: STEP_SECONDS }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        player.seek(time + step);
      }}
    >
      <canvas ref={canvas} />
      <span class="playhead" style={{ left: `${duration === 0 ? 0 : (time / duration) * 100}%` }} />
    </div>
  );
}

function draw(
  canvas: HTMLCanvasElement,
  {
    peaks,
    segments,
    speakers,
    duration,
  }: { peaks: Peaks | null; segments: readonly EditedSegment[]; speakers: readonly string[]; duration: number },
): void {
  const { clientWidth, clientHeight } = canvas;
  const scale = devicePixelRatio;
  canvas.width = clientWidth * scale;
  canvas.height = clientHeight * scale;
  const context = canvas.getContext('2d');
  if (context === null || duration === 0) return;
  context.scale(scale, scale);
  const lanes = Math.max(1, speakers.length) * LANE;
  const waveHeight = clientHeight - lanes - 4;
  context.fillStyle = resolvedColour(canvas, '--line-strong');
  if (peaks !== null) {
    for (let x = 0; x < clientWidth; x += BAR) {
      const from = Math.floor((x / clientWidth) * duration * peaks.perSecond);
      const to = Math.max(from + 1, Math.floor(((x + BAR) / clientWidth) * duration * peaks.perSecond));
      const peak = peaks.values.subarray(from, to).reduce((most, value) => Math.max(most, value), 0);
      const height = Math.max(2, (peak / 255) * waveHeight);
      context.fillRect(x, (waveHeight - height) / 2, BAR - 1, height);
    }
  }
  const colours = Array.from({ length: SPEAKER_COLOURS }, (_, index) => resolvedColour(canvas, `--speaker-${index}`));
  for (const { start, end, speaker } of segments) {
    const lane = Math.max(0, speakers.indexOf(speaker ?? ''));
    context.fillStyle = colours[lane % SPEAKER_COLOURS] ?? '';
    const x = (start / duration) * clientWidth;
    context.fillRect(x, waveHeight + 4 + lane * LANE, Math.max(1, ((end - start) / duration) * clientWidth), LANE - 2);
  }
}

/**
 * Resolves a colour for a canvas, which knows neither variables nor `light-dark()`. Each call
 * styles the element again.
 */
function resolvedColour(canvas: HTMLElement, name: string): string {
  canvas.style.color = `var(${name})`;
  return getComputedStyle(canvas).color;
}
