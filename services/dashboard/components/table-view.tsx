import { Checkbox, SearchInput, Toolbar, ToolbarContent, ToolbarGroup, ToolbarItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { ReactNode } from 'react';
import { inSentence, text } from '../texts/texts.ts';
import { areNumbers, numberCell } from './number-cells.ts';
import { Nothing } from './states.tsx';
import { pageSizes } from './table-state.ts';
import type { TableControl } from './use-table-state.ts';
import { Pagination } from './worded-parts.tsx';

/** A column: its cells, and its values for sorting and search. */
export interface Column<Row> {
  title: string;
  /** Its name in the URL if the title depends on the language. Default: the title. */
  name?: string;
  /** Default: its value unchanged. */
  render?: (row: Row) => ReactNode;
  /** Without it, the column is neither sortable nor searchable. */
  value?: (row: Row) => string | number | null;
  /** Rank of a row in the order of the column. Default: that of its values. */
  rank?: (row: Row) => number;
  /** Sort key of the server. */
  sort?: string;
  /** Its cells do not wrap. Default false. */
  isWhole?: boolean;
  /** Its cells are aligned as numbers. Default: whether all shown texts of it are numbers. */
  isNumber?: boolean;
}

/** Selected rows by key. */
export interface Selection<Row> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  canChoose: (row: Row) => boolean;
  /** Name of a row for screen readers. */
  nameOf: (row: Row) => string;
}

interface TableViewProps<Row> {
  label: string;
  /** State of the table in the URL, and its setter. `page` is an existing page. */
  state: TableControl;
  /** Rows of the page. */
  rows: readonly Row[];
  /** Rows of all pages. */
  total: number;
  /** Rows that the checkbox in the header selects. Default: those of the page. */
  everyRow?: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Whether there is a search field. Default true. */
  isSearched?: boolean;
  filters?: ReactNode;
  selection?: Selection<Row> | undefined;
}

/** A table with search and paging, independent of the source of its rows. */
export function TableView<Row>(props: TableViewProps<Row>) {
  const { label, state, rows: shown, total, columns, rowKey, filters, selection, isSearched = true } = props;
  const { search, sort, page, perPage, setSearch, change } = state;
  const what = inSentence(label);
  const cells = columns.map((column) => shown.map((row) => (column.render ?? column.value)?.(row)));
  const alignments = columns.map(({ isNumber }, at) => numberCell(isNumber ?? areNumbers(cells[at] ?? [])));
  const paging = {
    itemCount: total,
    page,
    perPage,
    perPageOptions: pageSizes.map((value) => ({ title: String(value), value })),
    onSetPage: (_event: unknown, next: number) => change({ page: next }),
    onPerPageSelect: (_event: unknown, next: number) => change({ perPage: next }),
  };
  return (
    <div>
      <Toolbar>
        <ToolbarContent>
          {isSearched && (
            <ToolbarItem>
              <SearchInput
                aria-label={text('table.searchFor', { what })}
                placeholder={text('table.search')}
                resetButtonLabel={text('table.clear')}
                value={search}
                onChange={(_event, value) => setSearch(value)}
                onClear={() => setSearch('')}
              />
            </ToolbarItem>
          )}
          {filters && <ToolbarGroup>{filters}</ToolbarGroup>}
          <ToolbarItem align={{ default: 'alignEnd' }}>
            <Pagination {...paging} isCompact label={text('table.pages', { what })} />
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      {shown.length === 0 ? (
        <Nothing title={text('table.nothing')}>
          {(search !== '' || filters !== undefined) && text('table.nothingHint')}
        </Nothing>
      ) : (
        <div className="vigil-scroll" data-testid="table-box">
          <Table aria-label={label} variant="compact">
            <Thead>
              <Tr>
                {selection && <ChooseAll rows={props.everyRow ?? shown} rowKey={rowKey} selection={selection} />}
                {columns.map((column, at) => (
                  <Th
                    key={column.title}
                    modifier="wrap"
                    {...alignments[at]}
                    {...(column.value || column.sort
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
              {shown.map((row, place) => (
                <Tr key={rowKey(row)}>
                  {selection && <Choose row={row} rowKey={rowKey} selection={selection} />}
                  {columns.map((column, at) => (
                    <Td
                      key={column.title}
                      dataLabel={column.title}
                      {...alignments[at]}
                      {...(column.isWhole ? { modifier: 'nowrap' } : {})}
                    >
                      {/* One element: on a phone, texts and elements of a cell would otherwise be separate rows. */}
                      <div>{filled(cells[at]?.[place])}</div>
                    </Td>
                  ))}
                </Tr>
              ))}
            </Tbody>
          </Table>
        </div>
      )}
      {/* On a phone, only this paging has buttons. */}
      {total > perPage && (
        <Pagination
          {...paging}
          variant="bottom"
          widgetId={`${what.replaceAll(' ', '-')}-pages`}
          label={text('table.pagesBelow', { list: what })}
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

/** Selects all found rows, including those on other pages. */
function ChooseAll<Row>({ rows, rowKey, selection }: ChooseAllProps<Row>) {
  const keys = rows.filter(selection.canChoose).map(rowKey);
  const isSelected = keys.length > 0 && keys.every((key) => selection.chosen.has(key));
  return (
    <Th
      aria-label={text('table.chooseAll')}
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
    <Td dataLabel={text('table.choose')}>
      <Checkbox
        id={`choose-${key}`}
        aria-label={text('table.chooseOne', { name: nameOf(row) })}
        isChecked={chosen.has(key)}
        isDisabled={!canChoose(row)}
        onChange={(_event, isTicked) =>
          onChange(new Set(isTicked ? [...chosen, key] : [...chosen].filter((known) => known !== key)))
        }
      />
    </Td>
  );
}

/** Text of an empty cell. */
function filled(cell: ReactNode): ReactNode {
  return cell === null || cell === undefined || cell === '' ? '–' : cell;
}
