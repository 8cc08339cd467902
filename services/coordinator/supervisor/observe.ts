import { type Logger, StateConflictError } from '#libs/domain';
import { ask, BusUnavailableError, type MessageBus, serviceTopic } from '#libs/messaging';
import type { ServiceInstance, Store } from '#libs/store';

/** Checks in a row without a response that are reported. */
const reportedChecks = 3;
/** Whoever plays the supervisor. The watch list hangs on the role, so that a successor finds it. */
const watcher = { srcKind: 'ServiceType', srcId: 'recovery-coordinator', rel: 'supervises' } as const;

/** Watches the processes on its list and reports. What is to be done about it is the coordinator's. */
export interface Supervisor {
  /** Reports processes whose lease has expired. */
  findLost(): Promise<void>;
  /** Asks every process for a Check and reports those that did not answer three times. */
  checkAll(): Promise<void>;
}

/** Keeps nothing itself: unanswered checks are counted in the registry. */
export function createSupervisor(deps: {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  /** Registry id of this process. It does not check itself. */
  instanceId: string;
  logger: Logger;
}): Supervisor {
  const { store, bus, logger } = deps;

  async function watchList(): Promise<Set<string>> {
    return new Set((await store.db.registry.edges(watcher)).map(({ dstId }) => dstId));
  }

  /** Null when the bus is unavailable, so that nothing is known. */
  async function answers(instance: ServiceInstance): Promise<boolean | null> {
    try {
      await ask(bus, serviceTopic(instance.instanceId), { schema: 'service.question/1', op: 'check' });
      return true;
    } catch (error) {
      return error instanceof BusUnavailableError ? null : false;
    }
  }

  async function check(instance: ServiceInstance): Promise<void> {
    const answered = await answers(instance);
    if (answered === null) return;
    await store.transaction(async ({ registry }) => {
      const failed = await registry.countCheck(instance.instanceId, answered);
      if (failed !== reportedChecks) return;
      logger.warn({ service: instance.serviceName, host: instance.host }, 'process does not answer Checks');
      await registry.report({
        type: 'service.failed',
        serviceType: instance.serviceType,
        serviceName: instance.serviceName,
        host: instance.host,
        instanceId: instance.instanceId,
        doc: { reason: `no answer to ${failed} Checks`, checks: failed },
      });
    });
  }

  return {
    async findLost() {
      for (const { instanceId, serviceName, host } of await store.db.registry.expiredInstances()) {
        const options = { reason: 'its lease has expired', onlyExpired: true };
        try {
          await store.db.registry.transition(instanceId, 'lose', options);
          logger.warn({ service: serviceName, host, instance: instanceId }, 'process is lost');
        } catch (error) {
          if (!(error instanceof StateConflictError)) throw error;
        }
      }
    },
    async checkAll() {
      const watched = await watchList();
      const instances = (await store.db.registry.listInstances({ liveOnly: true })).filter(
        ({ instanceId, serviceName, host, state, isAlive }) =>
          isAlive && state === 'STARTED' && instanceId !== deps.instanceId && watched.has(`${serviceName}@${host}`),
      );
      await Promise.all(instances.map(check));
    },
  };
}
