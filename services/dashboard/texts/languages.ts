import { type LanguageCode, languages } from './language-names.ts';
import type { Catalogue } from './texts.ts';
import { setCatalogue } from './texts.ts';

const storageKey = 'vigil-language';
/** English is always there; the others are loaded when they are wanted. */
const load: Partial<Record<LanguageCode, () => Promise<Catalogue>>> = {
  de: async () => (await import('./de/index.ts')).de,
};

/** The language that was chosen, else the first of the browser's that there is, else English. */
export function wantedLanguage(): LanguageCode {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  return wanted.map((code) => code?.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

function isLanguage(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}

/** Takes the texts of the wanted language; English when they cannot be loaded. */
export async function loadTexts(): Promise<void> {
  const code = wantedLanguage();
  const texts = await load[code]?.().catch(() => undefined);
  if (texts) setCatalogue(code, texts);
  document.documentElement.lang = texts ? code : 'en';
}

/** Keeps a choice for the next visits, and draws everything anew in it. */
export function chooseLanguage(code: LanguageCode): void {
  localStorage.setItem(storageKey, code);
  location.reload();
}
