import { useSearchParams } from 'react-router';

/**
 * A value that the URL keeps, so that it survives a reload, can be passed on, and is left with the browser's back
 * button. Empty when it is not there. Another value goes to the first page of the page's table.
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
