/** Currencies whose names the data of Unicode (CLDR) has in each language, as ISO 4217 codes. */
// prettier-ignore
export const FURTHER_CURRENCIES = ['TRY', 'UAH', 'NGN', 'ILS', 'KZT', 'BRL', 'CHF', 'NZD', 'MYR', 'IDR', 'ZAR', 'SEK', 'NOK', 'DKK', 'PLN', 'AED', 'SAR', 'QAR', 'EGP', 'CZK', 'HUF', 'RON', 'ISK', 'MXN', 'ARS', 'CLP', 'PKR', 'BDT', 'LKR', 'KES', 'GHS', 'MMK', 'KHR', 'LAK', 'AZN', 'GEL', 'PYG', 'CRC', 'MNT'] as const;
export type FurtherCurrency = (typeof FURTHER_CURRENCIES)[number];

export const isFurther = (currency: string): currency is FurtherCurrency =>
  FURTHER_CURRENCIES.some((further) => further === currency);

const namesByTag = new Map<string, Intl.DisplayNames>();

/**
 * Returns the name of one in a language (a BCP 47 tag). To open the names takes some milliseconds,
 * so this is left to the first text that has one.
 */
export function nameOfCurrency(currency: FurtherCurrency, tag: string): string {
  let names = namesByTag.get(tag);
  if (names === undefined) namesByTag.set(tag, (names = new Intl.DisplayNames([tag], { type: 'currency' })));
  return names.of(currency) ?? currency;
}
