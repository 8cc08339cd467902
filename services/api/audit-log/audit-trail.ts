import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, IdSource, Logger } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import type { AuditLogEntry, Store, UnitOfWork } from '#libs/store';
import type { Outcomes } from '../http/request/outcome-hook.ts';
import { anonymousCaller } from '../http/request/request-context.ts';
import { createEntryWriter } from './entry-writer.ts';
import { createRefusalBound } from './refusal-bound.ts';
import { entryOf, isAudited } from './request-entry.ts';

/** Records the requester of each change. */
export interface AuditTrail {
  /** The store for routes. The first transaction of a changing request contains its audit entry. */
  store: Store;
  /** Adds the hooks. Call before the hooks that refuse requests. */
  install(app: FastifyInstance, outcomes: Outcomes): void;
}

export interface AuditTrailDeps {
  store: Store;
  logger: Logger;
  metrics: Metrics;
  clock: Clock;
  newUuid: IdSource;
}

/** Maximum wait of a process that stops for the outcomes of requests that its clients left. */
const graceMs = 5_000;
const pollMs = 20;

/** A request in progress. */
interface Pending {
  entry(): AuditLogEntry;
  /** Whether a transaction has committed the entry, or the response was sent. */
  isKept: boolean;
}

/**
 * Makes the trail. A change and its entry are committed together, without the outcome. The outcome is added after the
 * response, also when the client has left before it. Entries of refused requests and of requests without a transaction
 * are also written then. Every entry is also logged as `change requested` (field `log: "audit"`), so an entry that
 * cannot be stored is not lost.
 */
export function createAuditTrail(deps: AuditTrailDeps): AuditTrail {
  const { clock, newUuid } = deps;
  const current = new AsyncLocalStorage<Pending>();
  const log = deps.logger.child({ log: 'audit' });
  const writer = createEntryWriter(deps);
  const mayKeepRefusal = createRefusalBound(clock);
  const unkept = deps.metrics.counter(
    'vigil_audit_log_unkept_total',
    'Refused requests for changes that are not in the audit log: of unknown callers, or over a limit',
    ['status'],
  );
  const pendingOf = new WeakMap<FastifyRequest, Pending>();
  const unfinished = new Set<FastifyRequest>();
  const starts = new WeakMap<FastifyRequest, Pick<AuditLogEntry, 'uuid' | 'at'>>();

  function startOf(request: FastifyRequest): Pick<AuditLogEntry, 'uuid' | 'at'> {
    const known = starts.get(request) ?? { uuid: newUuid(), at: new Date(clock.now()).toISOString() };
    starts.set(request, known);
    return known;
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, isCommitted: boolean): Promise<void> {
    const entry = entryOf(request, startOf(request), reply);
    const who = await request.auditNotes?.who;
    const whole = { ...entry, ...who };
    log.info({ ...lineOf(whole), ...(request.clientLeft ? { clientLeft: true } : {}) }, 'change requested');
    const isKept = isWorthKeeping(request, whole) && (!isFailure(whole) || mayKeepRefusal(whole));
    if (isCommitted || isKept) writer.add(whole);
    else unkept.inc({ status: reply.statusCode });
  }

  return {
    store: withEntries(deps.store, current),
    install(app, outcomes) {
      app.decorateRequest('auditNotes', null);
      app.decorateRequest('auditChange', null);
      app.addHook('onRequest', async (request) => {
        if (!isAudited(request)) return;
        startOf(request);
        unfinished.add(request);
      });
      app.addHook('preHandler', (request, _reply, done) => {
        if (!isAudited(request)) return done();
        const pending: Pending = { entry: () => entryOf(request, startOf(request)), isKept: false };
        pendingOf.set(request, pending);
        current.run(pending, done);
      });
      outcomes.add(async (request, reply) => {
        const pending = pendingOf.get(request);
        const isCommitted = pending?.isKept ?? false;
        if (pending) pending.isKept = true;
        if (isAudited(request)) await finish(request, reply, isCommitted);
        unfinished.delete(request);
      });
      app.addHook('onClose', async () => {
        const deadline = performance.now() + graceMs;
        while (unfinished.size > 0 && performance.now() < deadline) await sleep(pollMs);
        await writer.stop();
      });
    },
  };
}

/**
 * Unauthenticated callers cannot fill the table: refusals of unknown callers are only counted and logged. A password
 * that Keystone refused is stored, because sign-in attempts are rate limited.
 */
function isWorthKeeping({ caller, auditNotes }: FastifyRequest, { status, operation }: AuditLogEntry): boolean {
  if (status === 429 || auditNotes?.isNothing) return false;
  const isRefused = status !== null && status >= 400;
  return !isRefused || caller !== anonymousCaller || (status === 401 && operation === 'sign_in');
}

/** Some bad input gets 500, as in Watcher. */
function isFailure({ status }: AuditLogEntry): boolean {
  return status !== null && status >= 400;
}

function withEntries(store: Store, current: AsyncLocalStorage<Pending>): Store {
  return {
    ...store,
    async transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
      const pending = current.getStore();
      if (!pending || pending.isKept) return store.transaction(work);
      const result = await store.transaction(async (unit) => {
        const done = await work(unit);
        await unit.auditLog.record([pending.entry()]);
        return done;
      });
      pending.isKept = true;
      return result;
    },
  };
}

function lineOf({ operation, target, at: _at, uuid: _uuid, ...rest }: AuditLogEntry): object {
  return { ...rest, action: operation, object: target };
}
