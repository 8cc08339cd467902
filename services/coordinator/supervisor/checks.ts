import type { Logger } from '#libs/domain';
import { BusUnavailableError, callRpc, type MessageBus, serviceTopic } from '#libs/messaging';
import type { ServiceInstance, Store } from '#libs/store';
import type { MachineWatch } from './machine-watch.ts';

/** Consecutive Checks without a response before a report. */
const reportedChecks = 3;
/** The role that supervises. The watch list belongs to the role, so that a successor finds it. */
const watcher = { srcKind: 'ServiceType', srcId: 'recovery-coordinator', rel: 'supervises' } as const;

export interface ChecksDeps {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  /** Registry id of this process, which it skips. */
  instanceId: string;
  logger: Logger;
  machine: Pick<MachineWatch, 'note' | 'isSlow'>;
}

/**
 * Makes the round of Checks of all watched processes. Unanswered Checks are counted in the registry, so that a
 * successor continues the count.
 */
export function createChecks({ store, bus, instanceId, logger, machine }: ChecksDeps): () => Promise<void> {
  /** Rounds in a row in which several processes did not respond. */
  let silentRounds = 0;

  /** Null when the bus is unavailable, so that nothing is known. */
  async function responses(instance: ServiceInstance): Promise<boolean | null> {
    try {
      await callRpc(bus, serviceTopic(instance.instanceId), { schema: 'service.question/1', op: 'check' });
      return true;
    } catch (error) {
      return error instanceof BusUnavailableError ? null : false;
    }
  }

  async function count(instance: ServiceInstance, responded: boolean): Promise<void> {
    const { serviceType, serviceName, host } = instance;
    await store.transaction(async ({ registry }) => {
      const failed = await registry.countCheck(instance.instanceId, responded);
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

  return async () => {
    const results = await Promise.all(
      (await watched()).map(async (instance) => ({ instance, answered: await responses(instance) })),
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
  };
}
