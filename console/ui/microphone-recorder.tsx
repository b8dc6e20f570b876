import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { startRecording, type Recorder } from '#console/audio/recorder.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { formatMoment, formatTime, text } from '#console/core/text.ts';
import { Button } from './button.tsx';
import { LevelMeter } from './level-meter.tsx';

/**
 * A button that records the microphone. While it records, it shows the time, the level and how to
 * end.
 */
export function MicrophoneRecorder({
  name,
  label,
  maxSeconds = Infinity,
  disabled = false,
  isPrimary = false,
  onRecorded,
}: {
  name: string;
  /** The label of the button that begins. */
  label?: string;
  /** The recording ends by itself after this time. */
  maxSeconds?: number;
  /** The recording cannot begin while this is true. */
  disabled?: boolean;
  /** Whether this is the main thing to do on its screen. */
  isPrimary?: boolean;
  onRecorded: (file: File) => void;
}) {
  const { transcribe } = text();
  const recorder = useSignal<Recorder | null>(null);
  useEffect(() => () => recorder.peek()?.discard(), []);
  const begin = async () => {
    try {
      recorder.value = await startRecording(`${name} ${formatMoment(new Date().toISOString())}`);
    } catch (failure) {
      notifyFailure(failure);
    }
  };
  const end = async (running: Recorder) => {
    recorder.value = null;
    onRecorded(await running.stop());
  };
  useSignalEffect(() => {
    const { value } = recorder;
    if (value !== null && value.seconds.value >= maxSeconds) void end(value);
  });
  const running = recorder.value;
  if (running === null) {
    return (
      <Button
        icon="voices"
        {...(isPrimary ? { kind: 'primary' as const } : {})}
        disabled={disabled}
        onClick={() => void begin()}
      >
        {label ?? transcribe.record}
      </Button>
    );
  }
  return (
    <div class="recording">
      <span class="recording-time tabular" role="timer">
        {formatTime(running.seconds.value)}
      </span>
      <LevelMeter level={running.level.value} isClipped={running.isClipped.value} />
      <Button kind="danger" icon="stop" onClick={() => void end(running)}>
        {transcribe.stopRecording}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          running.discard();
          recorder.value = null;
        }}
      >
        {transcribe.discard}
      </Button>
    </div>
  );
}
