import { deflateSync } from 'node:zlib';
import type { AnswerSegment } from './answer.ts';

/**
 * Least mean log-probability, as in Whisper's own rule for silence (openai/whisper, transcribe.py).
 */
const LEAST_LOGPROB = -1;
const NO_SPEECH_FROM = 0.6;
/** Compression ratio above which a text repeats itself. */
const MOST_COMPRESSION = 2.4;
/**
 * Shortest text in bytes that is checked for repetition: shorter ones compress badly, and "no no no
 * no" may be spoken.
 */
const LOOP_FROM_BYTES = 90;
/** Mean log-probability above which "thanks for watching" counts as spoken. */
const SURE_LOGPROB = -0.5;
const SURE_NO_SPEECH = 0.3;

/** Subtitle credits from Whisper's training data, which are never spoken. */
const CREDITS =
  /字幕(由|by|志愿者|志願者|製作|制作|提供)|amara\.?org|索兰娅|索蘭婭|明镜与点点|明鏡與點點|打赏支持|打賞支持|优优独播|優優獨播|李宗盛.{0,4}(曲|词|詞)|(subtitles|captions|transcription|translated|subs) by\b|(請|请)不吝/iu;
/** Matches sentences with their ends, but not the dot in an address (Amara.org). */
const SENTENCES = /[^。！？!?\n]*?([。！？!?\n]+|\.(?=\s|$)|$)\s*/gu;
/**
 * Endings of videos: sometimes spoken, more often hallucinated in silence. They are compared with
 * whole utterances only, without punctuation.
 */
const FAREWELLS =
  /^((thank you|thanks)( (so|very) much)?( for (watching|listening|your attention))|(please )?(like and )?subscribe( to (my|our|the) channel)?|see you (in the )?next (video|time)|(多謝|多谢|謝謝|谢谢|感謝|感谢)(大家|你|您|你們|你们|各位|你哋)?(的|嘅)?(收看|收睇|觀看|观看|欣賞|欣赏|收聽|收听)|(記得|记得)?(請|请)?(訂閱|订阅)(我|我們|我们|本)?(的|嘅)?(頻道|频道)?|(请|請)?(点赞|點讚|按讚)?(订阅|訂閱)(转发|轉發)?|下(期|集|次|條片|條影片)(再見|再见|見|见))+$/iu;
/** Sounds that Whisper writes for breathing. */
const FILLERS =
  /^(thank you|thanks|you|bye|bye bye|谢谢|謝謝|多謝|嗯|\[?music\]?|\(?(音樂|音乐|掌聲|掌声|笑聲|笑声)\)?)$/iu;

/** Removes sentences that are subtitle credits, which may follow spoken text. */
export function withoutCredits(text: string): string {
  if (!CREDITS.test(text)) return text;
  return (text.match(SENTENCES) ?? [])
    .filter((sentence) => !CREDITS.test(sentence))
    .join('')
    .trim();
}

/** Returns true if a text is hallucinated. `prompt` is the context that the server received. */
export function isHallucination(
  { text, avgLogprob, noSpeechProbability, compressionRatio }: AnswerSegment,
  prompt: string | null,
): boolean {
  const spoken = text.replaceAll(/[\p{P}\p{S}\s]+/gu, ' ').trim();
  if (spoken === '') return true;
  if (prompt !== null && spoken === prompt.replaceAll(/[\p{P}\p{S}\s]+/gu, ' ').trim()) return true;
  const isDoubtful = (avgLogprob ?? 0) < LEAST_LOGPROB && (noSpeechProbability ?? 0) > NO_SPEECH_FROM;
  if (isDoubtful || isLoop(text, compressionRatio)) return true;
  const isSure =
    avgLogprob !== null &&
    noSpeechProbability !== null &&
    avgLogprob > SURE_LOGPROB &&
    noSpeechProbability < SURE_NO_SPEECH;
  if (FAREWELLS.test(spoken) || FAREWELLS.test(spoken.replaceAll(' ', ''))) return !isSure;
  // Fillers are also common in speech, so they are removed only where the server is unsure.
  return FILLERS.test(spoken) && ((noSpeechProbability ?? 0) > NO_SPEECH_FROM || (avgLogprob ?? 0) < LEAST_LOGPROB);
}

function isLoop(text: string, givenRatio: number | null): boolean {
  if (givenRatio !== null) return givenRatio > MOST_COMPRESSION;
  const bytes = Buffer.from(text);
  return bytes.length >= LOOP_FROM_BYTES && bytes.length / deflateSync(bytes).length > MOST_COMPRESSION;
}
