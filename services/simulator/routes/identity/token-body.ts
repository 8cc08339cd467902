import { derivedHex } from '../../identifiers.ts';
import type { ApplicationCredential, Directory } from '../../identity/directory.ts';
import type { Token } from '../../identity/token-store.ts';
import { microTime } from '../request-context.ts';

const domain = { id: 'default', name: 'Default' };

/** One service of the catalogue. `url` may depend on the project. */
export interface CatalogueService {
  type: string;
  name: string;
  url(projectId: string): string;
}

/**
 * The services of the simulator at `origin`, Ironic if it has nodes, Manila if it has shares, and Vigil at
 * `optimizerUrl` if set.
 */
export function catalogueServices(
  origin: string,
  { optimizerUrl, hasNodes, hasShares }: { optimizerUrl?: string | undefined; hasNodes: boolean; hasShares: boolean },
): CatalogueService[] {
  const services: CatalogueService[] = [
    { type: 'identity', name: 'keystone', url: () => `${origin}/identity/v3` },
    { type: 'compute', name: 'nova', url: () => `${origin}/compute/v2.1` },
    { type: 'placement', name: 'placement', url: () => `${origin}/placement` },
    { type: 'network', name: 'neutron', url: () => `${origin}/network` },
    { type: 'image', name: 'glance', url: () => `${origin}/image` },
    { type: 'block-storage', name: 'cinder', url: (project) => `${origin}/volume/v3/${project}` },
    { type: 'volumev3', name: 'cinderv3', url: (project) => `${origin}/volume/v3/${project}` },
  ];
  if (hasShares) services.push({ type: 'sharev2', name: 'manilav2', url: () => `${origin}/share/v2` });
  if (hasNodes) services.push({ type: 'baremetal', name: 'ironic', url: () => `${origin}/baremetal` });
  if (optimizerUrl !== undefined) services.push({ type: 'infra-optim', name: 'vigil', url: () => optimizerUrl });
  return services;
}

/** `catalog` of a token. */
export function catalogueBody(services: CatalogueService[], region: string, projectId: string): object[] {
  return services.map((service) => ({
    type: service.type,
    name: service.name,
    id: derivedHex(`service/${service.type}`),
    endpoints: ['public', 'internal', 'admin'].map((face) => ({
      id: derivedHex(`endpoint/${service.type}/${face}`),
      interface: face,
      region,
      region_id: region,
      url: service.url(projectId),
    })),
  }));
}

/** Body of a token response. `catalog` null omits the catalogue. */
export function tokenBody(token: Token, directory: Directory, catalog: object[] | null): object {
  const { user, project } = token;
  return {
    token: {
      methods: token.methods,
      user: { domain, id: user.id, name: user.name, password_expires_at: null },
      audit_ids: [token.auditId],
      expires_at: `${microTime(token.expiresAt)}Z`,
      issued_at: `${microTime(token.issuedAt)}Z`,
      ...(project === null ? {} : { is_domain: false, project: { domain, id: project.id, name: project.name } }),
      ...(token.system ? { system: { all: true } } : {}),
      ...(token.roles.length === 0 ? {} : { roles: token.roles.map((name) => ({ id: directory.roleId(name), name })) }),
      ...(token.applicationCredential && { application_credential: credentialPart(token.applicationCredential) }),
      ...(catalog === null || token.roles.length === 0 ? {} : { catalog }),
    },
  };
}

function credentialPart({ id, name, unrestricted, accessRules }: ApplicationCredential): object {
  const rules = accessRules?.map(({ id, service, method, path }) => ({ id, service, method, path }));
  return { id, name, restricted: !unrestricted, ...(rules && { access_rules: rules }) };
}
