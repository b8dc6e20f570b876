import { signal } from '@preact/signals';
import { lengthFault } from '#console/core/text.ts';

/** The choices of the form; they stay while the tab is open. */
export const options = {
  language: signal<'cantonese' | 'mandarin' | 'english' | 'auto'>('cantonese'),
  diarization: signal(true),
  /** Empty: not known. */
  speakers: signal(''),
  fusion: signal(true),
  keepAudio: signal(true),
  context: signal(''),
  /** Null: the default ones. */
  corpora: signal<readonly string[] | null>(null),
};

const MAX_CONTEXT_CHARACTERS = 10_000;

/** Why the text about the recordings cannot be sent; null: it can. */
export function contextFault(): string | null {
  return lengthFault(options.context.value, MAX_CONTEXT_CHARACTERS);
}

export function chosenOptions() {
  const { language, diarization, speakers, fusion, keepAudio, context, corpora } = options;
  return {
    language: language.value,
    diarization: diarization.value,
    speakers: diarization.value && speakers.value !== '' ? Number(speakers.value) : undefined,
    fusion: fusion.value,
    keepAudio: keepAudio.value,
    context: context.value.trim() === '' ? undefined : context.value.trim(),
    corpora: corpora.value ?? undefined,
  };
}
