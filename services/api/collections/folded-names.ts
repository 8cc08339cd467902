import type { Store } from '#libs/store';

interface NamedReader<View> {
  find(ident: string, options?: { showDeleted?: boolean }): Promise<View | null>;
  list(query?: { showDeleted?: boolean }): Promise<View[]>;
}

/**
 * The store with names of goals, strategies and scoring engines found whatever their case, as on Watcher's databases.
 * An exact match is preferred; these catalogues have some dozens of rows, so the others are compared here.
 */
export function withFoldedNames(store: Store): Store {
  const { db } = store;
  return {
    ...store,
    db: {
      ...db,
      goals: { ...db.goals, find: foldedFind(db.goals) },
      strategies: { ...db.strategies, find: foldedFind(db.strategies) },
      scoringEngines: { ...db.scoringEngines, find: foldedFind(db.scoringEngines) },
    },
  };
}

function foldedFind<View extends { name: string }>(reader: NamedReader<View>): NamedReader<View>['find'] {
  return async (ident, options) => {
    const exact = await reader.find(ident, options);
    if (exact !== null) return exact;
    const rows = await reader.list(options);
    return rows.find((row) => row.name.toLowerCase() === ident.toLowerCase()) ?? null;
  };
}
