import { StateConflictError } from '#libs/domain';
import type { ServiceInstance } from '#libs/store';
import { type ChecksDeps, createChecks } from './checks.ts';
import type { MachineWatch } from './machine-watch.ts';

/** Runs of the loop and calls of the database that take longer than expected by this much are late, in milliseconds. */
const lateMs = 5_000;
/** A lease with less than this left missed two renewals. Several such leases are late together. */
const marginMs = 12_000;
/** Pause before a process is declared lost while the machine may be slow: three heartbeats. */
const graceMs = 30_000;

/** Watches the processes on its list and reports. The recovery coordinator acts. */
export interface Supervisor {
  /**
   * Declares processes lost whose lease has expired. It waits 30 s when others, the database or this process are late
   * too.
   * @param delayMs delay of this run of the loop
   */
  findLost(delayMs?: number): Promise<void>;
  /** Sends a Check to every process and reports one that did not respond three times. */
  checkAll(): Promise<void>;
}

/** Collaborators of the supervisor. */
export interface SupervisorDeps extends ChecksDeps {
  machine: MachineWatch;
  /** Monotonic, in milliseconds. */
  nowMs(): number;
}

/** Has seen no expired lease yet. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { store, logger, machine, nowMs } = deps;
  /** When this supervisor first saw a lease as expired. */
  const expiredSince = new Map<string, number>();
  /** Processes that were late together, by id, with their names. */
  const lateTogether = new Map<string, string>();

  function noteLate(party: 'coordinator' | 'database', detail: string): void {
    machine.note(party, detail);
    // Others could not renew their leases either, so each gets the whole grace period.
    expiredSince.clear();
  }

  async function lose({ instanceId: id, serviceName, host }: ServiceInstance): Promise<void> {
    try {
      await store.db.registry.transition(id, 'lose', { reason: 'its lease has expired', onlyExpired: true });
      logger.warn({ service: serviceName, host, instance: id }, 'process lost');
    } catch (error) {
      if (!(error instanceof StateConflictError)) throw error;
    }
  }

  /** Processes that were late together and have renewed their lease since were slow, not dead. */
  async function noteRenewed(late: readonly ServiceInstance[]): Promise<void> {
    const isLate = new Set(late.map((instance) => instance.instanceId));
    const missing = [...lateTogether].filter(([id]) => !isLate.has(id));
    if (missing.length > 0) {
      const live = new Set((await store.db.registry.listInstances({ liveOnly: true })).map((row) => row.instanceId));
      const names = [...lateTogether.values()].sort().join(', ');
      if (missing.some(([id]) => live.has(id))) machine.note('processes', `heartbeats late together: ${names}`);
      for (const [id] of missing) lateTogether.delete(id);
    }
    if (late.length < 2) return lateTogether.clear();
    for (const row of late) lateTogether.set(row.instanceId, `${row.serviceName}@${row.host}`);
  }

  async function judge(expired: readonly ServiceInstance[], isPatient: boolean): Promise<void> {
    const ids = new Set(expired.map((instance) => instance.instanceId));
    for (const id of expiredSince.keys()) if (!ids.has(id)) expiredSince.delete(id);
    for (const instance of expired) {
      const since = expiredSince.get(instance.instanceId) ?? nowMs();
      expiredSince.set(instance.instanceId, since);
      if (!isPatient || nowMs() - since >= graceMs) await lose(instance);
    }
  }

  return {
    async findLost(delayMs = 0) {
      if (delayMs > lateMs) noteLate('coordinator', `its loop was ${seconds(delayMs)} late`);
      const begin = nowMs();
      const late = await store.db.registry.expiringInstances(marginMs);
      const tookMs = nowMs() - begin;
      if (tookMs > lateMs) noteLate('database', `a query took ${seconds(tookMs)}`);
      await noteRenewed(late);
      const expired = late.filter((instance) => !instance.isAlive);
      await judge(expired, machine.isSlow() || late.length > 1);
      await machine.settle();
    },
    checkAll: createChecks(deps),
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
