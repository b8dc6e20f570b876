import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { ServerDeps } from '#http/deps.ts';
import { tagsOf } from './languages.ts';
import { voiceNameIn } from './speech.ts';

type InfoDeps = Pick<ServerDeps, 'config' | 'models' | 'voices'>;

const ATTRIBUTION = { name: 'jyutsing', url: 'https://www.apache.org/licenses/LICENSE-2.0' };
const NAMES: Readonly<Record<Language, string>> = { cantonese: 'Cantonese', mandarin: 'Mandarin', english: 'English' };

/**
 * Describes the abilities of the server as Home Assistant asks for them; the voices are those of
 * the account.
 */
export async function describeService({ config, models, voices }: InfoDeps, accountId: string): Promise<object> {
  const { version } = config;
  const program = { name: 'jyutsing', attribution: ATTRIBUTION, installed: true, version };
  const all = models.describeModels();
  const spoken = new Set(
    all
      .filter(({ ability, available }) => ability === 'synthesizer' && available)
      .flatMap(({ capabilities }) => Object.keys(capabilities.languages)),
  );
  const recognizers = all
    .filter(({ ability }) => ability === 'recognizer')
    .map(({ name, engine, available, capabilities, version: modelVersion }) => ({
      name,
      attribution: ATTRIBUTION,
      installed: available,
      description: `${name} (${engine})`,
      version: modelVersion,
      languages: tagsOf(Object.keys(capabilities.languages) as Language[]),
    }));
  const named = (await voices.list(accountId)).flatMap((voice) =>
    LANGUAGES.filter((language) => spoken.has(language)).map((language) => ({
      name: voiceNameIn(voice, language),
      attribution: ATTRIBUTION,
      installed: true,
      description: language === voice.language ? voice.name : `${voice.name} (${NAMES[language]})`,
      version,
      languages: tagsOf([language]),
    })),
  );
  const asr = {
    ...program,
    description: 'Speech-to-text for Cantonese, Mandarin and English',
    models: recognizers,
    supports_transcript_streaming: true,
    // The transcript follows `audio-stop`, so the client decides when a command is over.
    requires_external_vad: true,
    // Recognition hears quiet speech as it is, and noise reduction removes parts of words.
    prefers_auto_gain_enabled: false,
    prefers_noise_reduction_enabled: false,
  };
  const tts = {
    ...program,
    description: 'Text-to-speech for Cantonese, Mandarin and English',
    voices: named,
    supports_synthesize_streaming: true,
  };
  // Home Assistant takes a program in the list for one that can be used.
  return {
    asr: recognizers.some(({ installed }) => installed) ? [asr] : [],
    tts: named.length > 0 ? [tts] : [],
    handle: [],
    intent: [],
    wake: [],
    mic: [],
    snd: [],
  };
}
