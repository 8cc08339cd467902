import { OperatorError } from '#libs/domain';
import type { IdentityAdmin, RegisteredEndpoint } from '#libs/openstack';

/** Service type of the API in the catalogue. */
export const serviceType = 'infra-optim';

/** Data for the registration in Keystone. */
export interface Registration {
  /** Name of a new service. An existing service keeps its name. */
  serviceName: string;
  region: string;
  /** URL by interface. */
  urls: Readonly<Record<'public' | 'internal' | 'admin', string>>;
  /** Null: users and roles are not changed. */
  user: { name: string; domain: string; project: string; roles: readonly string[]; password: string | null } | null;
}

/** One change, or a confirmation that nothing needs to change. */
export interface Step {
  what: string;
  /** Null when there is nothing to do. */
  change: (() => Promise<void>) | null;
}

const noChange = null;

/**
 * Steps that register Vigil in Keystone: service, one endpoint per interface, user and its roles. Correct entries stay
 * unchanged.
 * @throws OperatorError when project or role are missing, or a new user has no password
 */
export async function planRegistration(admin: IdentityAdmin, wanted: Registration): Promise<Step[]> {
  const { steps, serviceId } = await planService(admin, wanted);
  return [...steps, ...(await planEndpoints(admin, wanted, serviceId)), ...(await planUser(admin, wanted))];
}

type ServiceId = () => string;

async function planService(
  admin: IdentityAdmin,
  { serviceName }: Registration,
): Promise<{ steps: Step[]; serviceId: ServiceId | null }> {
  const [present, ...others] = await admin.services(serviceType);
  if (others.length > 0) {
    const names = [present, ...others].map((service) => service?.name).join(', ');
    throw new OperatorError(`Keystone has several services ${serviceType} (${names}): delete all but one`, {
      exitCode: 1,
    });
  }
  if (present)
    return {
      steps: [{ what: `service ${serviceType} (${present.name})`, change: noChange }],
      serviceId: () => present.id,
    };
  const create = async () => {
    await admin.createService({ type: serviceType, name: serviceName, description: 'Infrastructure optimization' });
  };
  return { steps: [{ what: `create service ${serviceType} (${serviceName})`, change: create }], serviceId: null };
}

async function planEndpoints(
  admin: IdentityAdmin,
  { urls, region }: Registration,
  serviceId: ServiceId | null,
): Promise<Step[]> {
  const present = serviceId ? await admin.endpoints(serviceId()) : [];
  // A service that an earlier step creates is known only by its type.
  const idOf = async () => (await admin.services(serviceType))[0]?.id ?? '';
  return Object.entries(urls).map(([face, url]): Step => {
    const endpoint = present.find((candidate) => candidate.interface === face && candidate.region === region);
    if (endpoint === undefined) {
      const create = async () => admin.createEndpoint({ serviceId: await idOf(), interface: face, region, url });
      return { what: `create endpoint ${face} of ${region}: ${url}`, change: create };
    }
    if (endpoint.url === url) return { what: `endpoint ${face} of ${region}: ${url}`, change: noChange };
    return {
      what: `change endpoint ${face} of ${region}: ${endpoint.url} to ${url}`,
      change: () => admin.changeEndpoint(endpoint.id, url),
    };
  });
}

async function planUser(admin: IdentityAdmin, { user }: Registration): Promise<Step[]> {
  if (user === null) return [];
  const { name, project, domain, password } = user;
  const domainId = (await admin.domainId(domain)) ?? domain;
  const projectId = await admin.projectId(project, domainId);
  if (projectId === null)
    throw new OperatorError(`Keystone has no project ${project} in the domain ${domain}`, { exitCode: 1 });
  const present = await admin.userId(name, domainId);
  const steps: Step[] = [];
  if (present !== null) steps.push({ what: `user ${name}`, change: noChange });
  else {
    if (password === null)
      throw new OperatorError(`the user ${name} is new: give its password by --password-file`, { exitCode: 2 });
    const create = async () => {
      await admin.createUser({ name, password, domainId, projectId });
    };
    steps.push({ what: `create user ${name}`, change: create });
  }
  const idOf = async () => present ?? (await admin.userId(name, domainId)) ?? '';
  for (const role of user.roles) {
    const roleId = await admin.roleId(role);
    if (roleId === null) throw new OperatorError(`Keystone has no role ${role}`, { exitCode: 1 });
    const hasIt = present !== null && (await admin.hasRole({ userId: present, projectId, roleId }));
    const grant = async () => admin.grantRole({ userId: await idOf(), projectId, roleId });
    steps.push({
      what: `${hasIt ? '' : 'grant '}role ${role} of ${name} in ${project}`,
      change: hasIt ? noChange : grant,
    });
  }
  return steps;
}

/**
 * Steps that remove Vigil from a region in Keystone. The service is removed with its last endpoint.
 * @param user removed too, with its domain. Null keeps users.
 */
export async function planRemoval(
  admin: IdentityAdmin,
  { region, user }: { region: string; user: { name: string; domain: string } | null },
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const service of await admin.services(serviceType)) {
    const endpoints = await admin.endpoints(service.id);
    const here = endpoints.filter((endpoint) => endpoint.region === region);
    steps.push(...here.map((endpoint) => removalOf(admin, endpoint)));
    if (endpoints.length === here.length) {
      steps.push({
        what: `delete service ${serviceType} (${service.name})`,
        change: () => admin.deleteService(service.id),
      });
    }
  }
  const domainId = user && ((await admin.domainId(user.domain)) ?? user.domain);
  const id = user && domainId ? await admin.userId(user.name, domainId) : null;
  if (user && id) steps.push({ what: `delete user ${user.name}`, change: () => admin.deleteUser(id) });
  return steps;
}

function removalOf(admin: IdentityAdmin, { id, interface: face, region, url }: RegisteredEndpoint): Step {
  return { what: `delete endpoint ${face} of ${region}: ${url}`, change: () => admin.deleteEndpoint(id) };
}
