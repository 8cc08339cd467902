import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  AlreadyExistsError,
  InvalidInputError,
  type Logger,
  messageOf,
  NotFoundError,
  StateConflictError,
  VigilError,
} from '#libs/domain';
import { ApiFault, BadInputFault } from './fault.ts';
import { apiFaultBody } from './fault-body.ts';

interface Fault {
  status: number;
  faultstring: string;
}

/**
 * Converts any error of a handler into Watcher's fault body. Unknown errors are logged, and the response does not
 * contain their text.
 */
export function createErrorHandler(logger: Logger, onOutage: () => void = () => undefined) {
  return async (error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const fault = mediaTypeFault(error, request) ?? faultOf(error);
    if (fault.status >= 500) logFailure(logger, request, error);
    if (fault.status === 503) {
      reply.header('Retry-After', 5);
      onOutage();
    }
    await injectFault(reply, fault);
  };
}

/** Level `error` is for problems that an operator must fix. A client's mistake with Watcher's status 500 is not one. */
function logFailure(logger: Logger, request: FastifyRequest, error: unknown): void {
  const fields = { requestId: request.id, method: request.method, url: request.url };
  if (error instanceof BadInputFault) logger.info({ ...fields, reason: error.message }, 'request refused');
  else logger.error({ ...fields, error }, 'request failed');
}

/** Fastify refuses an invalid `Content-Type` before any handler runs. */
function mediaTypeFault(error: FastifyError, request: FastifyRequest): Fault | undefined {
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return undefined;
  return { status: 415, faultstring: `Unknown mimetype: ${request.headers['content-type'] ?? ''}` };
}

/** Sends a fault body. */
export function injectFault(reply: FastifyReply, { status, faultstring }: Fault): FastifyReply {
  return reply
    .code(status)
    .type('application/json')
    .send(JSON.stringify(apiFaultBody(status, faultstring)));
}

/** Status and text for any error. */
export function faultOf(error: FastifyError): Fault {
  if (error instanceof ApiFault) return { status: error.status, faultstring: withoutTraceback(error.message) };
  return domainFault(error) ?? frameworkFault(error) ?? { status: 500, faultstring: 'An unknown exception occurred' };
}

function domainFault(error: unknown): Fault | undefined {
  if (error instanceof NotFoundError) return { status: 404, faultstring: notFoundText(error.entity, error.ident) };
  if (error instanceof AlreadyExistsError) {
    return { status: 409, faultstring: alreadyExistsText(error.entity, error.ident) };
  }
  if (error instanceof StateConflictError) return { status: 409, faultstring: error.message };
  if (error instanceof InvalidInputError) return { status: 400, faultstring: error.message };
  // A dependency is unavailable: Watcher's clients retry after a 503.
  if (error instanceof VigilError && error.category === 'retryable') {
    return { status: 503, faultstring: 'The service is not available at the moment' };
  }
  return undefined;
}

/** 4xx of the framework: unsupported media types, bodies that are too large, malformed URLs. */
function frameworkFault(error: FastifyError): Fault | undefined {
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return undefined;
  return { status, faultstring: messageOf(error) };
}

/** Watcher's text for an unknown entity. */
export function notFoundText(entity: string, ident: string): string {
  return entity === 'Service' ? `The service ${ident} cannot be found.` : `${entity} ${ident} could not be found`;
}

const withUuidOrName: Record<string, string> = { Audit: 'An audit', AuditTemplate: 'An audit_template' };

function alreadyExistsText(entity: string, ident: string): string {
  const known = withUuidOrName[entity];
  return known ? `${known} with UUID or name ${ident} already exists` : `${entity} with UUID ${ident} already exists`;
}

function withoutTraceback(text: string): string {
  const at = text.indexOf('Traceback (most recent call last):');
  return at === -1 ? text : text.slice(0, at).trimEnd();
}
