/** Theme of the page: the system's, unless the user selected one. */
export type Theme = 'light' | 'dark';

const storageKey = 'vigil-theme';
const darkClass = 'pf-v6-theme-dark';
const systemIsDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The selected theme, or the system's. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark().matches ? 'dark' : 'light';
}

/**
 * Follows the theme of the system, which may change in the evening, unless the user selected one. Paper is always
 * light. Returns a function that ends this.
 */
export function followSystemTheme(onTheme: (theme: Theme) => void): () => void {
  const system = systemIsDark();
  const follow = () => {
    applyTheme(currentTheme());
    onTheme(currentTheme());
  };
  const print = window.matchMedia('print');
  const onPrint = () => applyTheme(print.matches ? 'light' : currentTheme());
  system.addEventListener('change', follow);
  print.addEventListener('change', onPrint);
  return () => {
    system.removeEventListener('change', follow);
    print.removeEventListener('change', onPrint);
  };
}

/** Applies a theme to the page. */
export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle(darkClass, theme === 'dark');
}

/** Stores a selection for the next visit, and applies it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme(theme);
}
