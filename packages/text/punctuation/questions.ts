import type { Language } from '@jyutsing/contracts/transcript';
import { isCantoneseQuestion, type ClauseContext } from './cantonese-questions.ts';
import { joinWords } from '#text/join-words.ts';

const MANDARIN_QUESTION_ENDINGS = /(吗|嗎|么|没有|是不是|好不好|对不对|行不行|可不可以|是吗|好吗)$/u;
const MANDARIN_NOT_QUESTION = /(什么|怎么|这么|那么|多么|要么|都没有|也没有|就没有|从没有|还没有|并没有)$/u;
const MANDARIN_WORDS =
  /什么|为什么|怎么|怎样|如何|哪里|哪儿|哪个|哪些|哪位|哪一|谁|多少|几点|几个|几岁|几时|多久|多大|多远|干嘛|为何/u;
const MANDARIN_A_NOT_A = /(\p{Script=Han})不\1|有没有|是不是|能不能|会不会/u;
const MANDARIN_PARTICLES = /[呢啊呀啦]+$/u;
const MANDARIN_INDIRECT =
  /(不知道|不清楚|不明白|不记得|不管|无论|不论|知道|告诉|看看|问问|问他|问她|想知|想想|没什么|没有什么|没怎么|不怎么|就知道|多少有|差不多|对不起)/u;
const MANDARIN_ANY = /(谁|哪里|哪儿|哪个|什么|怎么|多少|几个|如何)[^，。]{0,6}(都|也)/u;

const PRONOUN =
  '(?:i|you|he|she|it|we|they|the|this|that|these|those|there|my|your|his|her|its|our|their|anyone|anybody|anything|everyone|someone)\\b';
const AUXILIARY =
  "(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|have|has|had|may|might|must|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|can['’]?t|couldn['’]?t|won['’]?t|wouldn['’]?t|shouldn['’]?t|haven['’]?t|hasn['’]?t)\\b";
const OPENER = '^(?:(?:and|but|so|well|ok|okay|hey|hi|hello|now|then|oh|um|uh|sorry|excuse me)\\b,? )*';
const ENGLISH_YES_NO = new RegExp(`${OPENER}${AUXILIARY} ${PRONOUN}`, 'i');
const ENGLISH_WORD = new RegExp(
  `${OPENER}(?:who|whom|whose|what|which|where|when|why|how)(?:['’](?:s|re|d|ll)\\b| (?:(?:many|much|long|old|far|often|big|about|come|time|kind of|sort of|else|day|year|color|colour|one|name)(?: \\w+){0,2} )?${AUXILIARY}| about\\b| come\\b)`,
  'i',
);
/** "what is more", "when is …, …" and sentences whose subject is a question. */
const ENGLISH_INDIRECT =
  /^(?:(?:and|but|so) )*(?:what(?:['’]s| is) more|what a |how (?:nice|lovely|wonderful)|had (?:i|you|he|she|it|we|they) |may (?:you|the|he|she|it|we|they) |is that so then|do (?:the|your|my|this|that|it)\b)/i;
const ENGLISH_TAG =
  /\b(?:isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|can['’]?t|won['’]?t|wouldn['’]?t|haven['’]?t|hasn['’]?t|shouldn['’]?t) (?:i|you|he|she|it|we|they)$/i;

/** Whether these words ask a question; indirect questions ("I don't know what it is") do not. */
export function isQuestion(words: readonly string[], language: Language, around: ClauseContext = {}): boolean {
  const text = joinWords(words);
  if (language === 'english') return isEnglishQuestion(text);
  return language === 'cantonese' ? isCantoneseQuestion(text, around) : isMandarinQuestion(text);
}

function isMandarinQuestion(text: string): boolean {
  if (/[吗嗎]$/u.test(text)) return true;
  if (/^那?[你您他她](们)?呢$/u.test(text)) return true;
  if (MANDARIN_INDIRECT.test(text)) return false;
  const bare = text.replace(MANDARIN_PARTICLES, '');
  if (MANDARIN_QUESTION_ENDINGS.test(bare) && !MANDARIN_NOT_QUESTION.test(bare)) return bare.length > 3;
  if (MANDARIN_ANY.test(text)) return false;
  return MANDARIN_WORDS.test(text) || MANDARIN_A_NOT_A.test(text);
}

function isEnglishQuestion(text: string): boolean {
  if (ENGLISH_TAG.test(text)) return true;
  if (ENGLISH_INDIRECT.test(text)) return false;
  return ENGLISH_YES_NO.test(text) || ENGLISH_WORD.test(text);
}
