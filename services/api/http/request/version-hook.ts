import type { FastifyReply, FastifyRequest } from 'fastify';
import { routingFaultBody } from '../faults/fault-body.ts';
import { chooseVersion, maxVersion, minVersion } from './microversion.ts';
import { routedPath } from './request-context.ts';
import { isVersioned } from './rewrite-url.ts';

/** Media ranges that JSON satisfies. Clients that request XML accept JSON too. */
const served = ['*/*', 'application/*', 'application/json', 'text/javascript', 'application/javascript'];

const xmlTypes = ['application/xml', 'text/xml'];

/**
 * Chooses the microversion of a request below `/v1`, sets the version headers and refuses versions that do not exist.
 */
export async function negotiateVersion(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isVersioned(routedPath(request))) return;
  const choice = chooseVersion(request.headers['openstack-api-version']);
  if ('refused' in choice) {
    if (choice.withHeaders) setRangeHeaders(reply);
    await reply.code(406).type('application/json').send(routingFaultBody(406, choice.refused));
    return;
  }
  request.microversion = choice.minor;
  // Watcher's routing refusals (404, 405) carry no version headers.
  if (request.is404) return;
  if (!acceptsJson(request.headers.accept) && !wantsEvents(request)) {
    await reply.code(406).type('application/json').send(routingFaultBody(406, 'The resource is served as JSON only.'));
    return;
  }
  setRangeHeaders(reply);
  reply.header('OpenStack-API-Version', `infra-optim 1.${choice.minor}`);
}

/** Clients of an event stream request only this type. */
function wantsEvents(request: FastifyRequest): boolean {
  const config = request.routeOptions.config as { eventStream?: boolean };
  return config.eventStream === true && /text\/event-stream/i.test(request.headers.accept ?? '');
}

function setRangeHeaders(reply: FastifyReply): void {
  reply.header('OpenStack-API-Minimum-Version', minVersion);
  reply.header('OpenStack-API-Maximum-Version', maxVersion);
  const vary = reply.getHeader('Vary');
  reply.header('Vary', vary === undefined ? 'OpenStack-API-Version' : `${vary}, OpenStack-API-Version`);
}

/** Whether a client with this `Accept` header takes JSON. A missing, empty or unreadable header takes anything. */
function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  const ranges = header.split(',').map(readRange);
  if (ranges.some(({ type }) => !type.includes('/'))) return true;
  return ranges.some(({ type, weight }) => weight > 0 && [...served, ...xmlTypes].includes(type));
}

function readRange(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { type, weight: Number.isNaN(weight) ? 1 : weight };
}
