import type { ZoneMigrationParameters } from './parameters.ts';

/** How many migrations the plan may still take, as a whole, by compute node and by storage pool. */
export interface Budget {
  /** Whether the plan as a whole is full. */
  isSpent(): boolean;
  hasRoom(kind: 'node' | 'pool', name: string): boolean;
  spend(kind: 'node' | 'pool', name: string): void;
  /** Candidates that a limit has held back so far. */
  postponed: number;
}

/** A budget with nothing spent. */
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
