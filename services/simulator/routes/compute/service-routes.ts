import type { FastifyInstance, FastifyRequest } from 'fastify';
import { derivedUuid } from '#libs/world-file';
import { isUp, type SimulatedHost } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import type { Evacuations } from '../../migration/evacuations.ts';
import { pythonText, schemaMessage } from '../python-text.ts';
import { microTime, objectBody, paramsOf, queryOf } from '../request-context.ts';
import { isUuid, minorOf, requireAdmin } from './compute-scope.ts';

interface ServiceRow {
  number: number;
  uuid: string;
  binary: string;
  host: string;
  zone: string;
  compute: SimulatedHost | null;
}

/** os-services. A compute service that is up reported just now, one that is down two minutes ago. */
export function serviceRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state, clock } = simulation;

  function rows(): ServiceRow[] {
    const controllers = ['nova-scheduler', 'nova-conductor'].map((binary, index) => ({
      number: index + 1,
      uuid: derivedUuid(`${state.worldName}/service/controller/${binary}`),
      binary,
      host: 'controller',
      zone: 'internal',
      compute: null,
    }));
    const computes = [...state.hosts.values()].map((host) => ({
      number: host.serviceId,
      uuid: host.serviceUuid,
      binary: 'nova-compute',
      host: host.name,
      zone: host.zone,
      compute: host,
    }));
    return [...controllers, ...computes];
  }
  /** From 2.69 on, Nova lists services in an unreachable cell. */
  function listed(row: ServiceRow, minor: number): object[] {
    if (row.compute === null || !simulation.faults.isHidden(row.compute)) return [view(row, minor)];
    return minor >= 69 ? [{ binary: row.binary, host: row.host, status: 'UNKNOWN' }] : [];
  }
  function view(row: ServiceRow, minor: number): object {
    const up = row.compute === null || isUp(row.compute);
    return {
      id: minor >= 53 ? row.uuid : row.number,
      binary: row.binary,
      host: row.host,
      zone: row.zone,
      status: row.compute?.status ?? 'enabled',
      state: up ? 'up' : 'down',
      updated_at: microTime(clock.now() - (up ? 0 : 120_000)),
      disabled_reason: row.compute?.disabledReason ?? null,
      ...(minor >= 11 ? { forced_down: row.compute?.forcedDown ?? false } : {}),
    };
  }
  function hostOf(request: FastifyRequest): SimulatedHost {
    const body = objectBody(request);
    const host = state.hosts.get(String(body.host));
    if (host === undefined) throw new SimulatedApiError(404, `Host '${String(body.host)}' is not mapped to any cell`);
    if (body.binary !== 'nova-compute') {
      throw new SimulatedApiError(404, `Could not find binary ${String(body.binary)} on host ${String(body.host)}.`);
    }
    return host;
  }

  scope.get('/os-services', async (request) => {
    requireAdmin(request, 'os-services:list');
    const { binary, host } = queryOf(request);
    const found = rows().filter(
      (row) => (binary === undefined || row.binary === binary) && (host === undefined || row.host === host),
    );
    return { services: found.flatMap((row) => listed(row, minorOf(request))) };
  });
  scope.put('/os-services/:service', async (request) => {
    requireAdmin(request, 'os-services:update');
    const { service } = paramsOf(request);
    if (minorOf(request) < 53) return legacyUpdate(request, service ?? '');
    if (!isUuid(service ?? '')) {
      throw new SimulatedApiError(400, `Invalid uuid ${service}`);
    }
    const row = rows().find((candidate) => candidate.uuid === service);
    if (row === undefined) throw new SimulatedApiError(404, `Service ${service} could not be found.`);
    if (row.compute === null) {
      throw new SimulatedApiError(
        400,
        `Updating a ${row.binary} service is not supported. Only nova-compute services can be updated.`,
      );
    }
    change(row.compute, objectBody(request), simulation.evacuations);
    return { service: view(row, minorOf(request)) };
  });

  function legacyUpdate(request: FastifyRequest, verb: string): object {
    const host = hostOf(request);
    const reason = objectBody(request).disabled_reason;
    if (verb === 'enable') change(host, { status: 'enabled' }, simulation.evacuations);
    else if (verb === 'disable') change(host, { status: 'disabled' }, simulation.evacuations);
    else if (verb === 'disable-log-reason')
      change(host, { status: 'disabled', disabled_reason: reason }, simulation.evacuations);
    else if (verb === 'force-down')
      change(host, { forced_down: objectBody(request).forced_down }, simulation.evacuations);
    else throw new SimulatedApiError(404, 'Unknown action');
    return {
      service: {
        host: host.name,
        binary: 'nova-compute',
        ...(verb === 'force-down' ? { forced_down: host.forcedDown } : { status: host.status }),
        ...(verb === 'disable-log-reason' ? { disabled_reason: host.disabledReason } : {}),
      },
    };
  }
}

function change(host: SimulatedHost, body: Record<string, unknown>, evacuations: Evacuations): void {
  const { status, disabled_reason: reason, forced_down: forcedDown } = body;
  const known = ['status', 'disabled_reason', 'forced_down'];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new SimulatedApiError(400, `Additional properties are not allowed ('${unknown}' was unexpected)`);
  }
  if (status === undefined && forcedDown === undefined) {
    throw new SimulatedApiError(
      400,
      "No updates were requested. Fields 'status' or 'forced_down' should be specified.",
    );
  }
  if (status !== undefined && status !== 'enabled' && status !== 'disabled') {
    throw new SimulatedApiError(
      400,
      schemaMessage('status', status, `${pythonText(status, true)} is not one of ['enabled', 'disabled']`),
    );
  }
  if (reason !== undefined && status !== 'disabled') {
    throw new SimulatedApiError(400, "Specifying 'disabled_reason' with status 'enabled' is invalid.");
  }
  if (status !== undefined) {
    host.status = status;
    host.disabledReason = typeof reason === 'string' ? reason : null;
  }
  if (forcedDown === undefined) return;
  const isForced = forcedDown === true || forcedDown === 'true';
  if (!isForced && evacuations.awaitsCleanUp(host)) {
    throw new SimulatedApiError(
      400,
      `Unable to force up host ${host.name} as \`done\` evacuation migration records remain associated with the host. ` +
        'Ensure the compute service has been restarted, allowing these records to move to `completed` before retrying this request.',
    );
  }
  host.forcedDown = isForced;
}
