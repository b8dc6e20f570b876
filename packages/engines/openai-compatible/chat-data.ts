/**
 * Strings that chat templates take for the beginning or end of a message: `<|im_start|>`, `</s>`, `<think>`, `<start_of_turn>`, `[INST]`,
 * `[gMASK]` … A server's tokeniser reads them wherever they stand in the text, inside of a JSON string as well.
 */
const TEMPLATE_MARKS = /<|\[(?=\/?(?!(?:true|false|null)\])[A-Za-z_]\w{0,30}\])/g;

/**
 * Data for a model as one JSON value that no chat template can mistake: what could begin a mark of one is written as an escape of JSON,
 * which means the same and is another string. The text loses nothing but halves of characters.
 */
export function asData(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed() : each,
  ).replaceAll(
    TEMPLATE_MARKS,
    // Inside of strings only: JSON itself has no `<`, and no `[` that a name follows.
    (mark) => (mark === '<' ? '\\u003c' : '\\u005b'),
  );
}
