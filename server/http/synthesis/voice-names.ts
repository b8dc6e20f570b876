import { UUID } from '@jyutsing/contracts/uuid';

/**
 * How other services write the ids and names of their voices. A plain word is not among them: it is
 * more likely a misspelt voice of this server, which the client should learn.
 */
const FORMS: readonly RegExp[] = [
  UUID,
  // Kokoro: af_sky, also mixed and weighted: af_sky(2)+zf_xiaobei(1).
  /^[a-z][fm]_[a-z0-9_]+(?:\([\d.]+\))?(?:[+-][a-z][fm]_[a-z0-9_]+(?:\([\d.]+\))?)*$/,
  // Azure, Google and Piper: zh-HK-HiuMaanNeural, yue-HK-Standard-A, en_US-lessac-medium.
  /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_][a-z]{2}[-_][a-z0-9][\w:.-]*$/,
  /^microsoft server speech text to speech voice \([\w, -]+\)$/,
  // Deepgram: aura-2-thalia-en, flux-alexis-en.
  /^(?:aura|flux)(?:-\d+)?-[a-z]+-[a-z]{2}$/,
  // OpenAI's own voices of an account: voice_1234.
  /^voice_[a-z0-9]{4,}$/,
  // MiniMax: Cantonese_GentleLady.
  /^(?:cantonese|chinese|mandarin|english)[ _(][\w ()&'’-]+$/,
  // CosyVoice: 粵語女.
  /^\p{Script=Han}{2,3}[男女]$/u,
  // ElevenLabs: twenty letters and digits, with at least one digit.
  /^(?=.*\d)[a-z0-9]{20}$/,
];

/** Whether a voice is named as another service names its own. */
export function isVoiceNameElsewhere(name: string): boolean {
  const lower = name.toLowerCase();
  return FORMS.some((form) => form.test(lower));
}
