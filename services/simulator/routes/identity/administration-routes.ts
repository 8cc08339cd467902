import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { derivedHex } from '../../identifiers.ts';
import { isAdmin, objectBody, paramsOf, queryOf } from '../request-context.ts';
import { type CatalogueService, catalogueBody } from './token-body.ts';

interface Endpoint {
  id: string;
  service_id: string;
  interface: string;
  region_id: string;
  url: string;
}

/** Services and endpoints that administrators added. */
interface Register {
  services: Map<string, { id: string; type: string; name: string; description: string }>;
  endpoints: Map<string, Endpoint>;
}

/**
 * Keystone's administration of services, endpoints, users and grants. Requires the role admin, as Keystone's default
 * policy does.
 */
export function addAdministrationRoutes(
  scope: FastifyInstance,
  simulation: Simulation,
  shipped: (request: FastifyRequest) => CatalogueService[],
): void {
  const register: Register = { services: new Map(), endpoints: new Map() };
  const newId = () => simulation.newUuid().replaceAll('-', '');
  addServiceRoutes(scope, { register, shipped, newId });
  addEndpointRoutes(scope, { register, simulation, shipped, newId });
  addUserRoutes(scope, simulation, newId);
}

type Shipped = (request: FastifyRequest) => CatalogueService[];

function addServiceRoutes(
  scope: FastifyInstance,
  { register, shipped, newId }: { register: Register; shipped: Shipped; newId: () => string },
): void {
  scope.get('/v3/services', async (request) => {
    const { type } = queryOf(request);
    const own = shipped(request).map((service) => ({
      id: derivedHex(`service/${service.type}`),
      type: service.type,
      name: service.name,
    }));
    const services = [...own, ...register.services.values()].filter(
      (service) => type === undefined || service.type === type,
    );
    return { services: services.map((service) => ({ ...service, enabled: true, links: {} })), links: {} };
  });
  scope.post('/v3/services', async (request, reply) => {
    const fields = changeOf(request, 'service', 'identity:create_service');
    const service = {
      id: newId(),
      type: textOf(fields, 'type'),
      name: textOf(fields, 'name'),
      description: textOf(fields, 'description'),
    };
    register.services.set(service.id, service);
    return reply.code(201).send({ service: { ...service, enabled: true, links: {} } });
  });
  scope.delete('/v3/services/:id', async (request, reply) => {
    requireAdmin(request, 'identity:delete_service');
    const { id } = paramsOf(request);
    if (!register.services.delete(id ?? '')) throw notFound('service', id);
    for (const endpoint of register.endpoints.values()) {
      if (endpoint.service_id === id) register.endpoints.delete(endpoint.id);
    }
    return reply.code(204).send();
  });
}

function addEndpointRoutes(
  scope: FastifyInstance,
  {
    register,
    simulation,
    shipped,
    newId,
  }: { register: Register; simulation: Simulation; shipped: Shipped; newId: () => string },
): void {
  const bodyOf = (endpoint: Endpoint) => ({ ...endpoint, region: endpoint.region_id, enabled: true, links: {} });
  const ofShipped = (request: FastifyRequest): Endpoint[] =>
    (
      catalogueBody(shipped(request), simulation.state.region, 'none') as { id: string; endpoints: Endpoint[] }[]
    ).flatMap(({ id, endpoints }) => endpoints.map((endpoint) => ({ ...endpoint, service_id: id })));
  scope.get('/v3/endpoints', async (request) => {
    const { service_id: wanted } = queryOf(request);
    const all = [...ofShipped(request), ...register.endpoints.values()];
    return {
      endpoints: all.filter(({ service_id }) => wanted === undefined || service_id === wanted).map(bodyOf),
      links: {},
    };
  });
  scope.post('/v3/endpoints', async (request, reply) => {
    const fields = changeOf(request, 'endpoint', 'identity:create_endpoint');
    const region = textOf(fields, 'region_id');
    if (region !== simulation.state.region) {
      throw new SimulatedApiError(400, `Invalid input for field 'region_id': region ${region} does not exist.`);
    }
    const endpoint = {
      id: newId(),
      service_id: textOf(fields, 'service_id'),
      interface: textOf(fields, 'interface'),
      region_id: region,
      url: textOf(fields, 'url'),
    };
    register.endpoints.set(endpoint.id, endpoint);
    return reply.code(201).send({ endpoint: bodyOf(endpoint) });
  });
  scope.patch('/v3/endpoints/:id', async (request) => {
    const fields = changeOf(request, 'endpoint', 'identity:update_endpoint');
    const { id = '' } = paramsOf(request);
    const endpoint = register.endpoints.get(id);
    if (endpoint === undefined) throw notFound('endpoint', id);
    endpoint.url = textOf(fields, 'url');
    return { endpoint: bodyOf(endpoint) };
  });
  scope.delete('/v3/endpoints/:id', async (request, reply) => {
    requireAdmin(request, 'identity:delete_endpoint');
    const { id = '' } = paramsOf(request);
    if (!register.endpoints.delete(id)) throw notFound('endpoint', id);
    return reply.code(204).send();
  });
}

function addUserRoutes(scope: FastifyInstance, { directory }: Simulation, newId: () => string): void {
  const roleName = (id: string | undefined) =>
    ['admin', 'service', 'manager', 'member', 'reader'].find((name) => directory.roleId(name) === id);
  const userBody = ({ id, name }: { id: string; name: string }) => ({
    user: { id, name, domain_id: 'default', enabled: true, links: {} },
  });
  scope.post('/v3/users', async (request, reply) => {
    const fields = changeOf(request, 'user', 'identity:create_user');
    const name = textOf(fields, 'name');
    if (directory.userByName(name)) {
      throw new SimulatedApiError(
        409,
        `Conflict occurred attempting to store user - Duplicate entry found with name ${name} at domain ID default.`,
      );
    }
    const user = {
      id: newId(),
      name,
      password: textOf(fields, 'password'),
      defaultProjectId: textOf(fields, 'default_project_id'),
      roles: new Map<string, string[]>(),
    };
    directory.users.set(user.id, user);
    return reply.code(201).send(userBody(user));
  });
  scope.delete('/v3/users/:id', async (request, reply) => {
    requireAdmin(request, 'identity:delete_user');
    const { id = '' } = paramsOf(request);
    if (!directory.users.delete(id)) throw notFound('user', id);
    return reply.code(204).send();
  });
  scope.get('/v3/role_assignments', async (request) => {
    const query = queryOf(request);
    const role = roleName(query['role.id']);
    const project = query['scope.project.id'] ?? '';
    const has =
      directory.users
        .get(query['user.id'] ?? '')
        ?.roles.get(project)
        ?.includes(role ?? '') ?? false;
    const grant = {
      role: { id: query['role.id'] },
      user: { id: query['user.id'] },
      scope: { project: { id: project } },
      links: {},
    };
    return { role_assignments: has ? [grant] : [], links: {} };
  });
  scope.put('/v3/projects/:project/users/:user/roles/:role', async (request, reply) => {
    requireAdmin(request, 'identity:create_grant');
    const { project = '', user = '', role } = paramsOf(request);
    const found = directory.users.get(user);
    const name = roleName(role);
    if (found === undefined) throw notFound('user', user);
    if (name === undefined) throw notFound('role', role);
    found.roles.set(project, [...new Set([...(found.roles.get(project) ?? []), name])]);
    return reply.code(204).send();
  });
}

function requireAdmin(request: FastifyRequest, action: string): void {
  if (!isAdmin(request))
    throw new SimulatedApiError(403, `You are not authorized to perform the requested action: ${action}.`);
}

/** The object below `key` in the body of a change. */
function changeOf(request: FastifyRequest, key: string, action: string): Record<string, unknown> {
  requireAdmin(request, action);
  const fields = objectBody(request)[key];
  if (typeof fields === 'object' && fields !== null) return { ...fields };
  throw new SimulatedApiError(400, `'${key}' is a required property`);
}

function textOf(fields: Record<string, unknown>, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

function notFound(kind: string, id: string | undefined): SimulatedApiError {
  return new SimulatedApiError(404, `Could not find ${kind}: ${id}.`);
}
