/**
 * File formats for speech. `ogg` is Ogg Vorbis, `opus` Ogg Opus, `pcm` raw s16le without
 * a header.
 */
export const SPEECH_FORMATS = ['wav', 'mp3', 'ogg', 'flac', 'opus', 'aac', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

const NAMES: Record<SpeechFormat, { mediaType: string; extension: string }> = {
  wav: { mediaType: 'audio/wav', extension: '.wav' },
  mp3: { mediaType: 'audio/mpeg', extension: '.mp3' },
  ogg: { mediaType: 'audio/ogg', extension: '.ogg' },
  flac: { mediaType: 'audio/flac', extension: '.flac' },
  opus: { mediaType: 'audio/ogg', extension: '.opus' },
  aac: { mediaType: 'audio/aac', extension: '.aac' },
  pcm: { mediaType: 'audio/pcm', extension: '.pcm' },
};

/** Returns media type and file extension of a format without loading an encoder. */
export function describeFormat(format: SpeechFormat): { mediaType: string; extension: string } {
  return NAMES[format];
}
