import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/domain';
import { needsIdentity } from '../http/rewrite-url.ts';

const changingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const globalIdPattern = /^req-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The request id that a calling service sent along; null when it sent none or something else. */
export function globalRequestId(request: FastifyRequest): string | null {
  const given = request.headers['x-openstack-request-id'];
  return typeof given === 'string' && globalIdPattern.test(given) ? given : null;
}

/**
 * Logs who asked for which change and what came of it: one line `change requested` per POST, PATCH and DELETE below
 * `/v1` and `/internal`, refusals included, with the field `log: "audit"` to collect them by.
 */
export function installAuditLog(app: FastifyInstance, logger: Logger): void {
  const audit = logger.child({ log: 'audit' });
  app.addHook('onResponse', async (request, reply) => {
    if (!changingMethods.has(request.method) || !needsIdentity(request.url)) return;
    const { caller } = request;
    audit.info(
      {
        requestId: request.id,
        globalRequestId: globalRequestId(request),
        userId: caller.userId,
        userName: caller.userName,
        projectId: caller.projectId,
        projectName: caller.projectName,
        roles: caller.roles,
        address: request.ip,
        action: operationOf(request),
        object: objectOf(request) ?? createdObject(reply.getHeader('location')),
        status: reply.statusCode,
      },
      'change requested',
    );
  });
}

function operationOf(request: FastifyRequest): string {
  const schema = request.routeOptions.schema as { operationId?: string } | undefined;
  return schema?.operationId ?? `${request.method} ${request.routeOptions.url ?? 'unknown path'}`;
}

function objectOf(request: FastifyRequest): string | null {
  const { ident } = (request.params ?? {}) as { ident?: string };
  return ident ?? null;
}

function createdObject(location: unknown): string | null {
  return typeof location === 'string' ? (location.split('/').at(-1) ?? null) : null;
}
