import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { inSentence, text } from '../texts/texts.ts';
import { compareNames } from './compare-names.ts';
import { Nothing } from './states.tsx';
import type { TableSort } from './table-state.ts';
import { type Column, type Selection, TableView } from './table-view.tsx';
import { useTableState } from './use-table-state.ts';

export type { Column } from './table-view.tsx';

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Name of the table in the URL if a page has several. Default: the only table of the page. */
  name?: string;
  /** Initial sort column. */
  sortBy?: TableSort;
  /** Further filters, left of the paging. */
  filters?: ReactNode;
  /** Whether filters hide rows: an empty table then shows "no matches". */
  isFiltered?: boolean;
  empty?: ReactNode;
  perPage?: number;
  selection?: Selection<Row>;
}

const firstColumn: TableSort = { index: 0, direction: 'asc' };

/**
 * A table with search, sorting and paging in the browser, as stored in the URL. It renders only the rows of the page.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, filters, empty, isFiltered = false, selection } = props;
  const state = useTableState({
    name: props.name ?? '',
    titles: columns.map(({ name, title }) => name ?? title),
    sort: props.sortBy ?? firstColumn,
    perPage: props.perPage ?? 20,
  });
  const { search, sort, page, perPage } = state;
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => rows.filter((row) => matches(row, columns, wanted)), [rows, columns, wanted]);
  const sorted = useMemo(
    () => sortRows(found, columns[sort.index], sort.direction),
    [found, columns, sort.index, sort.direction],
  );
  const current = Math.min(page, Math.max(1, Math.ceil(sorted.length / perPage)));
  if (rows.length === 0 && !isFiltered)
    return empty ?? <Nothing title={text('table.none', { what: inSentence(label) })} />;
  return (
    <TableView
      label={label}
      state={{ ...state, page: current }}
      rows={sorted.slice((current - 1) * perPage, current * perPage)}
      total={sorted.length}
      everyRow={sorted}
      columns={columns}
      rowKey={rowKey}
      filters={filters}
      selection={selection}
    />
  );
}

function matches<Row>(row: Row, columns: readonly Column<Row>[], wanted: string): boolean {
  if (wanted === '') return true;
  return columns.some((column) =>
    String(column.value?.(row) ?? '')
      .toLowerCase()
      .includes(wanted),
  );
}

function sortRows<Row>(rows: readonly Row[], column: Column<Row> | undefined, direction: 'asc' | 'desc'): Row[] {
  const value = column?.value && (column.rank ?? column.value);
  if (!value) return [...rows];
  const sign = direction === 'asc' ? 1 : -1;
  return [...rows].sort((left, right) => sign * compare(value(left), value(right)));
}

function compare(left: string | number | null, right: string | number | null): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return compareNames(String(left ?? ''), String(right ?? ''));
}
