import type { FastifyInstance } from 'fastify';
import type { MigrationRecord } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { type FaultDefinition, faultSchema } from '../../faults/fault.ts';
import { cpuSpread, hostLoad } from '../../load/host-load.ts';
import type { Sampler } from '../../load/sampler.ts';
import { paramsOf, queryOf } from '../request-context.ts';
import { attachmentRoutes } from './attachment-routes.ts';

const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** The simulator's control API below `/simulator`: inspect state, inject faults, change the load. Loopback only. */
export function controlRoutes(simulation: Simulation, sampler: Sampler | null) {
  const { state, ledger, faults, simulatedClock, progression, seed } = simulation;

  return async (scope: FastifyInstance): Promise<void> => {
    scope.setErrorHandler((error, _request, reply) => {
      const status =
        error instanceof SimulatedApiError ? error.status : ((error as { statusCode?: number }).statusCode ?? 500);
      return reply.code(status).send({ error: (error as Error).message });
    });
    scope.addHook('onRequest', async (request) => {
      if (!loopback.test(request.ip)) throw new SimulatedApiError(403, 'the control API serves loopback only');
    });

    scope.get('/state', async (request) => {
      const second = simulatedClock.seconds();
      const withMigrations = queryOf(request).migrations !== 'false';
      return {
        world: state.worldName,
        simulated_seconds: second,
        speed: simulatedClock.speed(),
        servers: state.servers.size,
        cpu_spread: cpuSpread(state.hosts.values(), second, seed),
        hosts: [...state.hosts.values()].map((host) => ({
          name: host.name,
          status: host.status,
          alive: host.alive && host.powered,
          servers: host.servers.size,
          used: { ...ledger.usage(host) },
          ...rounded(hostLoad(host, second, seed)),
        })),
        migrations: withMigrations ? state.migrations.map(migrationRow) : [],
        nodes: [...state.nodes.values()].map(({ uuid, name, host, powerState, lastError }) => ({
          uuid,
          name,
          host: host?.name ?? null,
          power_state: powerState,
          last_error: lastError,
        })),
      };
    });
    scope.get('/requests', async (request) => ({
      requests: simulation.requestLog.since(Number(queryOf(request).since ?? 0)),
    }));
    scope.put('/requests', async (request, reply) => {
      simulation.requestLog.withReads = (request.body as { reads?: unknown } | null)?.reads === true;
      return reply.code(204).send();
    });
    scope.delete('/requests', async (_request, reply) => {
      simulation.requestLog.clear();
      return reply.code(204).send();
    });

    scope.get('/failures', async () => ({ resources: faults.failed() }));
    scope.get('/faults', async () => ({ faults: faults.list() }));
    scope.post('/faults', { schema: { body: faultSchema } }, async (request, reply) => {
      const definition = request.body as FaultDefinition;
      if ('host' in definition && definition.host !== undefined && !state.hosts.has(definition.host)) {
        throw new SimulatedApiError(400, `unknown host ${definition.host}`);
      }
      return reply.code(201).send(faults.add(definition));
    });
    scope.delete('/faults', async (_request, reply) => {
      faults.remove();
      return reply.code(204).send();
    });
    scope.delete('/faults/:fault', async (request, reply) => {
      const gone = faults.remove(Number(paramsOf(request).fault));
      if (gone.length === 0) throw new SimulatedApiError(404, `no fault ${paramsOf(request).fault}`);
      return reply.code(204).send();
    });

    const speed = { type: 'number', minimum: 0, maximum: 100_000 };
    scope.post('/speed', { schema: body({ speed }, ['speed']) }, async (request) => {
      simulatedClock.setSpeed((request.body as { speed: number }).speed);
      return { speed: simulatedClock.speed() };
    });
    const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 10_000_000 };
    scope.post('/tick', { schema: body({ seconds }, ['seconds']) }, async (request) => {
      simulatedClock.advanceBy((request.body as { seconds: number }).seconds);
      progression.advance();
      return { simulated_seconds: simulatedClock.seconds() };
    });
    scope.post('/sample', async () => ({ samples: (await sampler?.sampleNow()) ?? 0 }));
    scope.post('/tokens/revoke', async (_request, reply) => {
      simulation.tokens.revokeAll();
      return reply.code(204).send();
    });
    loadRoutes(scope, simulation);
    attachmentRoutes(scope, simulation);
  };
}

/** Hints multiply the modelled CPU of servers, or of all current servers of a host. */
function loadRoutes(scope: FastifyInstance, { state }: Simulation): void {
  const names = { type: 'array', items: { type: 'string' } };
  const factor = { type: 'number', minimum: 0, maximum: 100 };
  scope.post('/load', { schema: body({ factor, hosts: names, servers: names }, ['factor']) }, async (request) => {
    const hint = request.body as { factor: number; hosts?: string[]; servers?: string[] };
    for (const name of hint.hosts ?? []) {
      const host = state.hosts.get(name);
      if (host === undefined) throw new SimulatedApiError(400, `unknown host ${name}`);
      for (const server of host.servers) server.loadFactor = hint.factor;
    }
    for (const uuid of hint.servers ?? []) {
      const server = state.servers.get(uuid);
      if (server === undefined) throw new SimulatedApiError(400, `unknown server ${uuid}`);
      server.loadFactor = hint.factor;
    }
    return { servers: [...state.servers.values()].filter((server) => server.loadFactor !== 1).length };
  });
  scope.delete('/load', async (_request, reply) => {
    for (const server of state.servers.values()) server.loadFactor = 1;
    return reply.code(204).send();
  });
}

function body(properties: object, required: string[]): { body: object } {
  return { body: { type: 'object', additionalProperties: false, properties, required } };
}

function rounded(load: { cpuPercent: number; ramKib: number }): object {
  return { cpu_percent: Math.round(load.cpuPercent * 100) / 100, ram_kib: load.ramKib };
}

function migrationRow(record: MigrationRecord): object {
  return {
    id: record.id,
    uuid: record.uuid,
    server: record.server.uuid,
    type: record.type,
    status: record.status,
    source: record.source.name,
    dest: record.dest?.name ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    reason: record.reason,
    request_id: record.requestId,
  };
}
