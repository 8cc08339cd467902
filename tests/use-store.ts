import { silentLogger } from '#libs/domain';
import { createStore, type Store } from '#libs/store';
import { atEnd } from './at-end.ts';
import { type DatabaseWorld, useDatabase, useSql } from './use-database.ts';

type StoreOptions = Parameters<typeof createStore>[0];

/** A store on a database that exists until the scope ends. */
export interface StoreWorld extends DatabaseWorld {
  store: Store;
}

/** A store on the database at `url`, closed when the scope ends. Closing it earlier is allowed. */
export async function connectStore(url: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await createStore({ url, logger: silentLogger, ...options });
  atEnd(() => store.close());
  return store;
}

/**
 * As `useDatabase`, with a store: `const { store, url, sql } = await useStore();`
 * @param options of the store. With `url` it uses that database, such as that of another store.
 */
export async function useStore(options: Partial<StoreOptions> = {}): Promise<StoreWorld> {
  const { url } = options;
  const database = url === undefined ? await useDatabase() : { url, sql: useSql(url) };
  return { ...database, store: await connectStore(database.url, options) };
}
