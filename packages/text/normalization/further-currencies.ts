/** Currencies whose names the data of Unicode (CLDR) has in each language, as ISO 4217 codes. */
// prettier-ignore
export const FURTHER_CURRENCIES = ['TRY', 'UAH', 'NGN', 'ILS', 'KZT', 'BRL', 'CHF', 'NZD', 'MYR', 'IDR', 'ZAR', 'SEK', 'NOK', 'DKK', 'PLN'] as const;
export type FurtherCurrency = (typeof FURTHER_CURRENCIES)[number];

/** Makes a table of them from the names in a language (a BCP 47 tag). */
export function furtherCurrencies(tag: string): Record<FurtherCurrency, string> {
  const names = new Intl.DisplayNames([tag], { type: 'currency' });
  const entries = FURTHER_CURRENCIES.map((code) => [code, names.of(code) ?? code] as const);
  return Object.fromEntries(entries) as Record<FurtherCurrency, string>;
}
