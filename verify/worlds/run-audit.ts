import {
  applyScope,
  buildBaremetalSnapshot,
  buildStorageSnapshot,
  type ComputeSnapshot,
  coolDown,
  refuseDestinations,
  withRules,
} from '#libs/cluster-model';
import { type JsonObject, type PlanHosts, silentLogger } from '#libs/domain';
import { plannerCatalogue } from '#libs/planners';
import {
  createMetricsReader,
  executeStrategy,
  type PlannedAction,
  type PlannerPlugin,
  type StrategyManifest,
  type StrategyPlugin,
  type StrategyReport,
  validateParameters,
} from '#libs/plugin-kit';
import type { CrookedWorld } from '#libs/random-worlds';
import { createMetrics } from '#libs/service-kit';
import { strategyCatalogue } from '#libs/strategies';
import {
  historyOfRandom,
  randomWorldMs as nowMs,
  snapshotOfRandom,
} from '../../services/decision-engine/assessment/random-inputs.ts';
import { hostsOfPlan } from '../../services/decision-engine/audit-runner/hosts-of-plan.ts';
import { createPlacementQueries } from '../../services/decision-engine/audit-runner/placement-queries.ts';
import { runWithPlacement } from '../../services/decision-engine/audit-runner/run-with-placement.ts';
import { planActions } from '../../services/decision-engine/strategy-runner/plan-actions.ts';
import type { AuditContext } from './audit-context.ts';
import type { Variant } from './variants.ts';
import { worldPlacement } from './world-placement.ts';

/** Result of an audit of a world. */
export interface Audited {
  manifest: StrategyManifest;
  parameters: JsonObject;
  snapshot: ComputeSnapshot;
  actions: PlannedAction[];
  indicators: Record<string, number>;
  report: StrategyReport;
  hosts: PlanHosts;
}

/** Message of the error that prevented a plan. */
export interface Failed {
  error: Error;
}

const limits = { parallelPerSourceHost: 2, parallelPerDestinationHost: 2, parallelMigrations: 10 };

const validated = new Map<string, JsonObject>();

/** Cached, because compiling the schema takes longer than most audits of small worlds. */
function parametersOf({ name, parameters: schema }: StrategyManifest, given: JsonObject): JsonObject {
  const key = `${name} ${JSON.stringify(given)}`;
  const known = validated.get(key) ?? validateParameters(schema, given);
  validated.set(key, known);
  return structuredClone(known);
}

function pluginsOf(name: string): { strategy: StrategyPlugin; planner: PlannerPlugin } {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  const planner = plannerCatalogue.find((candidate) => candidate.name === strategy?.manifest.planner);
  if (strategy === undefined || planner === undefined) throw new Error(`there is no strategy ${name} with a planner`);
  return { strategy, planner };
}

/** Runs one audit as the decision engine does, from the rows of the services to the plan, in this thread. */
export async function runAudit(
  world: CrookedWorld,
  auditContext: AuditContext,
  { strategy: name, parameters: given }: Variant,
): Promise<Audited | Failed> {
  const { strategy, planner } = pluginsOf(name);
  const { manifest } = strategy;
  const parameters = parametersOf(manifest, given);
  const scoped = applyScope(snapshotOfRandom(world), auditContext.scope).snapshot;
  const calm = manifest.byOrder === true ? scoped : coolDown(scoped, auditContext.recentlyMoved);
  const wary = refuseDestinations(calm, auditContext.refusedMoves);
  const { snapshot } = withRules(wary, auditContext.rules.texts);
  const { reader } = createMetricsReader({ history: historyOfRandom(world), snapshot, endMs: nowMs });
  try {
    const queries = createPlacementQueries(
      { placement: worldPlacement(world), clock: { now: () => nowMs }, metrics: createMetrics('worlds') },
      { most: 1000 },
    );
    const { signal } = new AbortController();
    const run = async (model: ComputeSnapshot) => {
      const result = await executeStrategy(strategy, {
        ...{ snapshot: model, parameters, nowMs, metrics: reader, seed: 1, log: silentLogger },
        storage: buildStorageSnapshot({ ...world.storage, takenAtMs: nowMs }),
        baremetal: buildBaremetalSnapshot({ nodes: world.machines, takenAtMs: nowMs }),
        past: auditContext.past,
        failedMigrations: auditContext.failedMigrations,
        signal,
      });
      let next = 0;
      const newUuid = () => `action-${next++}`;
      return planActions({ manifest, result, planner, budget: 0 }, { snapshot: model, limits, newUuid });
    };
    const { run: planned, snapshot: judged } = await runWithPlacement(snapshot, queries, { run, signal });
    return { manifest, parameters, snapshot: judged, ...planned, hosts: hostsOfPlan(judged, planned.actions) };
  } catch (error) {
    return { error: error as Error };
  }
}
