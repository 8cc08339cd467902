import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type TableDefaults, type TableState, tableStateOf, withTableState } from './table-state.ts';

/** Time without a key in milliseconds after which what is searched goes to the URL. The rows follow at once. */
const pauseMs = 300;

/** A table's state, and what changes it. */
export interface TableControl extends TableState {
  /** Shows the first page of what fits. */
  setSearch: (search: string) => void;
  /** Another sorting or number of rows also goes to the first page. */
  change: (change: Partial<Omit<TableState, 'search'>>) => void;
}

/**
 * Sorting, search text and page of a table, kept in the URL: they can be passed on, survive a reload, and the browser's
 * back button goes a step back.
 */
export function useTableState(defaults: TableDefaults): TableControl {
  const [query, setQuery] = useSearchParams();
  const state = tableStateOf(query, defaults);
  const [text, setText] = useState(state.search);
  const write = (next: Partial<TableState>, options?: { replace: boolean }) =>
    setQuery((known) => withTableState(known, defaults, { ...tableStateOf(known, defaults), ...next }), options);
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => setText(state.search), [state.search]);
  useEffect(() => {
    // A step back may take away a search that the router has not shown yet: then nothing has changed for the line
    // above.
    const follow = () => setText(tableStateOf(new URLSearchParams(window.location.search), defaults).search);
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  useEffect(() => {
    if (text === state.search) return;
    // One step back for a search, not one for every letter.
    const timer = setTimeout(
      () => latest.current({ search: text, page: 1 }, { replace: state.search !== '' }),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [text]);
  return {
    ...state,
    search: text,
    page: text === state.search ? state.page : 1,
    setSearch: setText,
    change: (change) => write({ page: 1, ...change, search: text }),
  };
}
