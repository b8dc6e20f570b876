import type { Language } from '@jyutsing/contracts/transcript';
import { foldCharacters, withPrivateCharacters } from './script/fold-characters.ts';

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}+/gu;

/** Frequent characters that only Simplified writing has. */
const SIMPLIFIED =
  /[们这说对时会个国来过还没样为问题车书东门见话语电买卖钱让边关开从现发经觉给听认识吗点间岁儿爱学习飞机写读]/u;
/** Characters and words of written Cantonese, in Simplified writing as well. */
const COLLOQUIAL =
  /[嘅咗喺唔佢哋啲嘢冇嗰嚟畀俾噉咁㗎乜咩瞓啱攞揾搵咪吖啩喇睇攰嬲揿谂㖞𠮶嗌嘥揸掟嘞啫噃嗱]|[都就即但净只定又仲]系(?![统列数])|一齐|几多|点解|点样|边[度个位]|而家|听日|琴日|寻日|钟意|屋企|倾[偈紧]|系咪|食[饭晒紧]|返[工学屋]/u;

/**
 * Guesses the language of a text for speech by its script. More than two Latin words for each
 * Chinese character are English; Chinese in Simplified characters without a Cantonese word is
 * Mandarin; everything else, numbers included, is Cantonese, the usual language of this service.
 */
export function languageOfText(written: string): Language {
  const text = withPrivateCharacters(foldCharacters(written));
  const hanCount = text.match(HAN)?.length ?? 0;
  const latinCount = text.match(LATIN_WORD)?.length ?? 0;
  if (latinCount > 2 * hanCount) return 'english';
  return SIMPLIFIED.test(text) && !COLLOQUIAL.test(text) ? 'mandarin' : 'cantonese';
}
