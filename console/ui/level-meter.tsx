import { text } from '#console/core/text.ts';
import './level-meter.css';

/** A recognizer hears little of sound below this level. */
const QUIET_BELOW = 0.06;

/** The loudness of the microphone, and what to do about it. */
export function LevelMeter({ level, isClipped }: { level: number; isClipped: boolean }) {
  const { transcribe } = text();
  const verdict = isClipped ? 'clipped' : level < QUIET_BELOW ? 'quiet' : 'good';
  const advice = { clipped: transcribe.levelClipped, quiet: transcribe.levelQuiet, good: transcribe.levelGood };
  // The meter shows decibels, as ears hear: 60 dB fill it.
  const fraction = level <= 0 ? 0 : Math.max(0, 1 + (20 * Math.log10(level)) / 60);
  return (
    <div class={`level ${verdict}`}>
      <div class="level-bar" aria-hidden="true">
        <span style={{ transform: `scaleX(${fraction})` }} />
      </div>
      <span class="small-text" aria-live="polite">
        {advice[verdict]}
      </span>
    </div>
  );
}
