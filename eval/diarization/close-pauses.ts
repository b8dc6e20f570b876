import type { Turn } from './diarization-error.ts';

/**
 * Joins turns of one speaker with pauses of up to `pauseMs` between them. References differ in this
 * convention: simulated conversations end a turn at a pause of 200 ms, those of AMI at 0.8 s.
 */
export function closePauses(turns: readonly Turn[], pauseMs: number): Turn[] {
  const closed: Turn[] = [];
  const open = new Map<Turn['speaker'], Turn>();
  for (const turn of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = open.get(turn.speaker);
    if (last !== undefined && turn.startMs - last.endMs <= pauseMs) last.endMs = Math.max(last.endMs, turn.endMs);
    else {
      const next = { ...turn };
      open.set(turn.speaker, next);
      closed.push(next);
    }
  }
  return closed;
}
