import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { notifyFailure } from '#console/core/notices.ts';

/** Plays one recording after the other; stops with the screen. */
export function usePlayedSound() {
  const playing = useSignal<HTMLAudioElement | null>(null);
  const stop = () => playing.peek()?.pause();
  useEffect(() => stop, []);
  const playAll = ([first, ...rest]: readonly Blob[]) => {
    stop();
    if (first === undefined) return;
    const url = URL.createObjectURL(first);
    const sound = new Audio(url);
    playing.value = sound;
    sound.addEventListener('ended', () => {
      URL.revokeObjectURL(url);
      playAll(rest);
    });
    sound.play().catch(notifyFailure);
  };
  return { playAll, play: (sound: Blob) => playAll([sound]) };
}
