import { describe, expect, it } from 'vitest';
import { createSpeechGate } from './speech-gate.ts';
import { VAD_FRAME_MS, type VadFrame } from './vad.ts';

const frame = (levelDb: number, isVoice: boolean): VadFrame => ({ levelDb, isVoice, periodicity: isVoice ? 0.9 : 0.1 });
const QUIET = frame(-70, false);
const SPEECH = frame(-20, true);

const times = (vadFrame: VadFrame, ms: number) => Array<VadFrame>(ms / VAD_FRAME_MS).fill(vadFrame);

/** Writes the decisions as text, one character for each vadFrame: `.` silence, `S` speech. */
function decisions(frames: readonly VadFrame[]): string {
  const gate = createSpeechGate();
  const decided = [...frames.flatMap((vadFrame) => gate.push(vadFrame)), ...gate.flush()];
  return decided.map(({ isSpeech }) => (isSpeech ? 'S' : '.')).join('');
}

describe('the speech gate', () => {
  it('decides each frame once and in order', () => {
    for (const ms of [0, VAD_FRAME_MS, 600, 3_000]) {
      const frames = times(QUIET, ms).map((vadFrame, index) => ({ ...vadFrame, periodicity: index / 1_000 }));
      const gate = createSpeechGate();
      const decided = [...frames.flatMap((vadFrame) => gate.push(vadFrame)), ...gate.flush()];
      expect(decided.map(({ periodicity }) => periodicity)).toEqual(frames.map(({ periodicity }) => periodicity));
    }
  });

  it('passes speech above silence', () => {
    const decided = decisions([...times(QUIET, 1_000), ...times(SPEECH, 1_000), ...times(QUIET, 1_000)]);
    expect(decided).toBe(
      '.'.repeat(1_000 / VAD_FRAME_MS) + 'S'.repeat(1_000 / VAD_FRAME_MS) + '.'.repeat(1_000 / VAD_FRAME_MS),
    );
  });

  it('closes for what the detector takes for a voice but is as loud as the background', () => {
    const hiss = times(frame(-40, false), 2_000);
    expect(decisions([...hiss, ...times(frame(-37, true), 500), ...hiss])).not.toContain('S');
    expect(decisions([...hiss, ...times(frame(-30, true), 500), ...hiss])).toContain('S');
  });

  it('closes below the level of any speech', () => {
    expect(decisions([...times(frame(-90, false), 1_000), ...times(frame(-65, true), 1_000)])).not.toContain('S');
  });

  it('hears speech that fills the whole recording, which is no background', () => {
    expect(decisions(times(SPEECH, 2_000))).toBe('S'.repeat(2_000 / VAD_FRAME_MS));
  });

  it('a single odd frame changes nothing', () => {
    const before = times(SPEECH, 500);
    expect(decisions([...before, frame(-20, false), ...before])).not.toContain('.');
    const silence = times(QUIET, 500);
    expect(decisions([...silence, SPEECH, ...silence])).not.toContain('S');
  });

  it('follows a background that becomes louder', () => {
    const quiet = [...times(frame(-60, false), 2_000), ...times(frame(-50, true), 500)];
    expect(decisions(quiet)).toContain('S');
    const loud = [...times(frame(-60, false), 2_000), ...times(frame(-50, true), 8_000)];
    // After four seconds at one level, that level is the background.
    expect(decisions(loud).slice(-100)).not.toContain('S');
  });
});
