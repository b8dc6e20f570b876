import { signal, type Signal } from '@preact/signals';

export type Player = {
  readonly time: Signal<number>;
  readonly duration: Signal<number>;
  readonly isPlaying: Signal<boolean>;
  readonly rate: Signal<number>;
  toggle(): void;
  /** Moves to a time and plays from there. */
  playFrom(seconds: number): void;
  seek(seconds: number): void;
  setRate(rate: number): void;
  close(): void;
};

/**
 * The sound of a transcript, which is loaded after the text, as it may have hundreds of megabytes.
 */
export type Sound = Player | 'loading' | 'none' | 'failed';

/** Plays a recording; `time` follows it with every frame. */
export function createPlayer(recording: Blob): Player {
  const url = URL.createObjectURL(recording);
  const sound = new Audio(url);
  sound.preservesPitch = true;
  const [time, duration, isPlaying, rate] = [signal(0), signal(0), signal(false), signal(1)];
  let frame = 0;
  const follow = () => {
    time.value = sound.currentTime;
    frame = requestAnimationFrame(follow);
  };
  sound.addEventListener('durationchange', () => {
    if (Number.isFinite(sound.duration)) duration.value = sound.duration;
  });
  sound.addEventListener('play', () => {
    isPlaying.value = true;
    cancelAnimationFrame(frame);
    follow();
  });
  sound.addEventListener('pause', () => {
    isPlaying.value = false;
    cancelAnimationFrame(frame);
    time.value = sound.currentTime;
  });
  const seek = (seconds: number) => {
    sound.currentTime = Math.max(0, seconds);
    time.value = sound.currentTime;
  };
  // The browser refuses when the sound was stopped again at once.
  const play = () => void sound.play().catch(() => {});
  return {
    time,
    duration,
    isPlaying,
    rate,
    toggle: () => (sound.paused ? play() : sound.pause()),
    playFrom(seconds) {
      seek(seconds);
      play();
    },
    seek,
    setRate(value) {
      sound.playbackRate = value;
      rate.value = value;
    },
    close() {
      sound.pause();
      cancelAnimationFrame(frame);
      sound.removeAttribute('src');
      URL.revokeObjectURL(url);
    },
  };
}
