import loadEspeak from '@echogarden/espeak-ng-emscripten';
import { AppError } from '@jyutsing/contracts/errors';

type Espeak = {
  set_voice(name: string): number;
  /** Phones in IPA: `_` between those of a word, spaces between words, newlines between clauses. */
  synthesize_and_get_phonemes(text: string, onAudio: () => boolean): string;
};

let espeak: Promise<Espeak> | null = null;

/**
 * Returns the ARPAbet phones that espeak-ng produces for an English text in an American voice, for
 * use as a reference: its own rules ("the" before a vowel, tapped t) differ from any dictionary.
 */
export async function espeakPhones(text: string, voice: string): Promise<string[]> {
  espeak ??= loadEspeak().then((module: { eSpeakNGWorker: new () => Espeak }) => new module.eSpeakNGWorker());
  const engine = await espeak;
  engine.set_voice(voice);
  const phonemes = engine.synthesize_and_get_phonemes(text, () => false);
  return phonemes
    .split(/[\s_]+/)
    .map((phone) => phone.replaceAll(/[ˈˌ]/g, ''))
    .filter((phone) => phone !== '')
    .flatMap((phone) => {
      const phones = ARPABET[phone];
      if (phones === undefined) throw new AppError('internal_error', `No ARPAbet phone for "${phone}" of espeak-ng.`);
      return phones.split('+');
    });
}

/** Phones of espeak-ng's voice en-us. A tap is a T, as raters of learners' speech annotate it. */
const ARPABET: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'ə:AX ɐ:AX ᵻ:IH ɚ:ER ɜː:ER əl:AX+L n̩:AX+N aɪɚ:AY+ER aɪə:AY+AX iə:IY+AX ' +
    'ɑː:AA æ:AE ʌ:AH ɔː:AO ɔ:AO ɛ:EH ɪ:IH iː:IY i:IY ʊ:UH uː:UW u:UW aʊ:AW aɪ:AY eɪ:EY oʊ:OW ɔɪ:OY ' +
    'ɑːɹ:AA+R ɔːɹ:AO+R oːɹ:AO+R ʊɹ:UH+R ɪɹ:IH+R ɛɹ:EH+R ' +
    'b:B tʃ:CH d:D ð:DH f:F ɡ:G h:HH dʒ:JH k:K l:L m:M n:N ŋ:NG p:P ɹ:R s:S ʃ:SH t:T ɾ:T ʔ:T θ:TH v:V w:W j:Y z:Z ʒ:ZH'
  )
    .split(' ')
    .map((pair) => pair.split(':', 2)),
);
