import type { Player } from '#console/audio/player.ts';
import { formatTime, text } from '#console/core/text.ts';
import { Choices, IconButton } from '#console/ui/button.tsx';

const RATES = ['0.75', '1', '1.25', '1.5'] as const;

export function PlayerBar({ player, duration }: { player: Player; duration: number }) {
  const { common, transcript } = text();
  const isPlaying = player.isPlaying.value;
  return (
    <div class="player-bar">
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? common.pause : common.play}
        kind="primary"
        small={false}
        onClick={player.toggle}
      />
      <span class="tabular">
        {formatTime(player.time.value, true)} <span class="muted">/ {formatTime(duration)}</span>
      </span>
      <span class="push">
        <Choices
          label={transcript.rate}
          options={RATES.map((value) => ({ value, label: `${value}×` }))}
          value={RATES.find((value) => Number(value) === player.rate.value) ?? '1'}
          onChoose={(value) => player.setRate(Number(value))}
        />
      </span>
    </div>
  );
}
