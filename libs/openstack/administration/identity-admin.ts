import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceCall, ServiceClient } from '../service/service-client.ts';

/** A service of Keystone's catalogue. */
export interface RegisteredService {
  id: string;
  name: string;
}

/** An endpoint of a service. */
export interface RegisteredEndpoint {
  id: string;
  interface: string;
  region: string;
  url: string;
}

/** A grant of a role to a user in a project, by ids. */
export interface RoleGrant {
  userId: string;
  projectId: string;
  roleId: string;
}

/** Administration of Keystone: services, endpoints, users, roles. Names are looked up in the domain with an id. */
export interface IdentityAdmin {
  domainId(name: string): Promise<string | null>;
  services(type: string): Promise<RegisteredService[]>;
  createService(service: { type: string; name: string; description: string }): Promise<string>;
  deleteService(id: string): Promise<void>;
  endpoints(serviceId: string): Promise<RegisteredEndpoint[]>;
  createEndpoint(endpoint: { serviceId: string; interface: string; region: string; url: string }): Promise<void>;
  changeEndpoint(id: string, url: string): Promise<void>;
  deleteEndpoint(id: string): Promise<void>;
  projectId(name: string, domainId: string): Promise<string | null>;
  userId(name: string, domainId: string): Promise<string | null>;
  createUser(user: { name: string; password: string; domainId: string; projectId: string }): Promise<string>;
  changePassword(userId: string, password: string): Promise<void>;
  deleteUser(id: string): Promise<void>;
  roleId(name: string): Promise<string | null>;
  hasRole(grant: RoleGrant): Promise<boolean>;
  grantRole(grant: RoleGrant): Promise<void>;
}

/** Keystone has no microversions. */
const versions = { min: '3.0', max: '3.0' };

/** Keystone's administration over HTTP. Every failure is an OpenStackError. Only reads are retried. */
export function createIdentityAdmin(client: ServiceClient, options?: CloudCallOptions): IdentityAdmin {
  const call = (method: ServiceCall['method'], path: string, more: Partial<ServiceCall> = {}): ServiceCall => ({
    method,
    path,
    versions,
    options,
    ...more,
  });
  const list = async (path: string, key: string, query: Record<string, string>): Promise<FieldReader[]> =>
    (await client.read(call('GET', path, { query }))).list(key);
  const first = async (path: string, key: string, query: Record<string, string>) =>
    (await list(path, key, query))[0]?.text('id') ?? null;
  const created = async (path: string, key: string, fields: object) =>
    (await client.read(call('POST', path, { body: { [key]: fields } }))).object(key).text('id');
  const send = async (method: ServiceCall['method'], path: string, body?: object) => {
    await client.send(call(method, path, body === undefined ? {} : { body }));
  };
  const at = (collection: string, id: string) => `/${collection}/${encodeURIComponent(id)}`;
  return {
    domainId: (name) => first('/domains', 'domains', { name }),
    async services(type) {
      const found = await list('/services', 'services', { type });
      return found.map((service) => ({ id: service.text('id'), name: service.optionalText('name') ?? '' }));
    },
    createService: (service) => created('/services', 'service', service),
    deleteService: (id) => send('DELETE', at('services', id)),
    async endpoints(serviceId) {
      const found = await list('/endpoints', 'endpoints', { service_id: serviceId });
      return found.map((endpoint) => ({
        id: endpoint.text('id'),
        interface: endpoint.text('interface'),
        region: endpoint.optionalText('region_id') ?? '',
        url: endpoint.text('url'),
      }));
    },
    async createEndpoint({ serviceId, region, ...endpoint }) {
      await created('/endpoints', 'endpoint', { ...endpoint, service_id: serviceId, region_id: region });
    },
    changeEndpoint: (id, url) => send('PATCH', at('endpoints', id), { endpoint: { url } }),
    deleteEndpoint: (id) => send('DELETE', at('endpoints', id)),
    projectId: (name, domainId) => first('/projects', 'projects', { name, domain_id: domainId }),
    userId: (name, domainId) => first('/users', 'users', { name, domain_id: domainId }),
    createUser: ({ name, password, domainId, projectId }) =>
      created('/users', 'user', { name, password, domain_id: domainId, default_project_id: projectId }),
    changePassword: (userId, password) => send('PATCH', at('users', userId), { user: { password } }),
    deleteUser: (id) => send('DELETE', at('users', id)),
    roleId: (name) => first('/roles', 'roles', { name }),
    async hasRole({ userId, projectId, roleId }) {
      const query = { 'user.id': userId, 'scope.project.id': projectId, 'role.id': roleId };
      return (await list('/role_assignments', 'role_assignments', query)).length > 0;
    },
    grantRole: ({ userId, projectId, roleId }) =>
      send('PUT', `${at('projects', projectId)}${at('users', userId)}${at('roles', roleId)}`),
  };
}
