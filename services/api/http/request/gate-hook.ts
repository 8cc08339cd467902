import type { FastifyInstance } from 'fastify';
import type { Gate, GateReport } from '#libs/dependencies';
import { injectFault } from '../faults/error-handler.ts';
import { routedPath } from './request-context.ts';
import { needsIdentity } from './rewrite-url.ts';

/** `Retry-After` in seconds. */
export const retryAfterSeconds = 5;

const names: Readonly<Record<string, string>> = {
  postgresql: 'PostgreSQL',
  rabbitmq: 'RabbitMQ',
  keystone: 'Keystone',
  nova: 'Nova',
  placement: 'Placement',
  cinder: 'Cinder',
  history: 'The history store',
  memcached: 'memcached',
};

/** Marks a response that may be stale, because a standby may have served it. */
const staleWarning = '110 vigil "PostgreSQL takes no writes; this may be old"';

/**
 * Refuses requests below `/v1` and `/internal` while a dependency that all requests need is unavailable. Reads continue
 * while only writes are impossible, even from standbys of the database. Such responses have a `Warning`.
 */
export function installGate(app: FastifyInstance, gate: Gate): void {
  app.addHook('onRequest', async (request, reply) => {
    if (gate.isOpen || !needsIdentity(routedPath(request))) return;
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (isReading && isReadable(gate.report())) {
      reply.header('Warning', staleWarning);
      return;
    }
    await injectFault(reply.header('Retry-After', retryAfterSeconds), closedFault(gate));
  });
}

/** Response while the gate is closed. Reasons are for operators and appear in `/readyz`. */
export function closedFault(gate: Pick<Gate, 'report'>): { status: number; faultstring: string } {
  const missing = missingIn(gate.report()).map(({ name }) => names[name] ?? name);
  const what = missing.length > 0 ? missing.join(' and ') : 'The service';
  const verb = missing.length > 1 ? 'are' : 'is';
  const faultstring = `${what} ${verb} not available at the moment; try again in ${retryAfterSeconds} seconds`;
  return { status: 503, faultstring };
}

function missingIn(report: GateReport | null): GateReport['dependencies'] {
  return report?.dependencies.filter(({ required, up }) => required && !up) ?? [];
}

function isReadable(report: GateReport | null): boolean {
  const missing = missingIn(report);
  return missing.length > 0 && missing.every(({ nodes }) => nodes.some(({ readable }) => readable));
}
