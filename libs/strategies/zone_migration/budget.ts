import type { ZoneMigrationParameters } from './parameters.ts';

/** Remaining migrations of the plan in total, by compute node and by storage pool. */
export interface Budget {
  /** Whether the plan has reached its total limit. */
  isSpent(): boolean;
  hasRoom(kind: 'node' | 'pool', name: string): boolean;
  spend(kind: 'node' | 'pool', name: string): void;
  /** Number of candidates that a limit has held back. */
  postponed: number;
}

/** Creates an unspent budget. */
export function createBudget(parameters: ZoneMigrationParameters): Budget {
  const { parallel_total: total, parallel_per_node: node, parallel_per_pool: pool } = parameters;
  const limits = { node, pool };
  const spent = new Map<string, number>();
  let all = 0;
  return {
    postponed: 0,
    isSpent: () => all >= total,
    hasRoom: (kind, name) => (spent.get(`${kind} ${name}`) ?? 0) < limits[kind],
    spend(kind, name) {
      all++;
      spent.set(`${kind} ${name}`, (spent.get(`${kind} ${name}`) ?? 0) + 1);
    },
  };
}
