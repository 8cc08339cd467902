import { isAccepted, type LoggedRequest, type Mutation, mutationOf } from '../stack/cloud-log.ts';
import type { MigrationRecord, SoakRecord } from './record.ts';

/** A change of the cloud that a plan requested, as the cloud saw it. */
export interface Effect {
  plan: string;
  action: string;
  /** First key of the body, or the method. */
  what: string;
  request: LoggedRequest;
  /** Hosts that it changes. */
  hosts: readonly string[];
  server: string | null;
  /** From the request to the end of the operation, milliseconds of the epoch. */
  fromMs: number;
  toMs: number;
  /** Reason for which the cloud refused it. Null when it did not. */
  refusal: string | null;
}

const openStatuses = new Set([
  'accepted',
  'queued',
  'preparing',
  'running',
  'pre-migrating',
  'migrating',
  'post-migrating',
]);
/** Statuses that say nothing about the request itself. */
const notRefusals = new Set([401, 404, 408, 429]);

/** Requests of all plans with the hosts that they changed, oldest first. Requests of unknown actions are left out. */
export function effectsOf(record: SoakRecord): Effect[] {
  const migrations = new Map(record.migrations.map((row) => [row.request_id, row]));
  const byId = new Map(record.migrations.map((row) => [String(row.id), row]));
  return record.requests.flatMap(mutationOf).flatMap((mutation) => {
    const { action, what, request } = mutation;
    const planUuid = record.actions.get(action)?.planUuid;
    if (planUuid === undefined) return [];
    const [, aborted] = request.method === 'DELETE' ? (/\/migrations\/(\d+)$/.exec(request.path) ?? []) : [];
    const migration = migrations.get(request.requestId) ?? byId.get(aborted ?? '') ?? null;
    return [
      {
        ...{ plan: planUuid, action, what, request },
        hosts: hostsOf(record, mutation, migration),
        server: /\/servers\/([^/]+)/.exec(request.path)?.[1] ?? null,
        fromMs: request.at,
        toMs: endOf(record, request, migration),
        refusal: refusalOf(mutation, migration),
      },
    ];
  });
}

/** Effects by the uuid of their plan. */
export function byPlan(effects: readonly Effect[]): Map<string, Effect[]> {
  const found = new Map<string, Effect[]>();
  for (const effect of effects) {
    const own = found.get(effect.plan);
    if (own) own.push(effect);
    else found.set(effect.plan, [effect]);
  }
  return found;
}

function hostsOf(
  { actions, serviceHosts }: SoakRecord,
  { action, request }: Mutation,
  migration: MigrationRecord | null,
): string[] {
  if (migration) return [migration.source, ...(migration.dest === null ? namedBy(request) : [migration.dest])];
  const service = /\/os-services\/([^/?]+)/.exec(request.path)?.[1];
  if (service !== undefined) return [serviceHosts.get(service) ?? service];
  const { source_node: source, destination_node: destination } = actions.get(action)?.input ?? {};
  const known = [source, destination].filter((host) => typeof host === 'string');
  return [...new Set([...known, ...namedBy(request)])];
}

/** Host that the body names. */
function namedBy({ body }: LoggedRequest): string[] {
  const [argument] = Object.values(body ?? {});
  const host = typeof argument === 'object' ? (argument as { host?: unknown } | null)?.host : undefined;
  return typeof host === 'string' ? [host] : [];
}

function endOf({ endMs }: SoakRecord, request: LoggedRequest, migration: MigrationRecord | null): number {
  const done = request.doneAt ?? request.at;
  if (!migration) return done;
  if (openStatuses.has(migration.status)) return endMs;
  return Math.max(done, migration.updated_at ?? done);
}

function refusalOf(mutation: Mutation, migration: MigrationRecord | null): string | null {
  const { status } = mutation.request;
  if (status !== null && status >= 400 && status < 500 && !notRefusals.has(status)) return `status ${status}`;
  if (!isAccepted(mutation) || mutation.request.method === 'DELETE') return null;
  return migration?.status === 'error' ? (migration.reason ?? 'the migration ended in error') : null;
}
