import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import type { ActionPlanView } from '#libs/store';
import { insertAction, insertActionPlan, runSql } from '#tests';
import { measureDue } from '../outcome/measurement-worker.ts';
import { useTestEngines } from './test-engines.ts';

/**
 * Plans whose outcome is measured, in a separate database. Before each test, earlier measurements, samples and
 * actions no longer count.
 * @param limitMs longest time of a measurement before a plan, in milliseconds
 */
export async function useTestMeasurements({ limitMs }: { limitMs: number }) {
  const engines = await useTestEngines();
  const { store } = engines;
  const sql = (text: string, values: unknown[] = []) => runSql(engines.databaseUrl, text, values);

  beforeEach(async () => {
    engines.reset();
    await sql('UPDATE plan_measurements SET state = $1', ['NOT_MEASURED']);
    await sql('DELETE FROM history_blocks');
    await sql(`UPDATE actions SET started_at = now() - interval '1 year', ended_at = now() - interval '1 year'`);
  });

  async function newPlan(strategy = 'workload_stabilization'): Promise<ActionPlanView> {
    const audit = await engines.newAudit(strategy, { state: 'SUCCEEDED' });
    return insertActionPlan(store.db, audit, await store.db.strategies.get(strategy), () => ({ state: 'ONGOING' }));
  }

  /** Migrates an instance, from a number of seconds ago to another; `to` is undefined while it runs. */
  async function migrate(plan: ActionPlanView, host: string, from: number, to?: number): Promise<void> {
    const action = await insertAction(store.db, plan, () => ({
      actionType: 'migrate',
      state: to === undefined ? 'ONGOING' : 'SUCCEEDED',
      inputParameters: {
        resource_id: randomUUID(),
        migration_type: 'live',
        source_node: host,
        destination_node: `${host}-2`,
      },
    }));
    const ended = to === undefined ? null : to;
    await sql(
      `UPDATE actions SET started_at = now() - $2 * interval '1 second', ended_at = now() - $3 * interval '1 second'
       WHERE uuid = $1`,
      [action.uuid, from, ended],
    );
  }

  /** Pretends that the measurement was requested so many seconds earlier than it was. */
  const passed = (seconds: number) =>
    sql(
      `UPDATE plan_measurements SET requested_at = requested_at - $1 * interval '1 second', due_at = now(),
         not_before = not_before - $1 * interval '1 second', window_start = window_start - $1 * interval '1 second',
         window_end = window_end - $1 * interval '1 second'`,
      [seconds],
    );

  function measure(phase: 'before' | 'after'): Promise<boolean> {
    return measureDue({ ...engines.planDeps(), store, signal: new AbortController().signal }, phase);
  }

  async function outcomeOf(plan: ActionPlanView) {
    const { outcome } = await store.db.actionPlans.get(plan.uuid);
    return outcome as Record<string, { goal: Record<string, number>; cluster: Record<string, number> }> & {
      measurement?: { state: string; reason: string | null; overlaps: string[]; dueAt: string | null };
    };
  }

  /** The same cloud with two of the four instances on each host. */
  function evenOut(): void {
    const hosts = ['busy', 'idle'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
    const instances = [0, 1, 2, 3].map((index) => ({
      name: `vm-${index}`,
      host: index < 2 ? 'busy' : 'idle',
      vcpus: 4,
      memory: 4096,
      disk: 10,
    }));
    engines.world.snapshot = createTestWorld({ hosts, instances });
    const uuids = engines.world.snapshot.instanceInfo.map(({ uuid }) => uuid);
    engines.world.loads = new Map(['busy', 'idle', ...uuids].map((name) => [name, 40]));
  }

  /** Measures before the plan, migrates from `busy` for a minute, and requests the measurement after it. */
  async function runPlan(plan: ActionPlanView): Promise<void> {
    await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
    await measure('before');
    await passed(100);
    await migrate(plan, 'busy', 90, 30);
    await store.db.planMeasurements.request(plan.id, 'after', { limitMs: 86_400_000 });
  }

  return { engines, store, sql, newPlan, migrate, passed, measure, outcomeOf, evenOut, runPlan };
}
