import { AppError } from '@jyutsing/contracts/errors';
import { unfinishedThought, withoutOpenThought } from '@jyutsing/text/normalization/thinking';
import { isSsml, MAX_SSML_LENGTH } from '@jyutsing/text/ssml/read-ssml';
import { MAX_TEXT_CHARACTERS } from '#http/fields.ts';
import { takeSentences } from '#http/synthesis/speak-text.ts';
import { withoutThoughts } from '#http/synthesis/speech-text-field.ts';

type GrowingText = {
  /** Throws `payload_too_large` for thoughts without an end. */
  add(more: string): void;
  /** Speaks what is left. */
  flush(): void;
  /** Forgets what is left, and returns it. */
  clear(): string;
};

type Actions = {
  speak(text: string): void;
  /** More characters wait than are spoken at a time; they are left out. */
  leaveOut(description: string): void;
};

/**
 * Text that a language model is still writing: its thoughts are never spoken, and with `isStreamed`
 * each sentence is as soon as it is complete.
 */
export function createGrowingText(isStreamed: boolean, { speak, leaveOut }: Actions): GrowingText {
  let text = '';
  return {
    add(more) {
      text = withoutOpenThought(text + more.toWellFormed());
      const isDocument = isSsml(text.trimStart());
      const limit = isDocument ? MAX_SSML_LENGTH : MAX_TEXT_CHARACTERS;
      if (text.length > limit) {
        // The rest of the thought is still to come.
        text = text.slice(unfinishedThought(text) ?? text.length);
        if (text.length > limit) throw new AppError('payload_too_large', 'Too many thoughts are within each other.');
        return leaveOut(`At most ${limit} characters may wait for a Flush; this text is left out.`);
      }
      // SSML is read as a whole.
      if (!isStreamed || isDocument) return;
      const { sentences, rest } = takeSentences(text, null);
      text = rest;
      for (const sentence of sentences) speak(sentence);
    },
    flush() {
      const rest = withoutThoughts(text);
      text = '';
      if (rest !== '') speak(rest);
    },
    clear() {
      const rest = withoutThoughts(text);
      text = '';
      return rest;
    },
  };
}
