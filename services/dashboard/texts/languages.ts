import { type LanguageCode, languages } from './language-names.ts';
import {
  type ApiNames,
  addTexts,
  type FrameTexts,
  language,
  type PageTexts,
  setCatalogue,
  setDescriptions,
  setSentences,
} from './texts.ts';

const storageKey = 'vigil-language';
/** English is always loaded. The others are loaded on demand. */
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

/** The selected language, otherwise the first available one of the browser, otherwise English. */
export function wantedLanguage(): LanguageCode {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  return wanted.map((code) => code?.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

function isLanguage(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}

/** Loads the texts of the frame in a language. Falls back to English if that fails. */
export async function loadTexts(): Promise<void> {
  const code = wantedLanguage();
  const known = await loadFrame[code]?.().catch(() => undefined);
  if (known) setCatalogue(code, known.texts, known.names);
  document.documentElement.lang = known ? code : 'en';
}

let pageTexts: Promise<void> | undefined;

/** Loads the texts of the pages in the language of the frame, once. Rejects if that fails, as a page's code does. */
export function loadPageTexts(): Promise<void> {
  pageTexts ??= loadPages[language()]().then(addTexts);
  pageTexts.catch(() => {
    pageTexts = undefined;
  });
  return pageTexts;
}

/** Loads translated descriptions of goals, strategies and parameters. They stay in English if that fails. */
export async function loadDescriptions(): Promise<void> {
  if (language() !== 'de') return;
  const known = await import('./de/descriptions.ts').catch(() => undefined);
  if (known) setDescriptions(known.deDescriptions);
}

/** Loads translated sentences of the server. They stay in English if that fails. */
export async function loadSentences(): Promise<void> {
  if (language() !== 'de') return;
  const known = await Promise.all([import('./de/sentences.ts'), import('./sentence-forms.ts')]).catch(() => undefined);
  if (!known) return;
  const [{ deSentences }, { sentenceReader }] = known;
  setSentences(sentenceReader(deSentences, language()));
}

/** Stores a selection for the next visits, and renders the page in it. */
export function chooseLanguage(code: LanguageCode): void {
  localStorage.setItem(storageKey, code);
  location.reload();
}
