import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import type { ApplicationCredential, Directory, SimulatedAccessRule } from '../../identity/directory.ts';
import type { Token } from '../../identity/token-store.ts';
import { microTime, objectBody, paramsOf, queryOf, tokenOf } from '../request-context.ts';

const at = '/v3/users/:user/application_credentials';
const rulesAt = '/v3/users/:user/access_rules';

/** Application credentials and access rules of users. As in Keystone, each user sees only the user's own. */
export function addCredentialRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { directory } = simulation;
  const newId = () => simulation.newUuid().replaceAll('-', '');
  const ownOf = ({ user }: Token) =>
    [...directory.applicationCredentials.values()].filter((credential) => credential.user === user);
  const found = (request: FastifyRequest) => {
    const { id = '' } = paramsOf(request);
    const credential = ownOf(ownerOf(request)).find((own) => own.id === id);
    if (credential === undefined) throw missing('application credential', id);
    return credential;
  };

  scope.post(at, async (request, reply) => {
    const token = unrestrictedOf(request);
    const credential = readCredential(objectBody(request).application_credential, { token, newId, simulation });
    if (ownOf(token).some(({ name }) => name === credential.name)) {
      throw new SimulatedApiError(
        409,
        `Conflict occurred attempting to store application_credential - Duplicate entry`,
      );
    }
    directory.applicationCredentials.set(credential.id, credential);
    const body = { ...credentialBody(credential, directory), secret: credential.secret };
    return reply.code(201).send({ application_credential: body });
  });
  scope.get(at, async (request) => {
    const { name } = queryOf(request);
    const own = ownOf(ownerOf(request)).filter((credential) => name === undefined || credential.name === name);
    return { application_credentials: own.map((credential) => credentialBody(credential, directory)), links: {} };
  });
  scope.get(`${at}/:id`, async (request) => ({ application_credential: credentialBody(found(request), directory) }));
  scope.delete(`${at}/:id`, async (request, reply) => {
    unrestrictedOf(request);
    const credential = found(request);
    credential.isDeleted = true;
    directory.applicationCredentials.delete(credential.id);
    return reply.code(204).send();
  });
  addRuleRoutes(scope, directory);
}

function addRuleRoutes(scope: FastifyInstance, directory: Directory): void {
  scope.get(rulesAt, async (request) => {
    const { user } = ownerOf(request);
    const own = [...directory.accessRules.values()].filter(({ userId }) => userId === user.id);
    return { access_rules: own.map(ruleBody), links: {} };
  });
  scope.delete(`${rulesAt}/:id`, async (request, reply) => {
    const { id = '' } = paramsOf(request);
    const rule = directory.accessRules.get(id);
    if (rule?.userId !== ownerOf(request).user.id) throw missing('access rule', id);
    const isUsed = [...directory.applicationCredentials.values()].some(({ accessRules }) =>
      accessRules?.includes(rule),
    );
    if (isUsed) {
      const text = `access rule ${id} is in use by one or more application credentials and cannot be deleted`;
      throw new SimulatedApiError(403, `Forbidden: ${text}`);
    }
    directory.accessRules.delete(id);
    return reply.code(204).send();
  });
}

/** The token of the user in the path. */
function ownerOf(request: FastifyRequest): Token {
  const token = tokenOf(request);
  if (token.user.id === paramsOf(request).user) return token;
  throw new SimulatedApiError(403, 'You are not authorized to perform the requested action.');
}

function unrestrictedOf(request: FastifyRequest): Token {
  const token = ownerOf(request);
  if (token.applicationCredential?.unrestricted !== false) return token;
  const text = 'Using method `application_credential` is not allowed for managing additional application credentials.';
  throw new SimulatedApiError(403, `Could not perform the requested action: ${text}`);
}

function readCredential(
  given: unknown,
  { token, newId, simulation }: { token: Token; newId: () => string; simulation: Simulation },
): ApplicationCredential {
  const { directory, tokens } = simulation;
  const fields = (given ?? {}) as Record<string, unknown>;
  const { name, description, secret, unrestricted, expires_at: expires } = fields;
  if (typeof name !== 'string' || name === '') throw new SimulatedApiError(400, "'name' is a required property");
  const expiresAt = typeof expires === 'string' ? Date.parse(`${expires.replace(/Z$/, '').slice(0, 23)}Z`) : null;
  if (expiresAt !== null && !(expiresAt > tokens.now())) {
    throw new SimulatedApiError(400, 'Invalid input for field expires_at: the time is over, or is no time.');
  }
  const wanted = recordsOf(fields.roles).map((role) => String(role.name ?? ''));
  const foreign = wanted.find((role) => !token.roles.includes(role));
  if (foreign !== undefined) {
    throw new SimulatedApiError(400, `Could not find role assignment with role: ${foreign}, user or group: the user.`);
  }
  return {
    id: newId(),
    name,
    description: typeof description === 'string' ? description : '',
    secret: typeof secret === 'string' ? secret : `${newId()}${newId()}`,
    user: token.user,
    projectId: token.project?.id ?? '',
    roles: wanted.length === 0 ? token.roles : wanted,
    expiresAt,
    unrestricted: unrestricted === true,
    accessRules: fields.access_rules === undefined ? null : readRules(fields.access_rules, { token, newId, directory }),
    isDeleted: false,
  };
}

/** An existing rule of the user is reused. */
function readRules(
  given: unknown,
  { token, newId, directory }: { token: Token; newId: () => string; directory: Directory },
): SimulatedAccessRule[] {
  return recordsOf(given).map((fields) => {
    const [service = '', method = '', path = ''] = ['service', 'method', 'path'].map((key) =>
      String(fields[key] ?? ''),
    );
    if (!path.startsWith('/')) throw new SimulatedApiError(400, `Invalid input for field 'path': ${path}`);
    const known = [...directory.accessRules.values()].find(
      (rule) =>
        rule.userId === token.user.id && rule.service === service && rule.method === method && rule.path === path,
    );
    if (known !== undefined) return known;
    const rule = { id: newId(), userId: token.user.id, service, method, path };
    directory.accessRules.set(rule.id, rule);
    return rule;
  });
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

function credentialBody(credential: ApplicationCredential, directory: Directory): object {
  const { id, name, description, projectId, roles, unrestricted, expiresAt, accessRules } = credential;
  return {
    id,
    name,
    description,
    project_id: projectId,
    roles: roles.map((role) => ({ id: directory.roleId(role), name: role, domain_id: null })),
    expires_at: expiresAt === null ? null : microTime(expiresAt),
    unrestricted,
    ...(accessRules && { access_rules: accessRules.map(ruleBody) }),
    links: {},
  };
}

function ruleBody({ id, service, method, path }: SimulatedAccessRule): object {
  return { id, service, method, path };
}

function missing(kind: string, id: string): SimulatedApiError {
  return new SimulatedApiError(404, `Could not find ${kind}: ${id}.`);
}
