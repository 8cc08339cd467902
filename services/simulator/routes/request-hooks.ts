import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Simulation } from '../create-simulation.ts';
import { SimulatedApiError } from '../errors.ts';
import type { FaultDefinition } from '../faults/fault.ts';
import { allowsRequest } from '../identity/access-rules.ts';
import { unauthorizedMessage } from '../identity/authenticate.ts';
import { contextKey, contextOf, type RequestContext, serviceOfPath } from './request-context.ts';

const mutating = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const hangStepMs = 50;

type RequestFault = Extract<FaultDefinition, { match?: unknown }>;

/** Hooks of all requests: simulated time, request ids, the request log, faults. */
export function addRequestHooks(app: FastifyInstance, simulation: Simulation): void {
  app.decorateRequest(contextKey, null);

  app.addHook('onRequest', async (request, reply) => {
    simulation.progression.advance();
    const requestId = `req-${simulation.newUuid()}`;
    const context: RequestContext = {
      service: serviceOfPath(request.url),
      requestId,
      token: null,
      minor: 0,
      logged: null,
      dropResponse: false,
    };
    request.setDecorator(contextKey, context);
    void reply.header('x-openstack-request-id', requestId);
    if (context.service === 'compute') void reply.header('x-compute-request-id', requestId);
  });

  app.addHook('preHandler', async (request, reply) => {
    const context = contextOf(request);
    if (context.service === null) return;
    if (mutating.has(request.method) || simulation.requestLog.withReads) logRequest(simulation, request, context);
    const target = { service: context.service, method: request.method, path: request.url };
    for (const fault of simulation.faults.meet(target)) {
      await strike(simulation, fault, request, reply);
      if (reply.sent) return;
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const context = contextOf(request);
    if (context.logged !== null) {
      context.logged.status = reply.statusCode;
      context.logged.delivered = !context.dropResponse && !request.raw.socket.destroyed;
      context.logged.pending = false;
      context.logged.doneAt = simulation.clock.now();
    }
    if (context.dropResponse) request.raw.socket.destroy();
    return payload;
  });
}

function logRequest(simulation: Simulation, request: FastifyRequest, context: RequestContext): void {
  const isLogin = context.service === 'identity';
  const globalId = request.headers['x-openstack-request-id'];
  context.logged = simulation.requestLog.add({
    at: simulation.clock.now(),
    service: context.service ?? '',
    method: request.method,
    path: request.url,
    body: isLogin ? null : (request.body ?? null),
    requestId: context.requestId,
    globalRequestId: typeof globalId === 'string' ? globalId : null,
    userName: context.token?.user.name ?? null,
  });
}

async function strike(
  simulation: Simulation,
  fault: RequestFault,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  switch (fault.kind) {
    case 'latency':
      await holdBack(simulation, delayOf(simulation, fault));
      return;
    case 'late':
      await takeEffectLate(simulation, fault, request);
      return;
    case 'error':
      if (fault.retry_after !== undefined) void reply.header('retry-after', fault.retry_after);
      throw new SimulatedApiError(fault.status ?? 503, fault.message ?? 'The service is unavailable on request.');
    case 'drop':
      contextOf(request).dropResponse = true;
      return;
    case 'reset':
      cutOff(request, reply);
      return;
    case 'hang':
      await hang(simulation, fault, request);
      cutOff(request, reply);
      return;
    default:
  }
}

function delayOf(
  { random }: Simulation,
  fault: { milliseconds: number; jitter_milliseconds?: number | undefined },
): number {
  return fault.milliseconds + (fault.jitter_milliseconds ?? 0) * random();
}

async function holdBack(simulation: Simulation, milliseconds: number): Promise<void> {
  await sleep(milliseconds);
  simulation.progression.advance();
}

/** The caller gets no response. The request is executed later. */
async function takeEffectLate(
  simulation: Simulation,
  fault: Extract<RequestFault, { kind: 'late' }>,
  request: FastifyRequest,
): Promise<void> {
  contextOf(request).dropResponse = true;
  const delayMs = delayOf(simulation, fault);
  const cutMs = Math.min(fault.cut_milliseconds ?? 0, delayMs);
  await sleep(cutMs);
  request.raw.socket.destroy();
  await holdBack(simulation, delayMs - cutMs);
}

function cutOff(request: FastifyRequest, reply: FastifyReply): void {
  const { logged } = contextOf(request);
  if (logged !== null) logged.pending = false;
  reply.hijack();
  request.raw.socket.destroy();
}

async function hang(
  simulation: Simulation,
  fault: Extract<RequestFault, { kind: 'hang' }>,
  request: FastifyRequest,
): Promise<void> {
  const until = performance.now() + (fault.milliseconds ?? Number.POSITIVE_INFINITY);
  const stillThere = () => simulation.faults.list().some((active) => active.definition === fault);
  const counted = fault.count !== undefined;
  while (performance.now() < until && !request.raw.socket.destroyed && (counted || stillThere())) {
    await sleep(hangStepMs);
  }
}

/** Text of a header, or undefined. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** All routes of the scope need a valid scoped token, except those for which `isPublic` returns true. */
export function requireToken(
  scope: FastifyInstance,
  simulation: Simulation,
  isPublic: (path: string) => boolean,
): void {
  scope.addHook('onRequest', async (request) => {
    const context = contextOf(request);
    const token = simulation.tokens.find(headerText(request.headers['x-auth-token']));
    const isOpen = isPublic(request.url.split('?', 1)[0] as string);
    if (token !== undefined) context.token = token;
    const isAllowed = token !== undefined && allowsRequest(token, request);
    if (!isOpen && !isAllowed) throw new SimulatedApiError(401, unauthorizedMessage);
  });
}
