import { computed } from '@preact/signals';
import { en } from '#console/i18n/en.ts';
import { zhHk } from '#console/i18n/zh-hk.ts';
import { charactersIn } from './characters.ts';
import { uiLanguage } from './preferences.ts';

const table = computed(() => (uiLanguage.value === 'en' ? en : zhHk));

/** The texts of the chosen language; a component that calls it is drawn again when it changes. */
export function text(): typeof en {
  return table.value;
}

const formats = computed(() => {
  const locale = uiLanguage.value;
  return {
    number: new Intl.NumberFormat(locale),
    percent: new Intl.NumberFormat(locale, { style: 'percent' }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    second: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
  };
});

export const formatNumber = (value: number) => formats.value.number.format(value);
export const formatPercent = (fraction: number) => formats.value.percent.format(fraction);
export const formatDate = (iso: string) => formats.value.date.format(new Date(iso));
export const formatMoment = (iso: string) => formats.value.moment.format(new Date(iso));
/** Formats a time with its second, which tells recordings of one minute apart. */
export const formatSecond = (iso: string) => formats.value.second.format(new Date(iso));

/** Says why a text cannot be sent, and by how much it is too long; null if it is short enough. */
export function lengthFault(value: string, limit: number): string | null {
  const count = charactersIn(value);
  return count <= limit ? null : text().common.tooLong(count, limit);
}

/** Formats seconds as `1:02:03` or `2:03`; with `tenths`, as `2:03.4`. */
export function formatTime(seconds: number, tenths = false): string {
  const whole = Math.max(0, tenths ? Math.floor(seconds * 10) / 10 : Math.round(seconds));
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const rest = (whole % 60).toFixed(tenths ? 1 : 0).padStart(tenths ? 4 : 2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Formats an amount of seconds as people say it: `45 s`, `12 min` or `9.5 h`. */
export function formatAmount(seconds: number): string {
  const { units } = text().common;
  if (seconds < 60) return `${formatNumber(Math.round(seconds))} ${units.second}`;
  if (seconds < 3_600) return `${formatNumber(Math.round(seconds / 60))} ${units.minute}`;
  return `${formatNumber(Math.round(seconds / 360) / 10)} ${units.hour}`;
}

export function formatBytes(bytes: number): string {
  if (bytes === 0) return '0 kB';
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}
