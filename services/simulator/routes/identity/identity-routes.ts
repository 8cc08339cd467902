import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { type AuthenticationRequest, authenticate, unauthorizedMessage } from '../../identity/authenticate.ts';
import { roleNames } from '../../identity/directory.ts';
import type { Token } from '../../identity/token-store.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { objectBody, originOf, paramsOf, queryOf, tokenOf } from '../request-context.ts';
import { headerText, requireToken } from '../request-hooks.ts';
import { addAdministrationRoutes } from './administration-routes.ts';
import { addCredentialRoutes } from './credential-routes.ts';
import { catalogueBody, catalogueServices, tokenBody } from './token-body.ts';
import { addWebSsoRoutes, webSsoPaths } from './websso-routes.ts';

export interface IdentityOptions {
  /** Origin in catalogue URLs. Default: the origin of the request. */
  publicUrl?: string;
  /** Vigil's API, for the catalogue entry `infra-optim`. */
  optimizerUrl?: string;
}

const publicPaths = /^\/identity\/?$|^\/identity\/v3\/?$|^\/identity\/v3\/auth\/tokens\/?$/;

/** Keystone v3 below `/identity`. */
export function identityRoutes(simulation: Simulation, options: IdentityOptions) {
  const { directory, tokens, state } = simulation;
  const origin = (request: FastifyRequest) => options.publicUrl ?? originOf(request);
  const contents = {
    optimizerUrl: options.optimizerUrl,
    hasNodes: state.nodes.size > 0,
    hasShares: [...state.servers.values()].some(({ shares }) => shares.length > 0),
  };
  const catalogueOf = (request: FastifyRequest, token: Token) =>
    catalogueBody(catalogueServices(origin(request), contents), state.region, token.project?.id ?? 'none');

  function login(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const token = authenticate(objectBody(request) as AuthenticationRequest, directory, tokens);
    const catalog = 'nocatalog' in queryOf(request) ? null : catalogueOf(request, token);
    return reply
      .code(201)
      .header('x-subject-token', token.id)
      .header('vary', 'X-Auth-Token')
      .send(tokenBody(token, directory, catalog));
  }
  function subject(request: FastifyRequest): Token {
    // The path is open for logins, so the caller's token is checked here.
    if (tokens.find(headerText(request.headers['x-auth-token'])) === undefined) {
      throw new SimulatedApiError(401, unauthorizedMessage);
    }
    const subjectToken = headerText(request.headers['x-subject-token']);
    if (subjectToken === undefined) throw new SimulatedApiError(404, 'No token in the request');
    const found = tokens.find(subjectToken);
    if (found === undefined) throw new SimulatedApiError(404, 'Could not recognize Fernet token');
    return found;
  }
  function validate(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const token = subject(request);
    const catalog = 'nocatalog' in queryOf(request) ? null : catalogueOf(request, token);
    return reply
      .header('x-subject-token', token.id)
      .header('vary', 'X-Auth-Token')
      .send(tokenBody(token, directory, catalog));
  }

  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'identity');
    requireToken(scope, simulation, (path) => publicPaths.test(path) || webSsoPaths.test(path));
    const version = (request: FastifyRequest) => ({
      id: 'v3.14',
      status: 'stable',
      updated: '2020-04-07T00:00:00Z',
      links: [{ rel: 'self', href: `${origin(request)}/identity/v3/` }],
      'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
    });
    scope.get('/', async (request, reply) => reply.code(300).send({ versions: { values: [version(request)] } }));
    scope.get('/v3', async (request) => ({ version: version(request) }));
    scope.post('/v3/auth/tokens', async (request, reply) => login(request, reply));
    // Also serves HEAD.
    scope.get('/v3/auth/tokens', async (request, reply) => validate(request, reply));
    scope.delete('/v3/auth/tokens', async (request, reply) => {
      tokens.revoke(subject(request).id);
      return reply.code(204).send();
    });
    addWebSsoRoutes(scope, simulation);
    addDirectoryRoutes(scope, simulation, catalogueOf);
    addCredentialRoutes(scope, simulation);
    addAdministrationRoutes(scope, simulation, (request) => catalogueServices(origin(request), contents));
  };
}

function addDirectoryRoutes(
  scope: FastifyInstance,
  simulation: Simulation,
  catalogueOf: (request: FastifyRequest, token: Token) => object[],
): void {
  const { directory } = simulation;
  const projectBody = (project: { id: string; name: string }) => ({
    id: project.id,
    name: project.name,
    domain_id: 'default',
    parent_id: 'default',
    description: '',
    enabled: true,
    is_domain: false,
    options: {},
    tags: [],
    links: {},
  });
  const userBody = (user: { id: string; name: string }) => ({
    id: user.id,
    name: user.name,
    domain_id: 'default',
    enabled: true,
    options: {},
    password_expires_at: null,
    links: {},
  });
  const domain = { id: 'default', name: 'Default', description: '', enabled: true, options: {}, tags: [], links: {} };
  const byName = <Item extends { name: string }>(items: Item[], name: string | undefined) =>
    name === undefined ? items : items.filter((item) => item.name === name);

  scope.get('/v3/auth/catalog', async (request) => ({ catalog: catalogueOf(request, tokenOf(request)), links: {} }));
  scope.get('/v3/auth/projects', async (request) => ({
    projects: [...tokenOf(request).user.roles.keys()].flatMap((id) => {
      const project = directory.projects.get(id);
      return project === undefined ? [] : [projectBody(project)];
    }),
    links: {},
  }));
  scope.get('/v3/projects', async (request) => ({
    projects: byName([...directory.projects.values()], queryOf(request).name).map(projectBody),
    links: {},
  }));
  scope.get('/v3/projects/:id', async (request) => {
    const project = directory.projects.get(paramsOf(request).id ?? '');
    if (project === undefined) throw new SimulatedApiError(404, `Could not find project: ${paramsOf(request).id}.`);
    return { project: projectBody(project) };
  });
  scope.get('/v3/users', async (request) => ({
    users: byName([...directory.users.values()], queryOf(request).name).map(userBody),
    links: {},
  }));
  scope.get('/v3/users/:id', async (request) => {
    const user = directory.users.get(paramsOf(request).id ?? '');
    if (user === undefined) throw new SimulatedApiError(404, `Could not find user: ${paramsOf(request).id}.`);
    return { user: userBody(user) };
  });
  scope.get('/v3/domains', async (request) => ({ domains: byName([domain], queryOf(request).name), links: {} }));
  scope.get('/v3/domains/default', async () => ({ domain }));
  scope.get('/v3/regions', async () => ({
    regions: [{ id: simulation.state.region, description: '', parent_region_id: null, links: {} }],
    links: {},
  }));
  scope.get('/v3/roles', async (request) => ({
    roles: byName(
      roleNames.map((name) => ({ name })),
      queryOf(request).name,
    ).map(({ name }) => ({
      id: directory.roleId(name),
      name,
      domain_id: null,
      description: null,
      links: {},
    })),
    links: {},
  }));
}
