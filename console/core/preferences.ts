import { effect, signal, type Signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export type UiLanguage = 'zh-HK' | 'en';

/** A browser with any kind of Chinese gets Hong Kong Chinese. */
const preferred: UiLanguage = navigator.languages.some((tag) => /^(?:zh|yue)\b/i.test(tag)) ? 'zh-HK' : 'en';

export const theme = stored<Theme>('theme', ['system', 'light', 'dark'], 'system');
export const uiLanguage = stored<UiLanguage>('language', ['zh-HK', 'en'], preferred);

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
});
effect(() => {
  document.documentElement.lang = uiLanguage.value;
});

/** A choice that this browser remembers. */
function stored<Value extends string>(name: string, values: readonly Value[], otherwise: Value): Signal<Value> {
  const kept = localStorage.getItem(`jyutsing.${name}`);
  const choice = signal(values.find((value) => value === kept) ?? otherwise);
  effect(() => localStorage.setItem(`jyutsing.${name}`, choice.value));
  return choice;
}
