import type { JsonObject } from '#libs/domain';
import type { AuditLogEntry } from '#libs/store';

/** A CADF event with its type in Keystone's audit middleware. */
export interface CadfEvent {
  eventType: 'audit.http.request' | 'audit.http.response';
  payload: JsonObject;
}

const version = 'http://schemas.dmtf.org/cloud/audit/1.0/';
const serviceType = 'service/infra-optim';
/** CADF's word for unknown values. */
const unknown = 'unknown';
/** Initiator and observer are the service itself. */
const observer = { id: 'target' };

/**
 * The two events of a request with a response: its arrival and its outcome. They share an id, as two records of one
 * event, and the fields of `keystonemiddleware.audit`. Nothing for an entry without a status.
 * @param respondedAt when the entry was completed
 */
export function cadfEventsOf(entry: AuditLogEntry, respondedAt: Date): CadfEvent[] {
  if (entry.status === null) return [];
  const event = eventOf(entry);
  const isSuccess = entry.status >= 200 && entry.status < 400;
  return [
    { eventType: 'audit.http.request', payload: { ...event, outcome: 'pending' } },
    {
      eventType: 'audit.http.response',
      payload: {
        ...event,
        outcome: isSuccess ? 'success' : 'failure',
        reason: { reasonType: 'HTTP', reasonCode: String(entry.status) },
        reporterchain: [{ role: 'modifier', reporter: observer, reporterTime: timeOf(respondedAt) }],
      },
    },
  ];
}

function eventOf(entry: AuditLogEntry): JsonObject {
  return {
    typeURI: `${version}event`,
    eventType: 'activity',
    id: entry.uuid,
    eventTime: timeOf(new Date(entry.at)),
    action: actionOf(entry),
    initiator: initiatorOf(entry),
    target: { typeURI: typeUriOf(entry), id: entry.target ?? unknown, name: 'watcher' },
    observer,
    requestPath: pathOf(entry),
    tags: [`correlation_id?value=${entry.requestId.replace(/^req-/, '')}`, `operation?value=${entry.operation}`],
  };
}

function initiatorOf(entry: AuditLogEntry): JsonObject {
  return {
    typeURI: 'service/security/account/user',
    id: entry.userId ?? unknown,
    name: entry.userName ?? unknown,
    project_id: entry.projectId ?? unknown,
    request_id: entry.requestId,
    ...(entry.globalRequestId === null ? {} : { global_request_id: entry.globalRequestId }),
    host: { address: entry.address ?? unknown },
    // No token is kept anywhere. Consumers of the middleware's events expect the key.
    credential: { token: '***', identity_status: entry.userId === null ? 'Invalid' : 'Confirmed' },
  };
}

const actions: Readonly<Record<string, string>> = { PUT: 'update', PATCH: 'update', DELETE: 'delete' };

/** As the middleware finds it: by the method, and of a POST by the end of its path. */
function actionOf({ method, route, operation }: AuditLogEntry): string {
  if (operation === 'sign_in') return 'authenticate';
  if (method !== 'POST') return actions[method] ?? unknown;
  const parts = partsOf(route);
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return 'create';
  // `POST /v1/action_plans/:ident/start`, as Nova's `update/reboot`.
  return isParameter(last) ? 'update' : `update/${last}`;
}

/** `service/infra-optim/audits` of a collection, `service/infra-optim/audits/audit` of one of its members. */
function typeUriOf({ route, targetKind }: AuditLogEntry): string {
  const [collection, member] = partsOf(route);
  if (collection === undefined) return serviceType;
  const isMember = member !== undefined && isParameter(member);
  return `${serviceType}/${collection}${isMember && targetKind !== null ? `/${targetKind}` : ''}`;
}

/** The requested path, as far as the entry has it. */
function pathOf({ route, target }: AuditLogEntry): string {
  const given = target?.split('/') ?? [];
  return route
    .split('/')
    .map((part) => (isParameter(part) ? encodeURIComponent(given.shift() ?? unknown) : part))
    .join('/');
}

/** Parts of the pattern below the surface (`/v1`, `/internal`, `/dashboard`). */
function partsOf(route: string): string[] {
  return route.split('/').filter(Boolean).slice(1);
}

function isParameter(part: string): boolean {
  return part.startsWith(':');
}

/** As pycadf writes times: UTC with microseconds. */
function timeOf(at: Date): string {
  return at.toISOString().replace('Z', '000+0000');
}
