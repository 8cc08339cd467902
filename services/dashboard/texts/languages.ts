import { type LanguageCode, languages } from './language-names.ts';
import { type ApiNames, addTexts, type FrameTexts, language, type PageTexts, setCatalogue } from './texts.ts';

const storageKey = 'vigil-language';
/** English is always there. The others are loaded when they are wanted. */
const loadFrame: Partial<Record<LanguageCode, () => Promise<{ texts: FrameTexts; names: ApiNames }>>> = {
  de: async () => {
    const { de, deNames } = await import('./de/index.ts');
    return { texts: de, names: deNames };
  },
};
const loadPages: Record<LanguageCode, () => Promise<PageTexts>> = {
  en: async () => (await import('./en/pages.ts')).enPages,
  de: async () => (await import('./de/pages.ts')).dePages,
};

/** The language that was chosen, else the first of the browser's that there is, else English. */
export function wantedLanguage(): LanguageCode {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  return wanted.map((code) => code?.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

function isLanguage(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}

/** Takes the texts of the frame in the wanted language; English when they cannot be loaded. */
export async function loadTexts(): Promise<void> {
  const code = wantedLanguage();
  const known = await loadFrame[code]?.().catch(() => undefined);
  if (known) setCatalogue(code, known.texts, known.names);
  document.documentElement.lang = known ? code : 'en';
}

let pageTexts: Promise<void> | undefined;

/**
 * Takes the texts of the pages in the language of the frame, once. Fails when they cannot be loaded, as a page's code
 * does.
 */
export function loadPageTexts(): Promise<void> {
  pageTexts ??= loadPages[language()]().then(addTexts);
  pageTexts.catch(() => {
    pageTexts = undefined;
  });
  return pageTexts;
}

/** Keeps a choice for the next visits, and draws everything anew in it. */
export function chooseLanguage(code: LanguageCode): void {
  localStorage.setItem(storageKey, code);
  location.reload();
}
