/** Colours of the page: as the system says, unless the person chose. */
export type Theme = 'light' | 'dark';

const storageKey = 'vigil-theme';
const darkClass = 'pf-v6-theme-dark';
const systemIsDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The theme that was chosen, or the system's. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark().matches ? 'dark' : 'light';
}

/** Follows the system, which may turn dark in the evening, unless the person chose. Returns how to end that. */
export function followSystemTheme(onTheme: (theme: Theme) => void): () => void {
  const system = systemIsDark();
  const follow = () => {
    applyTheme(currentTheme());
    onTheme(currentTheme());
  };
  system.addEventListener('change', follow);
  return () => system.removeEventListener('change', follow);
}

/** Shows the page in a theme. */
export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle(darkClass, theme === 'dark');
}

/** Keeps a choice for the next visit, and shows it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme(theme);
}
