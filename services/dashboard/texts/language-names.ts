/** Languages of the dashboard by their own names. A new one needs a line here, one in `languages.ts`, and its texts. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** BCP 47 code of a language of the dashboard. */
export type LanguageCode = keyof typeof languages;
