import { isDeepStrictEqual } from 'node:util';
import type { Goal, IdSource, IndicatorSpecification, JsonObject, Logger, Strategy } from '#libs/domain';
import type { GoalPlugin, ScoringEnginePlugin, StrategyPlugin } from '#libs/plugin-kit';
import type { Store, StrategyView, UnitOfWork } from '#libs/store';
import { syncScoringEngines } from './sync-scoring-engines.ts';

export interface SyncResult {
  created: string[];
  replaced: string[];
  removed: string[];
}

export interface SyncDeps {
  newUuid: IdSource;
  logger: Logger;
  /** Leaves what is stored and not loaded alone: a plugin that is broken today is not gone. Default false. */
  keepMissing?: boolean;
}

/**
 * Makes the stored goals, strategies and scoring engines equal to the loaded plugins, in one transaction under a
 * lock, so that engines that start together do not collide. A changed one is soft-deleted and created anew, as Watcher
 * does; templates and unfinished audits and plans follow it, finished ones keep what they were made with.
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
    const changes: SyncResult = { created: [], replaced: [], removed: [] };
    const goals = await syncGoals(unit, plugins.goals, deps, changes);
    await syncStrategies(unit, plugins.strategies, goals, deps, changes);
    await syncScoringEngines(unit, plugins.scoringEngines ?? [], deps.newUuid, changes, deps);
    return changes;
  });
  deps.logger.info(result, 'goals, strategies and scoring engines are in step with the plugins');
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
    if (row) await unit.goals.softDelete(row.uuid);
    const fresh = await unit.goals.insert({
      uuid: newUuid(),
      name: plugin.name,
      displayName: plugin.displayName,
      efficacySpecification,
    });
    current.set(plugin.name, fresh);
    if (row) await repointGoal(unit, row, fresh);
    (row ? changes.replaced : changes.created).push(`goal ${plugin.name}`);
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
    if (row) await unit.strategies.softDelete(row.uuid);
    const fresh = await unit.strategies.insert({
      uuid: newUuid(),
      name: manifest.name,
      displayName: manifest.displayName,
      goalId: goal.id,
      parametersSpec: manifest.parameters,
    });
    if (row) await repointStrategy(unit, row, fresh);
    (row ? changes.replaced : changes.created).push(`strategy ${manifest.name}`);
  }
  const gone = keepMissing ? [] : [...stored.values()].filter(({ name }) => !names.has(name));
  for (const row of gone) {
    await unit.strategies.softDelete(row.uuid);
    await repointStrategy(unit, row, null);
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

async function repointGoal(unit: UnitOfWork, old: Goal, fresh: Goal): Promise<void> {
  for (const template of await unit.auditTemplates.list({ filters: [{ field: 'goalId', value: old.id }] }))
    await unit.auditTemplates.update(template.uuid, { goalId: fresh.id });
  for (const audit of await unit.audits.list({ filters: [{ field: 'goalId', value: old.id }, unfinished] }))
    await unit.audits.update(audit.uuid, { goalId: fresh.id });
}

const unfinished = { field: 'state', op: 'in', value: ['PENDING', 'ONGOING', 'SUSPENDED'] } as const;

/** `fresh` null: the strategy is gone; templates fall back to any strategy of their goal, what waits is cancelled. */
async function repointStrategy(unit: UnitOfWork, old: Strategy, fresh: Strategy | null): Promise<void> {
  for (const template of await unit.auditTemplates.list({ filters: [{ field: 'strategyId', value: old.id }] }))
    await unit.auditTemplates.update(template.uuid, { strategyId: fresh?.id ?? null });
  const statusMessage = `Strategy ${old.name} ${fresh ? 'has changed' : 'is no longer available'}.`;
  for (const audit of await unit.audits.list({
    filters: [{ field: 'strategyId', value: old.id }, unfinished],
  })) {
    if (fresh) await unit.audits.update(audit.uuid, { strategyId: fresh.id });
    // What runs already ends by itself; a CONTINUOUS audit tells at its next run what is missing, and waits for it.
    else if (audit.state === 'PENDING') await unit.audits.transition(audit.uuid, 'cancel', { set: { statusMessage } });
  }
  for (const plan of await unit.actionPlans.list({
    filters: [
      { field: 'strategyId', value: old.id },
      { field: 'state', value: 'RECOMMENDED' },
    ],
  }))
    await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart', { set: { statusMessage } });
}
