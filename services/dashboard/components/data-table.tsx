import {
  Checkbox,
  Pagination,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { Nothing } from './states.tsx';
import { pageSizes, type TableSort } from './table-state.ts';
import { useTableState } from './use-table-state.ts';

/** A column: what it shows, and what it is sorted and searched by. */
export interface Column<Row> {
  title: string;
  render: (row: Row) => ReactNode;
  /** Without it, the column is neither sorted nor searched. */
  value?: (row: Row) => string | number | null;
  /** Its cells are not broken into lines; default false. */
  isWhole?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Tells it apart in the URL where a page has several tables; default: the page's only one. */
  name?: string;
  /** Column that rows are sorted by at first. */
  sortBy?: TableSort;
  /** Further filters, left of the paging. */
  filters?: ReactNode;
  /** Whether the filters hold rows back: nothing left then means that nothing matches. */
  isFiltered?: boolean;
  empty?: ReactNode;
  perPage?: number;
  selection?: Selection<Row>;
}

/** Rows that are ticked, by their keys. */
interface Selection<Row> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  canChoose: (row: Row) => boolean;
  /** What a row is called, for those who cannot see it. */
  nameOf: (row: Row) => string;
}

const firstColumn: TableSort = { index: 0, direction: 'asc' };

/** A table that is searched, sorted and paged in the browser, as the URL says; only the rows of the page are drawn. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, filters, empty, isFiltered = false, selection } = props;
  const { search, sort, page, perPage, setSearch, change } = useTableState({
    name: props.name ?? '',
    titles: columns.map(({ title }) => title),
    sort: props.sortBy ?? firstColumn,
    perPage: props.perPage ?? 20,
  });
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => rows.filter((row) => matches(row, columns, wanted)), [rows, columns, wanted]);
  const sorted = useMemo(
    () => sortRows(found, columns[sort.index], sort.direction),
    [found, columns, sort.index, sort.direction],
  );
  const last = Math.max(1, Math.ceil(sorted.length / perPage));
  const current = Math.min(page, last);
  const shown = sorted.slice((current - 1) * perPage, current * perPage);
  const what = label.toLowerCase();
  const items = sorted.length === 1 ? 'row' : 'rows';
  const paging = {
    itemCount: sorted.length,
    page: current,
    perPage,
    perPageOptions: pageSizes.map((value) => ({ title: String(value), value })),
    onSetPage: (_event: unknown, next: number) => change({ page: next }),
    onPerPageSelect: (_event: unknown, next: number) => change({ perPage: next }),
  };
  if (rows.length === 0 && !isFiltered) return empty ?? <Nothing title={`No ${what}`} />;
  return (
    <div>
      <Toolbar>
        <ToolbarContent>
          <ToolbarItem>
            <SearchInput
              aria-label={`Search ${what}`}
              placeholder="Search"
              value={search}
              onChange={(_event, value) => setSearch(value)}
              onClear={() => setSearch('')}
            />
          </ToolbarItem>
          {filters && <ToolbarGroup>{filters}</ToolbarGroup>}
          <ToolbarItem align={{ default: 'alignEnd' }}>
            <Pagination {...paging} isCompact titles={{ paginationAriaLabel: `Pages of ${what}`, items }} />
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      {shown.length === 0 ? (
        <Nothing title="Nothing matches">Change the search or the filters.</Nothing>
      ) : (
        <div className="vigil-scroll">
          <Table aria-label={label} variant="compact">
            <Thead>
              <Tr>
                {selection && <ChooseAll rows={sorted} rowKey={rowKey} selection={selection} />}
                {columns.map((column, at) => (
                  <Th
                    key={column.title}
                    modifier="nowrap"
                    {...(column.value
                      ? {
                          sort: {
                            sortBy: sort,
                            columnIndex: at,
                            onSort: (_event, index, direction) => change({ sort: { index, direction } }),
                          },
                        }
                      : {})}
                  >
                    {column.title}
                  </Th>
                ))}
              </Tr>
            </Thead>
            <Tbody>
              {shown.map((row) => (
                <Tr key={rowKey(row)}>
                  {selection && <Choose row={row} rowKey={rowKey} selection={selection} />}
                  {columns.map((column) => (
                    <Td key={column.title} dataLabel={column.title} {...(column.isWhole ? { modifier: 'nowrap' } : {})}>
                      {filled(column.render(row))}
                    </Td>
                  ))}
                </Tr>
              ))}
            </Tbody>
          </Table>
        </div>
      )}
      {/* On a phone it is the only one with buttons. */}
      {sorted.length > perPage && (
        <Pagination
          {...paging}
          variant="bottom"
          widgetId={`${what.replaceAll(' ', '-')}-pages`}
          titles={{ paginationAriaLabel: `Pages of ${what}, below`, items }}
        />
      )}
    </div>
  );
}

interface ChooseAllProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  selection: Selection<Row>;
}

/** Ticks every row that was found, also those of other pages. */
function ChooseAll<Row>({ rows, rowKey, selection }: ChooseAllProps<Row>) {
  const keys = rows.filter(selection.canChoose).map(rowKey);
  const isSelected = keys.length > 0 && keys.every((key) => selection.chosen.has(key));
  return (
    <Th
      aria-label="Choose every row"
      select={{
        isSelected,
        isHeaderSelectDisabled: keys.length === 0,
        onSelect: (_event, isTicked) => selection.onChange(new Set(isTicked ? keys : [])),
      }}
    />
  );
}

interface ChooseProps<Row> {
  row: Row;
  rowKey: (row: Row) => string;
  selection: Selection<Row>;
}

function Choose<Row>({ row, rowKey, selection }: ChooseProps<Row>) {
  const { chosen, canChoose, onChange, nameOf } = selection;
  const key = rowKey(row);
  return (
    <Td dataLabel="Choose">
      <Checkbox
        id={`choose-${key}`}
        aria-label={`Choose ${nameOf(row)}`}
        isChecked={chosen.has(key)}
        isDisabled={!canChoose(row)}
        onChange={(_event, isTicked) =>
          onChange(new Set(isTicked ? [...chosen, key] : [...chosen].filter((known) => known !== key)))
        }
      />
    </Td>
  );
}

/** A cell with nothing in it says so. */
function filled(cell: ReactNode): ReactNode {
  return cell === null || cell === undefined || cell === '' ? '–' : cell;
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
  const value = column?.value;
  if (!value) return [...rows];
  const sign = direction === 'asc' ? 1 : -1;
  return [...rows].sort((left, right) => sign * compare(value(left), value(right)));
}

function compare(left: string | number | null, right: string | number | null): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left ?? '').localeCompare(String(right ?? ''), 'en', { numeric: true });
}
