/** API keys that the documentation prints. They open only services without other machines. */
export const PUBLISHED_KEYS: readonly string[] = ['jyut_my-first-key'];
