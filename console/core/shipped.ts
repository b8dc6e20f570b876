import type { ApiKey, CorpusSummary, PullableModel, VoiceSummary } from '@jyutsing/client';
import { text } from './text.ts';

/**
 * Returns the description of a voice, in the language of the page if the voice ships with the
 * service.
 */
export function voiceDescriptionOf(of: Pick<VoiceSummary, 'voice_id' | 'public' | 'description'>): string | undefined {
  return of.public ? (text().shipped.voices[of.voice_id] ?? of.description) : of.description;
}

export function corpusDescriptionOf(of: Pick<CorpusSummary, 'id' | 'public' | 'description'>): string {
  return of.public ? (text().shipped.corpora[of.id] ?? of.description) : of.description;
}

export function keyNameOf({ name }: Pick<ApiKey, 'name'>): string {
  return text().shipped.keys[name] ?? name;
}

export function modelTitleOf({ name, title }: PullableModel): string {
  return text().shipped.models[name] ?? title;
}
