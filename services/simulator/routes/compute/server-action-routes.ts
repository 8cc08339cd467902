import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SimulatedHost, SimulatedServer } from '../../cloud/entities.ts';
import { type Caller, isPowerOperation } from '../../compute/server-operations.ts';
import { requireState } from '../../compute/server-status.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { booleanWords, isBooleanWord, pythonText, schemaMessage } from '../python-text.ts';
import { isAdmin, objectBody } from '../request-context.ts';
import { callerOf, hostNamed, minorOf, requireAdmin, serverOf } from './compute-scope.ts';

interface ActionContext {
  simulation: Simulation;
  server: SimulatedServer;
  /** Value of the property with the name of the action. */
  argument: unknown;
  minor: number;
  caller: Caller;
  request: FastifyRequest;
}

interface ServerAction {
  status: 200 | 202 | 204;
  /** Policy rule that only administrators pass. */
  adminRule?: string;
  run(context: ActionContext): void;
}

const actions: Record<string, ServerAction> = {
  'os-migrateLive': { status: 202, adminRule: 'os-migrate-server:migrate_live', run: liveMigrate },
  migrate: { status: 202, adminRule: 'os-migrate-server:migrate', run: coldMigrate },
  evacuate: { status: 200, adminRule: 'os-evacuate', run: evacuate },
  resize: { status: 202, run: resize },
  confirmResize: {
    status: 204,
    run: ({ simulation, server, caller }) => simulation.cold.confirm(server, caller),
  },
  revertResize: {
    status: 202,
    run: ({ simulation, server, caller }) => simulation.cold.revert(server, caller),
  },
  lock: {
    status: 202,
    run: ({ simulation, server, argument }) => simulation.operations.lock(server, lockReason(argument)),
  },
  shelve: { status: 202, run: ({ simulation, server, caller }) => simulation.population.shelve(server, caller) },
  unshelve: {
    status: 202,
    run: ({ server }) => {
      requireState(server, 'unshelve', ['shelved', 'shelved_offloaded']);
      throw new SimulatedApiError(409, 'The simulator does not unshelve servers.');
    },
  },
  unlock: { status: 202, run: ({ simulation, server }) => simulation.operations.unlock(server) },
};

/** `POST /servers/{id}/action`. */
export function serverActionRoutes(scope: FastifyInstance, simulation: Simulation): void {
  scope.post('/servers/:server/action', async (request, reply) => {
    const body = objectBody(request);
    const [name, ...others] = Object.keys(body);
    if (name === undefined || others.length > 0) throw new SimulatedApiError(400, 'Malformed request body');
    const action = isPowerOperation(name)
      ? {
          status: 202,
          run: (context: ActionContext) => simulation.operations.change(context.server, name, context.caller),
        }
      : actions[name];
    if (action === undefined) throw new SimulatedApiError(400, `There is no such action: ${name}`);
    if ('adminRule' in action && action.adminRule !== undefined) requireAdmin(request, action.adminRule);
    const server = serverOf(simulation, request);
    refuseWhenLocked(server, name, request);
    refuseWithShare(server, name);
    refuseWithAccelerator(server, name);
    const caller = callerOf(request);
    action.run({ simulation, server, argument: body[name], minor: minorOf(request), caller, request });
    return reply.code(action.status).send();
  });
}

/** Nova refuses these for servers with a share. From 2026.2 on it permits cold migrations and resizes. */
const refusedWithShare = new Set(['os-migrateLive', 'evacuate', 'suspend', 'shelve']);
const refusedWithAccelerator = new Set([...refusedWithShare, 'migrate', 'resize']);

function refuseWithShare(server: SimulatedServer, action: string): void {
  if (server.shares.length === 0 || !refusedWithShare.has(action)) return;
  throw new SimulatedApiError(409, 'Feature not supported with instances that have shares.');
}

function refuseWithAccelerator(server: SimulatedServer, action: string): void {
  if (!refusedWithAccelerator.has(action)) return;
  if (!server.ports.some(({ vnicType }) => vnicType.startsWith('accelerator'))) return;
  throw new SimulatedApiError(400, 'Feature not supported with Ports that have accelerators.');
}

function refuseWhenLocked(server: SimulatedServer, action: string, request: FastifyRequest): void {
  if (!server.locked || isAdmin(request) || action === 'unlock' || action === 'lock') return;
  throw new SimulatedApiError(409, `Instance ${server.uuid} is locked`);
}

function invalid(action: string, value: unknown, reason: string): SimulatedApiError {
  return new SimulatedApiError(400, schemaMessage(action, value, reason));
}

function refuseUnknownFields(action: string, argument: object, known: string[]): void {
  const unknown = Object.keys(argument).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalid(action, argument, `Additional properties are not allowed ('${unknown}' was unexpected)`);
}

/**
 * From 2.30 on the scheduler checks a named host. Before 2.34 the response is a refusal, later only the record has it.
 */
function liveMigrate({ simulation, server, argument, minor, caller }: ActionContext): void {
  const name = 'os-migrateLive';
  if (typeof argument !== 'object' || argument === null)
    throw invalid(name, argument, `${pythonText(argument, true)} is not of type 'object'`);
  const fields = argument as Record<string, unknown>;
  const known = ['host', 'block_migration'];
  if (minor < 25) known.push('disk_over_commit');
  if (minor >= 30 && minor < 68) known.push('force');
  refuseUnknownFields(name, fields, known);
  const missing = known.find((field) => field !== 'force' && !(field in fields));
  if (missing !== undefined) throw invalid(name, argument, `'${missing}' is a required property`);
  const { block_migration: block } = fields;
  if (!isBooleanWord(block) && (block !== 'auto' || minor < 25)) {
    const words = minor < 25 ? booleanWords : `${booleanWords}, 'auto'`;
    throw invalid('block_migration', block, `${pythonText(block, true)} is not one of [${words}]`);
  }
  simulation.live.start(server, hostNamed(simulation, fields.host), caller, minor < 34);
}

function coldMigrate({ simulation, server, argument, minor, caller }: ActionContext): void {
  let host: SimulatedHost | null = null;
  if (minor >= 56 && argument !== null) {
    if (typeof argument !== 'object')
      throw invalid('migrate', argument, `${pythonText(argument, true)} is not of type 'object', 'null'`);
    refuseUnknownFields('migrate', argument, ['host']);
    host = hostNamed(simulation, (argument as { host?: unknown }).host);
    if (host === server.host) {
      throw new SimulatedApiError(400, 'Cannot migrate to the host where the server exists.');
    }
  }
  simulation.cold.start(server, { host, newFlavor: null }, caller);
}

/** From 2.29 on the scheduler checks a named host, from 2.95 on the server stays off. */
function evacuate({ simulation, server, argument, minor, caller }: ActionContext): void {
  if (typeof argument !== 'object' || argument === null)
    throw invalid('evacuate', argument, `${pythonText(argument, true)} is not of type 'object'`);
  const known = [
    'host',
    'adminPass',
    ...(minor < 14 ? ['onSharedStorage'] : []),
    ...(minor >= 29 && minor < 68 ? ['force'] : []),
  ];
  refuseUnknownFields('evacuate', argument, known);
  const name = (argument as { host?: unknown }).host;
  const host = name === undefined ? null : (simulation.state.hosts.get(String(name)) ?? null);
  if (name !== undefined && host === null) throw new SimulatedApiError(404, `Compute host ${String(name)} not found.`);
  if (host === server.host) throw new SimulatedApiError(400, "The target host can't be the same one.");
  simulation.evacuations.start(server, { host, staysOff: minor >= 95 }, caller);
}

function resize({ simulation, server, argument, caller }: ActionContext): void {
  const reference = (argument as { flavorRef?: unknown } | null)?.flavorRef;
  if (reference === undefined) throw invalid('resize', argument, "'flavorRef' is a required property");
  const flavor = simulation.state.flavors.get(String(reference).split('/').at(-1) ?? '');
  if (flavor === undefined) throw new SimulatedApiError(400, `Flavor ${String(reference)} could not be found.`);
  if (flavor === server.flavor) {
    throw new SimulatedApiError(400, 'When resizing, instances must change flavor!');
  }
  simulation.cold.start(server, { host: null, newFlavor: flavor }, caller);
}

function lockReason(argument: unknown): string | null {
  const reason = (argument as { locked_reason?: unknown } | null)?.locked_reason;
  return typeof reason === 'string' ? reason : null;
}
