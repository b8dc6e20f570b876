/** Frame length of speaker activity. Frame `i` is the time around `i × SPEAKER_FRAME_MS`. */
export const SPEAKER_FRAME_MS = 20;

/** Probabilities, 0..1, of speech and of overlapping speech in a frame. */
type FrameActivity = { speech: number; overlap: number };

/**
 * Activity of every 20 ms frame of a recording: two bytes each, 360 kB per hour. Frames that were
 * never set are silent.
 */
export type ActivityTrack = {
  set(frame: number, activity: FrameActivity): void;
  speechAt(frame: number): number;
  overlapAt(frame: number): number;
  /** Returns one more than the last frame that was set. */
  length(): number;
};

export function createActivityTrack(): ActivityTrack {
  let speech = new Uint8Array(4_096);
  let overlap = new Uint8Array(4_096);
  let length = 0;
  return {
    set(frame, activity) {
      if (frame >= speech.length) {
        speech = grown(speech, frame + 1);
        overlap = grown(overlap, frame + 1);
      }
      speech[frame] = Math.round(255 * Math.min(1, Math.max(0, activity.speech)));
      overlap[frame] = Math.round(255 * Math.min(1, Math.max(0, activity.overlap)));
      length = Math.max(length, frame + 1);
    },
    speechAt: (frame) => (speech[frame] ?? 0) / 255,
    overlapAt: (frame) => (overlap[frame] ?? 0) / 255,
    length: () => length,
  };
}

/** Copies bytes into a larger array. */
function grown(bytes: Uint8Array<ArrayBuffer>, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(atLeast, bytes.length * 2));
  larger.set(bytes);
  return larger;
}

/** A range of frames and the voice embedding in it, a unit vector. */
export type VoiceWindow = { fromFrame: number; toFrame: number; voice: Float32Array };
