import { createRecentSamples } from '#audio/recent-samples.ts';
import { createSoundFrames } from './sound-frames.ts';
import { createWebRtcSpeechDetector, type SpeechDetector } from './speech-detector.ts';
import type { GatedFrame } from './speech-gate.ts';
import { judgeWindows, spokenWindows, STRICT } from './spoken-windows.ts';
import { VAD_FRAME_SAMPLES } from './vad.ts';
import { VOICE_STEP_SAMPLES, type VoiceModel } from './voice-model.ts';

/**
 * Frames that are decided at a time: ten seconds at first, so that a result begins soon, then up to
 * a minute, because the voice model is faster on much sound.
 */
const FIRST_BLOCK_FRAMES = 500;
const BLOCK_FRAMES = 3_000;
/** Frames before and after them that are judged again, so that their windows are complete. */
const MARGIN_FRAMES = 100;
/**
 * Probability of the voice model at which a voice begins; it ends below half of it. It is low,
 * because a lost word costs more than noise.
 */
const BEGINS_AT = 0.3;
/** Share of the highest probability at which a voice begins that the model hears only weakly. */
const WEAK_SHARE = 0.5;
/** Share of the frames with a voice that WebRTC's detector has to find, or it is not used. */
const LEAST_HEARD_SHARE = 0.3;
/** Frames around a voice in which WebRTC's detector alone finds soft onsets and final stops. */
const AROUND_FRAMES = 35;

/**
 * Creates the detector for recordings. What WebRTC's detector or the voice model hears is speech
 * where windows of 1.5 s around it are speech (`spokenWindows`), as opposed to noise or music.
 * Decides up to a minute at a time.
 */
export async function createCheckedSpeechDetector(voiceOf: VoiceModel): Promise<SpeechDetector> {
  const candidates = await createWebRtcSpeechDetector({ withPitch: false });
  const sound = createRecentSamples();
  /** Frames from `firstFrame` on, of which those before `decidedFrame` are kept for comparison. */
  let held: GatedFrame[] = [];
  let firstFrame = 0;
  let decidedFrame = 0;

  const decideUntil = async (endFrame: number): Promise<GatedFrame[]> => {
    const lastFrame = firstFrame + held.length;
    const { samples } = sound.slice(firstFrame * VAD_FRAME_SAMPLES, lastFrame * VAD_FRAME_SAMPLES);
    const voice = await voiceOf(samples);
    const marks = markSpeech(held, samples, voice);
    const decided = held.slice(decidedFrame - firstFrame, endFrame - firstFrame).map((frame, i) => {
      const at = decidedFrame - firstFrame + i;
      return { ...frame, isSpeech: marks[at] === 1, periodicity: 1, voice: probabilityAt(voice, at) };
    });
    decidedFrame = endFrame;
    const keptFrame = Math.max(firstFrame, endFrame - MARGIN_FRAMES);
    held = held.slice(keptFrame - firstFrame);
    firstFrame = keptFrame;
    sound.discardBefore(firstFrame * VAD_FRAME_SAMPLES);
    return decided;
  };

  return {
    async push(samples) {
      sound.append(samples);
      held.push(...(await candidates.push(samples)));
      const endFrame = decidedFrame + Math.min(BLOCK_FRAMES, FIRST_BLOCK_FRAMES + decidedFrame);
      return firstFrame + held.length >= endFrame + MARGIN_FRAMES ? decideUntil(endFrame) : [];
    },
    async flush() {
      held.push(...(await candidates.flush()));
      const endFrame = firstFrame + held.length;
      return endFrame > decidedFrame ? decideUntil(endFrame) : [];
    },
    close: () => candidates.close(),
  };
}

/** Marks the frames with speech: 1 for each of them, else 0. */
function markSpeech(held: readonly GatedFrame[], samples: Float32Array, voice: Float32Array): Uint8Array {
  const marks = new Uint8Array(held.length);
  for (const { firstFrame, endFrame } of spokenWindows(judgeWindows(createSoundFrames(samples), voice), STRICT)) {
    const voiced = voicedFrames(voice, firstFrame, Math.min(endFrame, held.length));
    const heard = voiced.filter((frame) => held[frame]!.isSpeech);
    for (const frame of voiced) {
      const last = Math.min(held.length - 1, frame + AROUND_FRAMES);
      for (let near = Math.max(0, frame - AROUND_FRAMES); near <= last; near += 1) {
        if (held[near]!.isSpeech) marks[near] = 1;
      }
    }
    // In loud noise WebRTC's detector misses a voice that the model hears.
    if (heard.length < LEAST_HEARD_SHARE * voiced.length) for (const frame of voiced) marks[frame] = 1;
  }
  return marks;
}

/** Returns the frames of a window in which the model hears a voice, with hysteresis. */
function voicedFrames(voice: Float32Array, firstFrame: number, endFrame: number): number[] {
  const frames = Array.from({ length: endFrame - firstFrame }, (_, i) => firstFrame + i);
  const beginsAt = Math.min(BEGINS_AT, WEAK_SHARE * Math.max(...frames.map((frame) => probabilityAt(voice, frame))));
  let isVoice = false;
  return frames.filter((frame) => {
    isVoice = probabilityAt(voice, frame) >= (isVoice ? beginsAt / 2 : beginsAt);
    return isVoice;
  });
}

/** The probability in the middle of a frame. */
function probabilityAt(voice: Float32Array, frame: number): number {
  const step = Math.floor(((frame + 0.5) * VAD_FRAME_SAMPLES) / VOICE_STEP_SAMPLES);
  return voice[Math.min(step, voice.length - 1)] ?? 0;
}
