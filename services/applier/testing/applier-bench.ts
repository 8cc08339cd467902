import { randomUUID } from 'node:crypto';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import { openGate } from '#libs/dependencies';
import { type ActionPlan, type ActionState, type JsonObject, type OnFailure, silentLogger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { createMetrics, steadyClock } from '#libs/service-kit';
import type { ActionPlanDefaults, ActionPlanView, NewRow, Store } from '#libs/store';
import { insertAction, insertActionPlan, insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import { createApplierMetrics } from '../metrics.ts';
import { createOccupancy } from '../plan-runner/limits/occupancy.ts';
import { createPlanRunner, type PlanRunner } from '../plan-runner/plan-runner.ts';
import { noRace, type RacePointHook, type RunnerDeps } from '../plan-runner/runner-deps.ts';
import { type RunnerOptions, runnerDefaults } from '../plan-runner/runner-options.ts';

/** An action of a plan under test. `after` are places of its parents in the list. */
export interface ActionSpec {
  type?: string;
  input?: JsonObject;
  after?: number[];
  state?: ActionState;
}

/** Peculiarities of a plan under test. */
interface PlanSpec {
  onFailure?: OnFailure;
  strategyName?: string;
  row?: Partial<NewRow<ActionPlan, ActionPlanDefaults>>;
}

interface BenchRunner extends PlanRunner {
  /** Outcomes of its runs, as its metrics count them. */
  ended: string[];
}

/** A database and the means to run plans on it. */
export interface ApplierBench {
  databaseUrl: string;
  store: Store;
  plan(actions: ActionSpec[], options?: PlanSpec): Promise<ActionPlanView>;
  /** A runner as another process would have it. */
  runner(world: {
    cloud: Cloud;
    store?: Store;
    racePoint?: RacePointHook;
    options?: Partial<RunnerOptions>;
    deps?: Partial<RunnerDeps>;
  }): BenchRunner;
  /** Claims the plan. Throws if the claim is refused, for example while another open plan holds its hosts. */
  start(runner: PlanRunner, plan: ActionPlanView, kind?: 'claimed' | 'taken_over'): Promise<void>;
  /** Claims the plan and waits for its end. */
  run(runner: PlanRunner, plan: ActionPlanView, kind?: 'claimed' | 'taken_over'): Promise<Outcome>;
  outcome(plan: ActionPlanView): Promise<Outcome>;
  /** Lets the lease of the plan's present holder expire. */
  expireLease(plan: ActionPlanView): Promise<void>;
}

/** The ended plan, as users see it. Actions in the order of their list. */
interface Outcome {
  state: string;
  message: string | null;
  rollback: string | null;
  actions: string[];
  messages: (string | null)[];
  rollbacks: (string | null)[];
}

export async function useApplierBench(): Promise<ApplierBench> {
  const { store, url } = await useStore();

  async function outcome(plan: ActionPlanView): Promise<Outcome> {
    const row = await store.db.actionPlans.get(plan.uuid);
    const actions = await store.db.actions.listByPlan(plan.uuid);
    return {
      state: row.state,
      message: row.statusMessage,
      rollback: row.rollbackState,
      actions: actions.map((action) => action.state),
      messages: actions.map((action) => action.statusMessage),
      rollbacks: actions.map((action) => action.rollbackState),
    };
  }

  const start: ApplierBench['start'] = async (runner, plan, kind = 'claimed') => {
    const result = await runner.tryStart({ planUuid: plan.uuid, kind }, 1000);
    if (result !== 'started') throw new Error(`the plan could not be claimed: ${result}`);
  };

  return {
    databaseUrl: url,
    store,
    outcome,
    start,
    async plan(specs, options = {}) {
      const goal = await insertGoal(store.db);
      const { strategyName } = options;
      const strategy = await insertStrategy(store.db, goal, (row) => ({ name: strategyName ?? row.name }));
      const audit = await insertAudit(store.db, strategy);
      const plan = await insertActionPlan(store.db, audit, strategy, () => ({
        state: 'PENDING',
        launchSeq: 1,
        onFailure: options.onFailure ?? 'continue',
        ...options.row,
      }));
      const uuids = specs.map(() => randomUUID());
      for (const [place, spec] of specs.entries()) {
        await insertAction(store.db, plan, () => ({
          uuid: uuids[place] ?? '',
          actionType: spec.type ?? 'nop',
          inputParameters: spec.input ?? { message: `action ${place}` },
          parents: (spec.after ?? []).map((parent) => uuids[parent] ?? ''),
          state: spec.state ?? 'PENDING',
        }));
      }
      return plan;
    },
    runner({ cloud, racePoint = noRace, options, deps, ...world }) {
      const ended: string[] = [];
      const full: RunnerOptions = {
        ...runnerDefaults,
        instance: randomUUID(),
        host: 'applier-1',
        watchIntervalMs: 100,
        beforeLimitMs: 0,
        timeScale: 100,
        action: {
          ...{ pollIntervalMs: 500, lateEffectMs: 200 },
          ...{ migrationTimeoutMs: 900_000, deleteTimeoutMs: 900_000, shelveTimeoutMs: 900_000 },
        },
        ...options,
      };
      const runner = createPlanRunner(
        {
          store: world.store ?? store,
          cloud,
          actions: createActionRegistry(actionCatalogue),
          gate: openGate,
          occupancy: createOccupancy(() => full.limits),
          steadyClock,
          newUuid: randomUUID,
          logger: silentLogger,
          metrics: {
            ...createApplierMetrics(createMetrics('applier')),
            planEnded: (outcome) => ended.push(outcome),
          },
          racePoint,
          requestGain: async () => ({ gain: null, gainUnknownBecause: 'no decision engine', repeated: null }),
          onProgress: () => undefined,
          ...deps,
        },
        full,
      );
      return Object.defineProperties({ ended } as BenchRunner, Object.getOwnPropertyDescriptors(runner));
    },
    async run(runner, plan, kind = 'claimed') {
      await start(runner, plan, kind);
      await runner.idle();
      return outcome(plan);
    },
    async expireLease(plan) {
      const { fence } = await store.db.actionPlans.get(plan.uuid);
      if (fence !== null) await store.db.actionPlans.releaseLease(plan.uuid, fence);
    },
  };
}

/** Uuid of a server by number. */
export function serverId(number: number): string {
  return `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;
}

/** A live migration, or a cold one if so given. */
export function moveSpec(
  number: number,
  from: string,
  to: string,
  more: ActionSpec & { cold?: boolean } = {},
): ActionSpec {
  const { cold, ...spec } = more;
  const input = {
    migration_type: cold ? 'cold' : 'live',
    resource_id: serverId(number),
    source_node: from,
    destination_node: to,
  };
  return { type: 'migrate', input, ...spec };
}
