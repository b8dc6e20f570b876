/**
 * Strings that chat templates treat as the beginning or end of a message: `<|im_start|>`, `</s>`,
 * `<think>`, `<start_of_turn>`, `[INST]`, `[gMASK]` … A server's tokenizer reads them anywhere in
 * the text, including JSON strings.
 */
const TEMPLATE_MARKS = /<|\[(?=\/?(?!(?:true|false|null)\])[A-Za-z_]\w{0,30}\])/g;

/**
 * Writes data for a model as one JSON value without strings that a chat template could interpret:
 * their first character becomes a JSON escape, which has the same meaning. Lone surrogates are
 * replaced.
 */
export function asData(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  ).replaceAll(
    TEMPLATE_MARKS,
    // The marks only occur inside strings: JSON itself has no `<`, and no `[` followed by a name.
    (mark) => (mark === '<' ? '\\u003c' : '\\u005b'),
  );
}
