import type { FastifyInstance, FastifyRequest } from 'fastify';
import { powerRequests } from '../../baremetal/node-power.ts';
import type { SimulatedNode } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { isAdmin, microTime, objectBody, originOf, paramsOf, queryOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';

/** Microversions that the simulated Ironic serves. */
const baremetalVersions = {
  name: 'baremetal',
  major: 1,
  minMinor: 1,
  maxMinor: 82,
  legacyHeader: 'X-OpenStack-Ironic-API-Version',
} as const;

const publicPaths = /^\/baremetal\/?$|^\/baremetal\/v1\/?$/;
const largestPage = 1000;

/** Ironic v1 below `/baremetal`: nodes, their power and maintenance. For administrators only. */
export function baremetalRoutes(simulation: Simulation) {
  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'baremetal');
    requireToken(scope, simulation, (path) => publicPaths.test(path));
    negotiateMicroversion(scope, baremetalVersions);
    const version = (request: FastifyRequest) => ({
      id: 'v1',
      status: 'CURRENT',
      min_version: `1.${baremetalVersions.minMinor}`,
      version: `1.${baremetalVersions.maxMinor}`,
      links: [{ rel: 'self', href: `${originOf(request)}/baremetal/v1/` }],
    });
    scope.get('/', async (request) => ({
      name: 'OpenStack Ironic API',
      default_version: version(request),
      versions: [version(request)],
    }));
    scope.get('/v1', async (request) => ({ id: 'v1', version: version(request) }));
    await scope.register(async (versioned) => nodeRoutes(versioned, simulation), { prefix: '/v1/nodes' });
  };
}

function nodeRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state, nodePower } = simulation;
  scope.addHook('preHandler', async (request) => {
    if (!isAdmin(request))
      throw new SimulatedApiError(403, 'Access was denied to the following resource: baremetal:node');
  });

  function nodeOf(request: FastifyRequest): SimulatedNode {
    const { node: id = '' } = paramsOf(request);
    const node = state.nodes.get(id) ?? [...state.nodes.values()].find((one) => one.name === id);
    if (node === undefined) throw new SimulatedApiError(404, `Node ${id} could not be found.`);
    return node;
  }
  function list(request: FastifyRequest, detail: boolean): object {
    const { marker, limit, fields } = queryOf(request);
    const nodes = [...state.nodes.values()];
    const start = marker === undefined ? 0 : nodes.findIndex((node) => node.uuid === marker) + 1;
    if (marker !== undefined && start === 0) throw new SimulatedApiError(404, `Node ${marker} could not be found.`);
    const size = Math.min(largestPage, Number(limit ?? largestPage) || largestPage);
    const page = nodes.slice(start, start + size);
    const view = (node: SimulatedNode) =>
      detail || fields !== undefined ? nodeView(node, originOf(request), fields) : nodeSummary(node, originOf(request));
    const last = page.at(-1);
    const next =
      start + size < nodes.length && last ? `${originOf(request)}/baremetal/v1/nodes?marker=${last.uuid}` : null;
    return { nodes: page.map(view), ...(next === null ? {} : { next }) };
  }

  scope.get('/', async (request) => list(request, /^true$/i.test(queryOf(request).detail ?? '')));
  scope.get('/detail', async (request) => list(request, true));
  scope.get('/:node', async (request) => nodeView(nodeOf(request), originOf(request), queryOf(request).fields));
  scope.get('/:node/states', async (request) =>
    nodeView(nodeOf(request), originOf(request), 'power_state,target_power_state,provision_state,last_error'),
  );
  scope.put('/:node/states/power', async (request, reply) => {
    const { target } = objectBody(request);
    const requested = powerRequests.find((request) => request === target);
    if (requested === undefined) {
      throw new SimulatedApiError(400, `The requested action "${String(target)}" can not be performed on node.`);
    }
    nodePower.change(nodeOf(request), requested);
    return reply.code(202).send();
  });
  scope.put('/:node/maintenance', async (request, reply) => {
    const reason = request.body === null || request.body === undefined ? '' : objectBody(request).reason;
    nodePower.setMaintenance(nodeOf(request), String(reason ?? ''));
    return reply.code(202).send();
  });
  scope.delete('/:node/maintenance', async (request, reply) => {
    nodePower.setMaintenance(nodeOf(request), null);
    return reply.code(202).send();
  });
}

/** A node as a list shows it by default. */
function nodeSummary(node: SimulatedNode, origin: string): object {
  return nodeView(node, origin, 'uuid,name,instance_uuid,power_state,provision_state,maintenance,links');
}

/** A node, reduced to `fields` (separated by commas) if given. */
function nodeView(node: SimulatedNode, origin: string, fields?: string): object {
  const whole: Record<string, unknown> = {
    uuid: node.uuid,
    name: node.name,
    instance_uuid: null,
    power_state: node.powerState,
    target_power_state: node.targetPowerState,
    provision_state: 'active',
    target_provision_state: null,
    maintenance: node.maintenance,
    maintenance_reason: node.maintenanceReason,
    last_error: node.lastError,
    reservation: node.targetPowerState === null ? null : 'controller',
    driver: 'fake-hardware',
    driver_info: {},
    driver_internal_info:
      node.powerChangedAt === null ? {} : { last_power_state_change: microTime(node.powerChangedAt) },
    properties: {},
    extra: node.host === null ? {} : { compute_node_id: node.host.uuid },
    created_at: `${microTime(node.createdAt)}+00:00`,
    updated_at: `${microTime(node.updatedAt)}+00:00`,
    links: [{ rel: 'self', href: `${origin}/baremetal/v1/nodes/${node.uuid}` }],
  };
  if (fields === undefined) return whole;
  return Object.fromEntries(fields.split(',').flatMap((name) => (name in whole ? [[name, whole[name]]] : [])));
}
