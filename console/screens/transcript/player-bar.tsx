import type { Player } from '#console/audio/player.ts';
import { formatTime, text } from '#console/core/text.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';

const RATES = ['0.75', '1', '1.25', '1.5', '2'] as const;
/** One press of the button goes back by this much, to hear a word again. */
export const BACK_SECONDS = 2;

/** The buttons that play. On a phone they are a slim bar at the bottom of the page. */
export function PlayerBar({ player, duration }: { player: Player; duration: number }) {
  const { common, transcript } = text();
  const isPlaying = player.isPlaying.value;
  const rate = RATES.find((value) => Number(value) === player.rate.value) ?? '1';
  const nextRate = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? '1';
  return (
    <div class="player-bar">
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? common.pause : common.play}
        kind="primary"
        small={false}
        onClick={player.toggle}
      />
      <IconButton
        icon="undo"
        label={transcript.back}
        small={false}
        onClick={() => player.seek(player.time.value - BACK_SECONDS)}
      />
      <span class="tabular">
        {formatTime(player.time.value, true)} <span class="muted">/ {formatTime(duration)}</span>
      </span>
      <span class="push rates">
        <Choices
          label={transcript.rate}
          options={RATES.map((value) => ({ value, label: `${value}×` }))}
          value={rate}
          onChoose={(value) => player.setRate(Number(value))}
        />
      </span>
      <span class="push one-rate">
        <Button small label={`${transcript.rate} ${rate}×`} onClick={() => player.setRate(Number(nextRate))}>
          {rate}×
        </Button>
      </span>
    </div>
  );
}
