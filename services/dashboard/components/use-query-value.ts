import { useSearchParams } from 'react-router';

/**
 * A value in the URL, so that it survives a reload, can be shared, and follows the browser's back button. Empty if
 * absent. A new value resets the table of the page to its first page.
 */
export function useQueryValue(name: string): [value: string, set: (value: string) => void] {
  const [query, setQuery] = useSearchParams();
  const set = (value: string) =>
    setQuery((known) => {
      if (value === '') known.delete(name);
      else known.set(name, value);
      known.delete('page');
      return known;
    });
  return [query.get(name) ?? '', set];
}
