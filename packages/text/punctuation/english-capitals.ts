/** Capitalizes the first letter of an English sentence, after quotation marks and brackets. */
export function capitalizeStart(sentence: string): string {
  return sentence.replace(/^["'“‘(]*\p{Ll}/u, (start) => start.toUpperCase());
}

/** Capitalizes the English pronoun "I", also in "I'm" and the like. */
export function capitalizePronoun(text: string): string {
  return text.replace(/(?<![\p{L}\d'’.-])i(?=$|[\s,.?!]|['’](?:m|ll|ve|d|re|s)\b)/gu, 'I');
}
