import { useSearchParams } from 'react-router';

/** A value that the URL keeps, so that it survives a reload and can be passed on; empty when it is not there. */
export function useQueryValue(name: string): [value: string, set: (value: string) => void] {
  const [query, setQuery] = useSearchParams();
  const set = (value: string) =>
    setQuery(
      (known) => {
        if (value === '') known.delete(name);
        else known.set(name, value);
        return known;
      },
      { replace: true },
    );
  return [query.get(name) ?? '', set];
}
