import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { VoiceSummary } from '@jyutsing/client';
import { notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { voiceDescriptionOf } from '#console/core/shipped.ts';
import { text } from '#console/core/text.ts';
import { IconButton } from '#console/ui/button.tsx';

/** One card for each voice: what it is like, and its sample. */
export function VoiceCards({
  voices,
  chosen,
  onChoose,
}: {
  voices: readonly VoiceSummary[];
  chosen: string | null;
  onChoose: (id: string) => void;
}) {
  const { speak, voices: messages } = text();
  const sound = useSignal<HTMLAudioElement | null>(null);
  useEffect(() => () => sound.peek()?.pause(), []);
  const hear = async (id: string) => {
    try {
      sound.value?.pause();
      const url = URL.createObjectURL(await client().voices.sample(id));
      const sample = new Audio(url);
      sample.addEventListener('ended', () => URL.revokeObjectURL(url));
      sound.value = sample;
      await sample.play();
    } catch (failure) {
      notifyFailure(failure);
    }
  };
  return (
    <fieldset class="voice-cards">
      <legend>{speak.voice}</legend>
      {voices.map(({ voice_id: id, name, gender, ...voice }) => (
        <div key={id} class="voice-card">
          <label>
            <input type="radio" name="voice" checked={id === chosen} onChange={() => onChoose(id)} />
            <span class="avatar" aria-hidden="true" dir="auto">
              {[...name][0]}
            </span>
            <span class="voice-name">
              <strong dir="auto">{name}</strong>
              <span class="muted small-text" dir="auto">
                {gender === undefined ? voiceDescriptionOf({ ...voice, voice_id: id }) : speak.genders[gender]}
              </span>
            </span>
          </label>
          <IconButton icon="play" label={messages.sample(name)} onClick={() => void hear(id)} />
        </div>
      ))}
    </fieldset>
  );
}
