import { formatNumber, text } from '#console/core/text.ts';
import { Field, SelectField } from '#console/ui/field.tsx';
import type { Manner } from './speaking.ts';

const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
const SPEED = { min: 0.5, max: 3, step: 0.1 };
const PITCH = { min: -12, max: 12, step: 1 };

/** Edits the language, and how fast, how high and how long the voice speaks. */
export function MannerForm({ manner, onChange }: { manner: Manner; onChange: (part: Partial<Manner>) => void }) {
  const { speak, languages, common } = text();
  const { language, speed, pitch, duration } = manner;
  return (
    <>
      <SelectField
        label={common.language}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: languages[value] ?? value }))}
        onChoose={(value) => onChange({ language: value })}
      />
      <Slider
        label={speak.speed}
        shown={`×${formatNumber(speed)}`}
        value={speed}
        {...SPEED}
        onMove={(value) => onChange({ speed: value })}
      />
      <Slider
        label={speak.pitch}
        shown={speak.semitones(pitch)}
        value={pitch}
        {...PITCH}
        onMove={(value) => onChange({ pitch: value })}
      />
      <Field label={common.optional(speak.duration)} hint={speak.durationHint}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="number"
            inputmode="decimal"
            min={0.5}
            max={600}
            step={0.5}
            value={duration ?? ''}
            onInput={({ currentTarget: { valueAsNumber: seconds } }) =>
              onChange({ duration: seconds > 0 ? seconds : null })
            }
          />
        )}
      </Field>
    </>
  );
}

function Slider({
  label,
  shown,
  onMove,
  ...range
}: {
  label: string;
  shown: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onMove: (value: number) => void;
}) {
  return (
    <Field
      label={
        <span class="slider-label">
          <span>{label}</span>
          <span class="muted tabular">{shown}</span>
        </span>
      }
    >
      {(control) => (
        <input
          {...control}
          {...range}
          class="slider"
          type="range"
          aria-valuetext={shown}
          onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
        />
      )}
    </Field>
  );
}
