import { type Logger, StateConflictError } from '#libs/domain';
import { BusUnavailableError, callRpc, type MessageBus, serviceTopic } from '#libs/messaging';
import type { ServiceInstance, Store } from '#libs/store';
import type { MachineWatch } from './machine-watch.ts';

/** Consecutive Checks without a response before a report. */
const reportedChecks = 3;
/** Runs of the loop and calls of the database that take longer than expected by this much are late, in milliseconds. */
const lateMs = 5_000;
/** A lease with less than this left missed two renewals. Several such leases are late together. */
const marginMs = 12_000;
/** Pause before a process is declared lost while the machine may be slow: three heartbeats. */
const graceMs = 30_000;
/** The role that supervises. The watch list belongs to the role, so that a successor finds it. */
const watcher = { srcKind: 'ServiceType', srcId: 'recovery-coordinator', rel: 'supervises' } as const;

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
export interface SupervisorDeps {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  /** Registry id of this process, which it skips. */
  instanceId: string;
  logger: Logger;
  machine: MachineWatch;
  /** Monotonic, in milliseconds. */
  nowMs(): number;
}

/** Unanswered Checks are counted in the registry, so that a successor continues the count. */
export function createSupervisor({ store, bus, instanceId, logger, machine, nowMs }: SupervisorDeps): Supervisor {
  /** When this supervisor first saw a lease as expired. */
  const expiredSince = new Map<string, number>();
  /** Processes that were late together, by id, with their names. */
  const lateTogether = new Map<string, string>();
  /** Rounds of Checks in a row in which several processes did not respond. */
  let silentRounds = 0;

  function noteLate(party: 'coordinator' | 'database', detail: string): void {
    machine.note(party, detail);
    // Others could not renew their leases either, so each gets the whole grace period.
    expiredSince.clear();
  }

  async function lose({ instanceId: id, serviceName, host }: ServiceInstance): Promise<void> {
    try {
      await store.db.registry.transition(id, 'lose', { reason: 'its lease has expired', onlyExpired: true });
      logger.warn({ service: serviceName, host, instance: id }, 'process is lost');
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

  /** Null when the bus is unavailable, so that nothing is known. */
  async function answers(instance: ServiceInstance): Promise<boolean | null> {
    try {
      await callRpc(bus, serviceTopic(instance.instanceId), { schema: 'service.question/1', op: 'check' });
      return true;
    } catch (error) {
      return error instanceof BusUnavailableError ? null : false;
    }
  }

  async function count(instance: ServiceInstance, answered: boolean): Promise<void> {
    const { serviceType, serviceName, host } = instance;
    await store.transaction(async ({ registry }) => {
      const failed = await registry.countCheck(instance.instanceId, answered);
      if (failed !== reportedChecks) return;
      logger.warn({ service: serviceName, host }, 'process renews its lease but does not respond to Checks');
      const doc = { reason: `no response to ${failed} Checks; it renews its lease`, checks: failed };
      const { instanceId: id } = instance;
      await registry.report({ type: 'service.slow', serviceType, serviceName, host, instanceId: id, doc });
    });
  }

  async function watched(): Promise<ServiceInstance[]> {
    const names = new Set((await store.db.registry.edges(watcher)).map(({ dstId }) => dstId));
    return (await store.db.registry.listInstances({ liveOnly: true })).filter(
      (row) =>
        row.isAlive &&
        row.state === 'STARTED' &&
        row.instanceId !== instanceId &&
        names.has(`${row.serviceName}@${row.host}`),
    );
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
    async checkAll() {
      const results = await Promise.all(
        (await watched()).map(async (instance) => ({ instance, answered: await answers(instance) })),
      );
      const silent = results.filter(({ answered }) => answered === false);
      silentRounds = silent.length > 1 ? silentRounds + 1 : 0;
      if (silentRounds > 0) {
        // A restart of the bus loses one round of Checks.
        const party = silentRounds < reportedChecks ? 'message bus' : 'processes';
        machine.note(party, `${silent.length} of ${results.length} Checks got no response`);
      }
      for (const { instance, answered } of results) {
        if (answered === null || (!answered && machine.isSlow())) continue;
        await count(instance, answered);
      }
    },
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
