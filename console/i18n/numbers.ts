const english = { number: new Intl.NumberFormat('en'), plural: new Intl.PluralRules('en') };
const chinese = new Intl.NumberFormat('zh-HK');

/** Writes a count in English, such as `1 word` or `2,000 words`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${english.number.format(count)} ${english.plural.select(count) === 'one' ? one : many}`;
}

export const inEnglish = (count: number) => english.number.format(count);
export const inChinese = (count: number) => chinese.format(count);
