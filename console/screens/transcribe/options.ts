import { signal } from '@preact/signals';
import type { CorpusSummary } from '@jyutsing/client';
import { lengthFault } from '#console/core/text.ts';
import { usedCorpora, type Ticks } from '#console/core/used-corpora.ts';

/** The choices of the form; they stay while the tab is open. */
export const options = {
  language: signal<'cantonese' | 'mandarin' | 'english' | 'auto'>('cantonese'),
  diarization: signal(true),
  /** Whether each channel is a speaker. */
  separateChannels: signal(false),
  /** The number of speakers; empty while it is unknown. */
  speakers: signal(''),
  fusion: signal(true),
  keepAudio: signal(true),
  context: signal(''),
  /** Word lists that were ticked or unticked. */
  tickedCorpora: signal<Ticks>({}),
};

const MAX_CONTEXT_CHARACTERS = 10_000;

/** Says why the text about the recordings cannot be sent; null if it can. */
export function contextFault(): string | null {
  return lengthFault(options.context.value, MAX_CONTEXT_CHARACTERS);
}

/**
 * The options of a request. With `corpora` of null the lists are unknown, and the service uses its
 * default ones.
 */
export function chosenOptions(corpora: readonly CorpusSummary[] | null) {
  const { language, diarization, separateChannels, speakers, fusion, keepAudio, context, tickedCorpora } = options;
  return {
    language: language.value,
    diarization: diarization.value,
    channels: separateChannels.value ? ('separate' as const) : undefined,
    speakers:
      diarization.value && !separateChannels.value && speakers.value !== '' ? Number(speakers.value) : undefined,
    fusion: fusion.value,
    keepAudio: keepAudio.value,
    context: context.value.trim() === '' ? undefined : context.value.trim(),
    corpora: corpora === null ? undefined : usedCorpora(corpora, tickedCorpora.value),
  };
}
