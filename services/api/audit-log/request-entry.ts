import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditLogEntry, ObjectChange } from '#libs/store';
import { type CallerIdentity, routedPath } from '../http/request/request-context.ts';
import { needsIdentity } from '../http/request/rewrite-url.ts';
import { summaryOf } from './change-summary.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Notes of the route about details that the request does not show. Null when there are none. */
    auditNotes: AuditNotes | null;
    /** The object before and after the change, which the entry keeps. Set it in the transaction of the change. */
    auditChange: ObjectChange | null;
  }
}

/** Notes of a route for the entry of its request. */
export interface AuditNotes {
  operation: string;
  targetKind: string;
  /** Nothing changes, for example a sign-out without a session, or alerts that are ignored. No entry is kept. */
  isNothing?: boolean;
  /** The caller, when the request does not identify it. Awaited after the response. Must not reject. */
  who?: Promise<Partial<CallerIdentity>>;
}

const sessionPaths = new Set(['/dashboard/session', '/dashboard/session/websso', '/dashboard/session/project']);
const changingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const globalIdPattern = /^req-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const maxTextLength = 255;

/** The request id that a calling service sent along. Null when it sent none or something else. */
export function globalRequestId(request: FastifyRequest): string | null {
  const given = request.headers['x-openstack-request-id'];
  return typeof given === 'string' && globalIdPattern.test(given) ? given : null;
}

/**
 * Whether the audit log records the request: every change below `/v1` and `/internal`, and dashboard sessions. Watchers
 * only read, so they are not recorded.
 */
export function isAudited(request: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean {
  const path = routedPath(request);
  if (!changingMethods.has(request.method) || path.startsWith('/v1/watchers')) return false;
  return needsIdentity(path) || sessionPaths.has(path);
}

/** The entry of a request. `reply` is absent until the response is sent. */
export function entryOf(
  request: FastifyRequest,
  { uuid, at }: Pick<AuditLogEntry, 'uuid' | 'at'>,
  reply?: Pick<FastifyReply, 'statusCode' | 'getHeader'>,
): AuditLogEntry {
  const { caller, auditNotes } = request;
  const route = request.routeOptions.url ?? 'unknown path';
  return {
    uuid,
    at,
    requestId: request.id,
    globalRequestId: globalRequestId(request),
    userId: caller.userId,
    userName: caller.userName,
    projectId: caller.projectId,
    projectName: caller.projectName,
    roles: caller.roles,
    address: request.clientAddress,
    method: request.method,
    route,
    operation: auditNotes?.operation ?? operationOf(request, route),
    targetKind: auditNotes?.targetKind ?? kindOf(route),
    target: targetOf(request, reply),
    status: reply?.statusCode ?? null,
    summary: auditNotes ? '' : summaryOf(request),
    changes: request.auditChange,
  };
}

function operationOf(request: FastifyRequest, route: string): string {
  const schema = request.routeOptions.schema as { operationId?: string } | undefined;
  return schema?.operationId ?? `${request.method} ${route}`;
}

/** `audit_template` of `/v1/audit_templates/:ident`, `task` of `/internal/tasks`. */
function kindOf(route: string): string | null {
  const [, surface, resource] = route.split('/');
  if (resource === undefined || resource.startsWith(':')) return null;
  // A webhook changes the audit that it triggers.
  if (surface === 'v1' && resource === 'webhooks') return 'audit';
  return resource.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '');
}

/** The uuid when it is known, else the name from the request. */
function targetOf(request: FastifyRequest, reply: Pick<FastifyReply, 'getHeader'> | undefined): string | null {
  const given = Object.values((request.params ?? {}) as Record<string, string>).join('/');
  if (given !== '' && uuidPattern.test(given)) return given.toLowerCase();
  const location = reply?.getHeader('location');
  const created = typeof location === 'string' ? location.split('/').at(-1) : undefined;
  return (given || created)?.slice(0, maxTextLength) ?? null;
}
