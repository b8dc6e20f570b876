import type { VoiceSummary } from '@jyutsing/client';
import { voiceDescriptionOf } from '#console/core/shipped.ts';
import { text } from '#console/core/text.ts';
import { Button, IconButton } from '#console/ui/button.tsx';

type VoiceListProps = {
  voices: readonly VoiceSummary[];
  /** Tells whether a sound is being loaded. */
  isBusy: boolean;
  /** Tells whether the text to try voices with can be spoken. */
  mayTry: boolean;
  onSample: (voice: VoiceSummary) => void;
  onTry: (voice: VoiceSummary) => void;
  onRemove: (voice: VoiceSummary) => void;
};

/** Voices with their samples; those of the account can be removed. */
export function VoiceList({ voices, isBusy, mayTry, onSample, onTry, onRemove }: VoiceListProps) {
  const { voices: messages, common } = text();
  return (
    <ul class="voices">
      {voices.map((voice) => (
        <li key={voice.voice_id}>
          <span class="voice-text">
            <strong dir="auto">{voice.name}</strong>
            <span class="muted small-text" dir="auto">
              {voiceDescriptionOf(voice)}
            </span>
          </span>
          <span class="row">
            <IconButton
              icon="play"
              label={messages.sample(voice.name)}
              disabled={isBusy}
              onClick={() => onSample(voice)}
            />
            <Button
              small
              icon="speak"
              label={`${messages.tryOne}: ${voice.name}`}
              disabled={isBusy || !mayTry}
              onClick={() => onTry(voice)}
            >
              {messages.tryOne}
            </Button>
            {voice.public ? null : (
              <IconButton icon="trash" label={`${common.delete}: ${voice.name}`} onClick={() => onRemove(voice)} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
