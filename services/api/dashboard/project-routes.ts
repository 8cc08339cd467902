import type { FastifyInstance } from 'fastify';
import type { IdentityPort } from '#libs/openstack';
import { ApiFault, badRequest } from '../http/faults/fault.ts';
import { requireSameOrigin } from '../http/request/same-origin.ts';
import { sessionIdOf } from '../http/request/session-cookie.ts';
import { requireJsonObject } from '../http/watcher-text/json-body.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { readSession } from './session-hook.ts';
import { shownSession } from './shown-session.ts';
import { revokeQuietly, startSession } from './start-session.ts';

const options = { schema: { hide: true } };
const noSessionText = 'Not signed in';

/**
 * `/dashboard/session/projects`: the projects of the signed-in user. `/dashboard/session/project`: switches to another
 * of them.
 */
export function registerProjectRoutes(app: FastifyInstance, deps: DashboardDeps, identity: IdentityPort): void {
  app.get('/dashboard/session/projects', options, async (request, reply) => {
    requireSameOrigin(request);
    reply.header('Cache-Control', 'no-store');
    const id = sessionIdOf(request);
    const session = id === null ? null : await readSession(deps, id, request);
    if (session === null) throw new ApiFault(401, noSessionText);
    const projects = await identity.projects(session.token);
    return { projects: projects.map(({ id: uuid, name, domainId }) => ({ id: uuid, name, domain_id: domainId })) };
  });

  app.post('/dashboard/session/project', options, async (request, reply) => {
    requireSameOrigin(request);
    reply.header('Cache-Control', 'no-store');
    request.auditNotes = { operation: 'switch_project', targetKind: 'session' };
    const { project } = requireJsonObject(request, 'project');
    if (typeof project !== 'string' || !/^[\w-]{1,64}$/.test(project)) throw badRequest('project: an id is expected');
    const id = sessionIdOf(request);
    const session = id === null ? null : await readSession(deps, id, request);
    if (session === null) throw new ApiFault(401, noSessionText);
    const token = await identity.signIn({ kind: 'token', token: session.token, project: { id: project } });
    const validated = token === null ? null : await identity.validate(token);
    if (token === null || !validated) {
      throw new ApiFault(403, 'Keystone gives no access to this project, or does not let this sign-in change it.');
    }
    const open = await startSession(deps, request, reply, { token, validated }, { longestSeconds: session.endsIn });
    await revokeQuietly(deps, identity, session.token);
    return shownSession(deps, validated, open);
  });
}
