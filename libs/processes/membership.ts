import { StateConflictError } from '#libs/domain';
import type { ServiceRequest, Store } from '#libs/store';
import type { ProcessIdentity, RegisteredContext } from './registered-context.ts';
import { serviceTypes } from './service-types.ts';

/** Exit code of a process that must be restarted. */
const restartExitCode = 10;

/** The row of this process in the registry, and all that depends on it. */
export interface Membership {
  /** Whether work may be claimed. The store refuses it otherwise. */
  readonly acceptsWork: boolean;
  /** Number of returns after the process was declared lost. */
  readonly returns: number;
  /** Renews the lease, obeys requests, and returns to the registry after the process was declared lost. */
  beat(): Promise<void>;
  /** Moves the row to STARTED, also when the process was declared lost during its start. */
  declareStarted(): Promise<void>;
  /** Adds an edge of the graph, and adds it again after each return: a declared loss removes it. */
  hold(link: () => Promise<void>): Promise<void>;
  /** No request is obeyed and no return happens from now on. */
  end(): void;
}

interface MembershipDeps extends ProcessIdentity {
  context: RegisteredContext;
  store: Store;
  /** Lease that each heartbeat renews, in milliseconds. */
  leaseMs: number;
  /** Whether this process still has its name. */
  holdsName(): Promise<boolean>;
  /** Called after each return. */
  onReturn(): void;
}

/** Keeps the row of a process that is enlisted. */
export function createMembership(deps: MembershipDeps): Membership {
  const { context, store, type, serviceName, host, instanceId, leaseMs } = deps;
  const { logger } = context;
  let acceptsWork = true;
  let isEnding = false;
  let isRunning = false;
  let returns = 0;
  const held: (() => Promise<void>)[] = [];

  function obey(request: ServiceRequest): void {
    if (isEnding) return;
    isEnding = true;
    logger.info({ request: request.id, kind: request.kind, by: request.requestedBy }, 'end requested');
    context.end(`${request.kind} was requested`, request.kind === 'restart' ? restartExitCode : 0);
  }

  async function beat(): Promise<void> {
    if (!(await deps.holdsName())) return;
    const response = await store.db.registry.beat(instanceId, leaseMs);
    if (response === null) return rejoin();
    await store.db.registry.noteLoops(instanceId, loopReports(context));
    if (response.acceptsWork !== acceptsWork) {
      acceptsWork = response.acceptsWork;
      logger[acceptsWork ? 'info' : 'warn'](
        { acceptsWork },
        'the recovery coordinator has decided whether this process may claim work',
      );
    }
    if (response.request) obey(response.request);
  }

  /** The process was declared lost while it was frozen or disconnected, and its name is still free: it continues. */
  async function rejoin(): Promise<void> {
    if (isEnding) return;
    const fields = { instance: instanceId, serviceName };
    try {
      await moveBack();
      for (const again of held) await again();
      logger.info(fields, 'process considered lost is back');
      deps.onReturn();
    } catch (error) {
      if (!(error instanceof StateConflictError)) throw error;
      if (isListedAs(error.currentState)) return;
      logger.warn({ ...fields, error }, 'no longer in the registry');
    }
  }

  async function moveBack(): Promise<void> {
    const options = { reason: 'it can reach the database again', ttlMs: leaseMs };
    const event = isRunning ? 'return' : 'rejoin';
    await store.db.registry.transition(instanceId, event, options);
    returns += 1;
    // The last part may have started while the row changed.
    if (event === 'rejoin' && isRunning) await store.db.registry.transition(instanceId, 'started');
  }

  /** Keeps the row of Watcher's list of services alive, from when all parts run. */
  async function stayListed(): Promise<void> {
    if (isRunning && 'isListed' in serviceTypes[type])
      await store.db.services.beat(serviceTypes[type].serviceName, host);
  }

  return {
    get acceptsWork() {
      return acceptsWork;
    },
    get returns() {
      return returns;
    },
    async beat() {
      await beat();
      await stayListed();
    },
    async declareStarted() {
      isRunning = true;
      try {
        await store.db.registry.transition(instanceId, 'started');
      } catch (error) {
        if (!(error instanceof StateConflictError)) throw error;
        if (error.currentState === 'LOST') await beat();
        else if (error.currentState !== 'STARTED') throw error;
      }
      await stayListed();
    },
    async hold(link) {
      await link();
      held.push(link);
    },
    end() {
      isEnding = true;
    },
  };
}

function loopReports(context: RegisteredContext) {
  const now = context.clock.now();
  return context.loops.list().map(({ lastRunAt, ...loop }) => ({ ...loop, ageMs: now - lastRunAt.getTime() }));
}

/** Whether a row in this state needs no return. */
function isListedAs(state: string | null): boolean {
  return state === 'STARTING' || state === 'STARTED';
}
