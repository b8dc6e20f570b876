import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createPlayer, type Player } from '#console/audio/player.ts';
import { formatTime, text } from '#console/core/text.ts';
import { IconButton } from './button.tsx';
import './sound-player.css';

/** Plays a short sound; with `autoplay` as soon as it is there. `name` is for screen readers. */
export function SoundPlayer({ sound, name, autoplay = false }: { sound: Blob; name: string; autoplay?: boolean }) {
  const player = useSignal<Player | null>(null);
  useEffect(() => {
    const opened = createPlayer(sound);
    player.value = opened;
    if (autoplay) opened.playFrom(0);
    return () => {
      opened.close();
      player.value = null;
    };
  }, [sound]);
  return player.value === null ? null : <Controls player={player.value} name={name} />;
}

function Controls({ player, name }: { player: Player; name: string }) {
  const { common, transcript } = text();
  const isPlaying = player.isPlaying.value;
  const duration = player.duration.value;
  return (
    <div class="sound-player" role="group" aria-label={name}>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? common.pause : common.play}
        kind="primary"
        onClick={() => {
          if (!isPlaying && player.time.value >= duration) player.playFrom(0);
          else player.toggle();
        }}
      />
      <input
        class="slider"
        type="range"
        aria-label={transcript.position}
        aria-valuetext={formatTime(player.time.value)}
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={player.time.value}
        onInput={({ currentTarget }) => player.seek(currentTarget.valueAsNumber)}
      />
      <span class="muted small-text tabular">
        {formatTime(player.time.value)} / {formatTime(duration)}
      </span>
    </div>
  );
}
