import type { FastifyInstance } from 'fastify';
import { needsIdentity } from '../http/rewrite-url.ts';
import { routedPath } from '../http/routed-path.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sessionIdOf } from './session-cookie.ts';
import { hashOfSession, openToken } from './session-secret.ts';

/**
 * Lets requests with a session cookie and without a token of their own pass as if they had brought the session's token;
 * they must come from the dashboard itself. Call before the authentication hook is added.
 */
export function installSessionHook(app: FastifyInstance, deps: Pick<DashboardDeps, 'store'>): void {
  app.addHook('onRequest', async (request) => {
    if (!needsIdentity(routedPath(request)) || request.headers['x-auth-token'] !== undefined) return;
    const id = sessionIdOf(request);
    if (id === null) return;
    requireSameOrigin(request);
    const token = await readToken(deps, id);
    if (token === null) return;
    request.headers['x-auth-token'] = token;
    request.sessionHash = hashOfSession(id);
  });
}

/** The token of a session; null when it is unknown or has expired. */
export async function readToken({ store }: Pick<DashboardDeps, 'store'>, id: string): Promise<string | null> {
  const sealed = await store.db.dashboardSessions.find(hashOfSession(id));
  return sealed === null ? null : openToken(id, sealed);
}
