import { isDeepStrictEqual } from 'node:util';
import type { Goal, IdSource, IndicatorSpecification, JsonObject, Logger, Strategy } from '#libs/domain';
import type { GoalPlugin, ScoringEnginePlugin, StrategyPlugin } from '#libs/plugin-kit';
import type { Store, StrategyView, UnitOfWork } from '#libs/store';
import { syncScoringEngines } from './sync-scoring-engines.ts';

export interface SyncResult {
  created: string[];
  changed: string[];
  removed: string[];
}

export interface SyncDeps {
  newUuid: IdSource;
  logger: Logger;
  /** Keeps stored entries that are not loaded: a broken plugin is not a removed one. Default false. */
  keepMissing?: boolean;
}

/**
 * Makes the stored goals, strategies and scoring engines equal to the loaded plugins, in one transaction under a lock,
 * so that engines that start together do not collide. A changed one keeps its row and uuid, and so its name in every
 * audit and plan, ended ones too; Watcher makes a new row, and cancels the plans of the old one.
 */
export async function syncCatalogue(
  store: Store,
  plugins: {
    goals: readonly GoalPlugin[];
    strategies: readonly StrategyPlugin[];
    /** Default none. */
    scoringEngines?: readonly ScoringEnginePlugin[];
  },
  deps: SyncDeps,
): Promise<SyncResult> {
  const result = await store.transaction(async (unit) => {
    await unit.lock('catalogue-sync');
    const changes: SyncResult = { created: [], changed: [], removed: [] };
    const goals = await syncGoals(unit, plugins.goals, deps, changes);
    await syncStrategies(unit, plugins.strategies, goals, deps, changes);
    await syncScoringEngines(unit, plugins.scoringEngines ?? [], deps.newUuid, changes, deps);
    return changes;
  });
  deps.logger.info(result, 'goals, strategies and scoring engines synchronized with plugins');
  return result;
}

async function syncGoals(
  unit: UnitOfWork,
  plugins: readonly GoalPlugin[],
  { newUuid, keepMissing }: SyncDeps,
  changes: SyncResult,
): Promise<Map<string, Goal>> {
  const stored = new Map((await unit.goals.list()).map((goal) => [goal.name, goal]));
  const current = new Map<string, Goal>();
  for (const plugin of plugins) {
    const row = stored.get(plugin.name);
    const efficacySpecification = specificationOf(plugin);
    if (
      row &&
      row.displayName === plugin.displayName &&
      isDeepStrictEqual(row.efficacySpecification, efficacySpecification)
    ) {
      current.set(plugin.name, row);
      continue;
    }
    const values = { displayName: plugin.displayName, efficacySpecification };
    current.set(
      plugin.name,
      row
        ? await unit.goals.update(row.uuid, values)
        : await unit.goals.insert({ uuid: newUuid(), name: plugin.name, ...values }),
    );
    (row ? changes.changed : changes.created).push(`goal ${plugin.name}`);
  }
  for (const row of stored.values()) {
    if (current.has(row.name) || keepMissing) continue;
    await unit.goals.softDelete(row.uuid);
    changes.removed.push(`goal ${row.name}`);
  }
  return current;
}

function specificationOf(plugin: GoalPlugin): IndicatorSpecification[] {
  return plugin.indicators.map(({ name, description, unit, schema }) => ({
    name,
    description,
    unit,
    schema: JSON.stringify(schema),
  }));
}

async function syncStrategies(
  unit: UnitOfWork,
  plugins: readonly StrategyPlugin[],
  goals: Map<string, Goal>,
  { newUuid, keepMissing }: SyncDeps,
  changes: SyncResult,
): Promise<void> {
  const stored = new Map((await unit.strategies.list()).map((strategy) => [strategy.name, strategy]));
  const names = new Set<string>();
  for (const { manifest } of plugins) {
    const goal = goals.get(manifest.goal);
    if (!goal) throw new Error(`strategy ${manifest.name} serves goal ${manifest.goal}, which is not loaded`);
    names.add(manifest.name);
    const row = stored.get(manifest.name);
    if (row && isUnchanged(row, goal, manifest)) continue;
    const { name, displayName, parameters } = manifest;
    const values = { displayName, goalId: goal.id, parametersSpec: parameters };
    if (row) await unit.strategies.update(row.uuid, values);
    else await unit.strategies.insert({ uuid: newUuid(), name, ...values });
    if (row && row.goalId !== goal.id) await followToGoal(unit, row, goal);
    (row ? changes.changed : changes.created).push(`strategy ${name}`);
  }
  const gone = keepMissing ? [] : [...stored.values()].filter(({ name }) => !names.has(name));
  for (const row of gone) {
    await unit.strategies.softDelete(row.uuid);
    await releaseFrom(unit, row);
    changes.removed.push(`strategy ${row.name}`);
  }
}

function isUnchanged(
  row: StrategyView,
  goal: Goal,
  manifest: { displayName: string; parameters: JsonObject },
): boolean {
  return (
    row.goalId === goal.id &&
    row.displayName === manifest.displayName &&
    isDeepStrictEqual(row.parametersSpec, manifest.parameters)
  );
}

const unfinished = { field: 'state', op: 'in', value: ['PENDING', 'ONGOING', 'SUSPENDED'] } as const;

/** A strategy serves another goal now: its waiting audits move to that goal. */
async function followToGoal(unit: UnitOfWork, { id }: Strategy, goal: Goal): Promise<void> {
  const ofStrategy = { field: 'strategyId', value: id } as const;
  for (const template of await unit.auditTemplates.list({ filters: [ofStrategy] }))
    await unit.auditTemplates.update(template.uuid, { goalId: goal.id });
  for (const audit of await unit.audits.list({ filters: [ofStrategy, unfinished] }))
    await unit.audits.update(audit.uuid, { goalId: goal.id });
}

/** The strategy was removed. Templates fall back to any strategy of their goal, waiting audits are cancelled. */
async function releaseFrom(unit: UnitOfWork, old: Strategy): Promise<void> {
  const ofStrategy = { field: 'strategyId', value: old.id } as const;
  for (const template of await unit.auditTemplates.list({ filters: [ofStrategy] }))
    await unit.auditTemplates.update(template.uuid, { strategyId: null });
  const statusMessage = `Strategy ${old.name} is no longer available.`;
  // Running audits end normally. A CONTINUOUS audit reports the missing strategy at its next run, and waits for it.
  for (const audit of await unit.audits.list({ filters: [ofStrategy, { field: 'state', value: 'PENDING' }] }))
    await unit.audits.transition(audit.uuid, 'cancel', { set: { statusMessage } });
  for (const plan of await unit.actionPlans.list({ filters: [ofStrategy, { field: 'state', value: 'RECOMMENDED' }] }))
    await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart', { set: { statusMessage } });
}
