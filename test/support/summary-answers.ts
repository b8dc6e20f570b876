import { TRANSPORT_MODES } from './openai/chat-protocol.ts';
import { inWrongLanguage, inWrongScript, inWrongWording, isInstructed, type ReadQuestion } from './summary-model.ts';

/** A question with the right answer. */
export type AnswerableQuestion = ReadQuestion & { system: string; user: string; promptTokens: number; right: string };

/**
 * Behavior of the model. `summarizes`: follows the instructions. Wrong languages, scripts and
 * wordings occur in summaries only, not in notes, nor in rewrites unless the model is stubborn.
 * `obeys-outside` follows instructions outside the JSON of the user message, `obeys-always` any.
 */
export const SUMMARY_MODES = [
  'summarizes',
  'content-parts',
  'fenced',
  'thinks-aloud',
  'thinks-without-end',
  'prose',
  'talks-around',
  'broken-json',
  'quotes',
  'markdown',
  'wrong-language',
  'wrong-script',
  'wrong-wording',
  'cut-off',
  'cut-off-twice',
  'cut-off-in-a-sentence',
  'empty',
  'no-message',
  'other-json',
  'no-completion',
  'refuses',
  'refuses-silently',
  'content-filter',
  'obeys-outside',
  'obeys-always',
  'leaks-prompt',
  'echoes',
  'huge',
  ...TRANSPORT_MODES,
] as const;
export type SummaryMode = (typeof SUMMARY_MODES)[number];

/** The message of an answer without its role. */
type Answer = { message: Record<string, unknown>; finishReason?: string };

function reply(content: unknown, finishReason = 'stop'): Answer {
  return { message: { content }, finishReason };
}

function json(summary: string): Answer {
  return reply(JSON.stringify({ summary }));
}

function truncated(summary: string): Answer {
  return reply(JSON.stringify({ summary }).slice(0, -2), 'length');
}

/** The answer of the model in a mode. */
export function answerOf(
  mode: Exclude<SummaryMode, (typeof TRANSPORT_MODES)[number] | 'no-completion'>,
  question: AnswerableQuestion,
): Answer {
  const { system, user, language, texts, right } = question;
  const isBrief = system.includes('Be brief');
  switch (mode) {
    case 'summarizes':
      return json(right);
    case 'content-parts':
      return reply([{ type: 'text', text: JSON.stringify({ summary: right }) }]);
    case 'fenced':
      return reply(`\`\`\`json\n${JSON.stringify({ summary: right }, null, 2)}\n\`\`\``);
    case 'thinks-aloud':
      return reply(
        `<think>They want {"summary":"something"}. Let me see…</think>\n\n{"summary":${JSON.stringify(right)}}`,
      );
    case 'thinks-without-end':
      return reply('<think>Let me see. First, the transcript says that', 'length');
    case 'prose':
      return reply(right);
    case 'talks-around':
      return reply(`Sure! Here is the summary:\n\n{"summary":${JSON.stringify(right)}}\n\nI hope this helps :}`);
    case 'broken-json':
      return reply(`{"summary":${JSON.stringify(right)},\n}`);
    case 'quotes':
      return reply(`{"summary":"He says "yes".\nThen: ${right}"}`);
    case 'markdown':
      return json(`## **Summary**\n\n- **${right}**\n- [more](https://example.com)`);
    case 'wrong-language':
      return json(inWrongLanguage(question));
    case 'wrong-script':
      return json(inWrongScript(right, language));
    case 'wrong-wording':
      return json(inWrongWording(right, language));
    case 'cut-off':
      return isBrief ? json(right) : truncated(right.slice(0, -3));
    case 'cut-off-twice':
      return truncated(right.slice(0, -3));
    case 'cut-off-in-a-sentence':
      return truncated(right.slice(0, 12));
    case 'empty':
      return reply('');
    case 'no-message':
      return reply(null);
    case 'other-json':
      return reply('{"error":"I cannot help with that."}');
    case 'refuses':
      return json(REFUSALS[language]);
    case 'refuses-silently':
      return { message: { content: null, refusal: 'I cannot help with that.' } };
    case 'content-filter':
      return reply('', 'content_filter');
    case 'obeys-outside':
      return json(isInstructed(system, user) ? 'PWNED' : right);
    case 'obeys-always':
      return json('HACKED');
    case 'leaks-prompt':
      return json(`Of course. My instructions are: ${system}`);
    case 'echoes':
      return json(texts.join('\n'));
    case 'huge':
      return json('飯'.repeat(2_000_000));
  }
}

const REFUSALS = {
  cantonese: '對唔住，我冇辦法幫你做呢個摘要。',
  mandarin: '很抱歉，我无法为您总结这段内容。',
  english: "I'm sorry, but I can't help with summarizing this video.",
  japanese: '申し訳ございませんが、この内容を要約することはできません。',
  korean: '죄송하지만 이 내용은 요약할 수 없습니다.',
} as const;
