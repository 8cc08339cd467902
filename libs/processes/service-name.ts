import { OperatorError } from '#libs/domain';
import { lockName, type NameLock, type ServiceInstance, type Store } from '#libs/store';
import type { RegisteredContext } from './registered-context.ts';
import { type ServiceTypeName, serviceTypes } from './service-types.ts';

/** Processes of one kind on one host at most. */
const mostNumbers = 64;
/** Exit code of a process whose name is taken (EX_TEMPFAIL of sysexits). */
const alreadyRunningExitCode = 75;

/**
 * Locks the name of a process. Numbered names where several may run: `watcher-applier@host`,
 * `watcher-applier#2@host`, …
 * @throws OperatorError with exit code 75 when the name is taken
 */
export async function takeName(
  context: RegisteredContext,
  type: ServiceTypeName,
  store: Store,
  databaseUrl: string,
): Promise<NameLock> {
  const { env, hostId, logger, instanceId } = context;
  const { serviceName } = serviceTypes[type];
  const count = env.VIGIL_ALLOW_MULTIPLE ? mostNumbers : 1;
  const names = Array.from({ length: count }, (_, index) =>
    index === 0 ? `${serviceName}@${hostId}` : `${serviceName}#${index + 1}@${hostId}`,
  );
  const lock = await lockName({ url: databaseUrl, logger, applicationName: `vigil-registry-${type}` }, names);
  if (lock !== null) return lock;
  const holder = (await store.db.registry.listInstances({ liveOnly: true })).find(
    (instance) => instance.serviceName === serviceName && instance.host === hostId,
  );
  const reason = alreadyRunning(serviceName, hostId, holder);
  await store.db.registry.report({
    type: 'service.could_not_start',
    serviceType: type,
    serviceName,
    host: hostId,
    instanceId,
    doc: { reason },
  });
  throw new OperatorError(reason, { exitCode: alreadyRunningExitCode });
}

/**
 * Returns a check of whether this process still holds its name. A former connection of ours may hold the lock until
 * the server notices its end, so the process fails only when the lock stays lost for `limitMs`.
 */
export function createNameCheck(
  context: Pick<RegisteredContext, 'fail' | 'hostId'>,
  { lock, serviceName, limitMs }: { lock: NameLock; serviceName: string; limitMs: number },
): () => Promise<boolean> {
  let lostAt: number | null = null;
  return async () => {
    if (await lock.confirm()) {
      lostAt = null;
      return true;
    }
    lostAt ??= performance.now();
    if (performance.now() - lostAt > limitMs) {
      const reason = alreadyRunning(serviceName, context.hostId);
      context.fail(new OperatorError(reason, { exitCode: alreadyRunningExitCode }));
    }
    return false;
  };
}

function alreadyRunning(serviceName: string, host: string, holder?: ServiceInstance): string {
  const which = holder ? ` (instance ${holder.instanceId}, pid ${holder.pid})` : '';
  const problem = `could not start: ${serviceName} is already running on ${host}${which}`;
  return `${problem}; VIGIL_ALLOW_MULTIPLE=true allows several`;
}
