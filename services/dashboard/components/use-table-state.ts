import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { type TableDefaults, type TableState, tableStateOf, withTableState } from './table-state.ts';
import { useTypedText } from './use-typed-text.ts';

/** Pause after the last key in milliseconds before the search goes to the URL. The rows change immediately. */
const pauseMs = 300;

/** A table's state and its setters. */
export interface TableControl extends TableState {
  /** Searches, and shows the first page of matches. */
  setSearch: (search: string) => void;
  /** Sets sorting or number of rows, and shows the first page. */
  change: (change: Partial<Omit<TableState, 'search'>>) => void;
}

/**
 * Sorting, search text and page of a table in the URL: they can be shared, survive a reload, and follow the browser's
 * back button.
 */
export function useTableState(defaults: TableDefaults): TableControl {
  const [query, setQuery] = useSearchParams();
  const state = tableStateOf(query, defaults);
  const write = (next: Partial<TableState>, options?: { replace: boolean }) =>
    setQuery((known) => withTableState(known, defaults, { ...tableStateOf(known, defaults), ...next }), options);
  const [text, setText] = useTypedText(state.search, pauseMs, (search) =>
    // One history entry for a search, not one for every letter.
    write({ search, page: 1 }, { replace: state.search !== '' }),
  );
  useEffect(() => {
    // A step back may remove a search before the router has shown it. `useTypedText` then sees no change.
    const follow = () => setText(tableStateOf(new URLSearchParams(window.location.search), defaults).search);
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  return {
    ...state,
    search: text,
    page: text === state.search ? state.page : 1,
    setSearch: setText,
    change: (change) => write({ page: 1, ...change, search: text }),
  };
}
