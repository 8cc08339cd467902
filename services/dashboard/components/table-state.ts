/** Sort column and direction. */
export interface TableSort {
  index: number;
  direction: 'asc' | 'desc';
}

/** State of a table in its URL. */
export interface TableState {
  search: string;
  sort: TableSort;
  /** From 1. */
  page: number;
  perPage: number;
}

/** Default state of a table, and the names of its columns in the URL. */
export interface TableDefaults {
  /** Distinguishes tables of one page. Empty for the only one. */
  name: string;
  titles: readonly string[];
  sort: TableSort;
  perPage: number;
}

/** Allowed numbers of rows per page. */
export const pageSizes: readonly number[] = [10, 20, 50, 100];

/** Reads a table's state from the URL of the page. Invalid values become the default. */
export function tableStateOf(query: URLSearchParams, defaults: TableDefaults): TableState {
  const read = (what: string) => query.get(keyOf(defaults.name, what)) ?? '';
  const page = Number(read('page'));
  const perPage = Number(read('rows'));
  return {
    search: read('search'),
    sort: sortOf(read('sort'), defaults),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    perPage: pageSizes.includes(perPage) ? perPage : defaults.perPage,
  };
}

/** The URL's parameters with a table's new state. Defaults are omitted, other parameters stay. */
export function withTableState(query: URLSearchParams, defaults: TableDefaults, state: TableState): URLSearchParams {
  const next = new URLSearchParams(query);
  const { sort } = defaults;
  const isDefaultSort = state.sort.index === sort.index && state.sort.direction === sort.direction;
  const values = {
    search: state.search,
    sort: isDefaultSort ? '' : sortText(state.sort, defaults.titles),
    page: state.page > 1 ? String(state.page) : '',
    rows: state.perPage === defaults.perPage ? '' : String(state.perPage),
  };
  for (const [what, value] of Object.entries(values)) {
    const key = keyOf(defaults.name, what);
    if (value === '') next.delete(key);
    else next.set(key, value);
  }
  return next;
}

const keyOf = (name: string, what: string) => (name === '' ? what : `${name}.${what}`);
const columnName = (title: string) => title.toLowerCase().replaceAll(' ', '-');

function sortText({ index, direction }: TableSort, titles: readonly string[]): string {
  return `${direction === 'desc' ? '-' : ''}${columnName(titles[index] ?? '')}`;
}

function sortOf(text: string, { titles, sort }: TableDefaults): TableSort {
  const direction = text.startsWith('-') ? 'desc' : 'asc';
  const wanted = direction === 'desc' ? text.slice(1) : text;
  const index = titles.findIndex((title) => columnName(title) === wanted);
  return index < 0 ? sort : { index, direction };
}
