import { type ReactNode, useDeferredValue } from 'react';
import type { LiveKind } from '../live/live-entities.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { text } from '../texts/texts.ts';
import { Failure, Loading } from './states.tsx';
import type { TableSort } from './table-state.ts';
import { type Column, type Selection, TableView } from './table-view.tsx';
import { useTableState } from './use-table-state.ts';

/** A page of rows that the server searched and sorted. */
interface Page<Row> {
  rows: readonly Row[];
  total: number;
}

interface PagedTableProps<Row, Result> {
  label: string;
  /** Name of the table in the URL if a page has several. Default: the only table of the page. */
  name?: string;
  /** Whether the server supports search. Default true. */
  isSearched?: boolean;
  /** Path of the list on the internal surface. */
  path: string;
  /** Further query parameters of the list. Empty ones are omitted. */
  query: Readonly<Record<string, string>>;
  pageOf: (result: Result) => Page<Row>;
  /** Columns with `sort` are sortable. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  sortBy: TableSort;
  /** Kinds whose changes trigger a reload. */
  kinds: readonly LiveKind[];
  filters?: ReactNode;
  selection?: (rows: readonly Row[]) => Selection<Row> | undefined;
  /** Shown if the list is empty. */
  empty: ReactNode;
}

/**
 * Changes within this time in milliseconds cause one reload of a list: entities in the stream show values that change
 * every second.
 */
const settleMs = 1_000;

/** A table that the server searches, sorts and pages, as stored in the URL. It follows changes. */
export function PagedTable<Row, Result>(props: PagedTableProps<Row, Result>) {
  const { columns, rowKey, isSearched = true } = props;
  const state = useTableState({
    name: props.name ?? '',
    titles: columns.map(({ name, title }) => name ?? title),
    sort: props.sortBy,
    perPage: 20,
  });
  const sort = columns[state.sort.index]?.sort ?? '';
  const values = {
    ...props.query,
    search: state.search.trim(),
    sort,
    dir: sort === '' ? '' : state.sort.direction,
    page: String(state.page),
    limit: String(state.perPage),
  };
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const list = useStreamQuery<Result>(`${props.path}?${new URLSearchParams(given)}`, props.kinds, { settleMs });
  // Rows are rendered in parts, between which the page responds.
  const shown = useDeferredValue(list.data);
  if (list.isPending || (list.data && !shown)) return <Loading what={props.label} as="table" />;
  if (!shown)
    return <Failure title={text('table.unreadable')} error={list.error} onRetry={() => void list.refetch()} />;
  const { rows, total } = props.pageOf(shown);
  // Without a search, the query is the subject of the list.
  const isFiltered = isSearched && [state.search, ...Object.values(props.query)].some((value) => value !== '');
  // A page that no longer exists after rows were removed counts as none.
  if (rows.length === 0 && !isFiltered && state.page === 1) return props.empty;
  const selection = props.selection?.(rows);
  return (
    <TableView
      label={props.label}
      state={state}
      isSearched={isSearched}
      rows={rows}
      total={total}
      columns={columns}
      rowKey={rowKey}
      filters={props.filters}
      {...(selection ? { selection } : {})}
    />
  );
}
