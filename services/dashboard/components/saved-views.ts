/** A named state of a page: its filters, sorting and columns. */
export interface SavedView {
  name: string;
  /** Query of the URL without its question mark. */
  query: string;
}

/** Views of one user and page at most. */
export const maxViews = 30;
/** Characters of a name at most. */
export const longestViewName = 60;
/** Characters of a query at most. Longer ones are not saved. */
export const longestQuery = 2000;

/** Parameters that name a place on the page instead of a view of it. */
const places = ['page', 'action'];

/** Storage of views, such as `localStorage`. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** User and page of views. */
interface ViewOwner {
  /** Name of the signed-in user. */
  user: string;
  /** Such as `plans`. */
  page: string;
}

/** Saves, lists and removes the views of one user and page in this browser. */
interface SavedViews {
  /** By name. Entries that do not have the form of a view are left out. */
  list(): SavedView[];
  /** Stores views, at most `maxViews`. Returns false if the storage of the browser is full or disabled. */
  keep(views: readonly SavedView[]): boolean;
}

/** Views of a user and page in `storage`. */
export function createSavedViews(storage: () => Storage, { user, page }: ViewOwner): SavedViews {
  const key = `vigil-views:${encodeURIComponent(user)}:${page}`;
  return {
    list() {
      try {
        return viewsIn(JSON.parse(storage().getItem(key) ?? '[]'));
      } catch {
        return [];
      }
    },
    keep(views) {
      try {
        if (views.length === 0) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(viewsIn(views)));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The query of a page for a view, without the page of a table and the selected row. */
export function queryOfView(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()])
    if (places.some((place) => name === place || name.endsWith(`.${place}`))) query.delete(name);
  query.sort();
  return query.toString();
}

/** Whether a text can be the name of a view beside `others`. */
export function isViewName(name: string, others: readonly SavedView[]): boolean {
  const wanted = name.trim();
  return wanted !== '' && wanted.length <= longestViewName && others.every((view) => view.name !== wanted);
}

/** The valid views in a stored value: of the right form and length, one of each name. */
function viewsIn(stored: unknown): SavedView[] {
  const found = new Map<string, SavedView>();
  for (const entry of Array.isArray(stored) ? stored : []) {
    const { name, query } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    if (typeof name !== 'string' || typeof query !== 'string' || query.length > longestQuery) continue;
    if (!isViewName(name, [])) continue;
    found.set(name.trim(), { name: name.trim(), query: queryOfView(query) });
  }
  const views = [...found.values()].slice(0, maxViews);
  return views.sort((a, b) => a.name.localeCompare(b.name));
}
