import { signal } from '@preact/signals';

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
