import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { unauthorizedMessage } from '../../identity/authenticate.ts';
import { paramsOf, queryOf } from '../request-context.ts';

/** Paths that a browser requests without a token. */
export const webSsoPaths =
  /^\/identity\/v3\/auth\/OS-FEDERATION\/(websso\/[^/]+|identity_providers\/[^/]+\/protocols\/[^/]+\/websso)\/?$/;

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Keystone's web sign-in: a page with a choice of users instead of an identity provider, then Keystone's page that
 * posts an unscoped token to the origin. Only local origins are trusted (`[federation] trusted_dashboard`).
 */
export function addWebSsoRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { origin = '', user: name } = queryOf(request);
    if (!isTrusted(origin)) throw new SimulatedApiError(401, `${origin} is not a trusted dashboard host`);
    const page =
      name === undefined ? providerPage(simulation, request.url) : callbackPage(origin, tokenFor(request, name));
    return reply.type('text/html; charset=utf-8').send(page);
  };
  const tokenFor = (request: FastifyRequest, name: string): string => {
    const user = simulation.directory.userByName(name);
    if (user === undefined) throw new SimulatedApiError(401, unauthorizedMessage);
    const methods = [paramsOf(request).protocol ?? 'mapped'];
    return simulation.tokens.issue({ methods, user, project: null, system: false, roles: [] }).id;
  };
  scope.get('/v3/auth/OS-FEDERATION/websso/:protocol', respond);
  scope.get('/v3/auth/OS-FEDERATION/identity_providers/:provider/protocols/:protocol/websso', respond);
}

function isTrusted(origin: string): boolean {
  return URL.canParse(origin) && loopbackHosts.has(new URL(origin).hostname);
}

function providerPage({ directory }: Simulation, url: string): string {
  const links = [...directory.users.values()].map(
    ({ name }) => `<li><a href="${escaped(`${url}&user=${encodeURIComponent(name)}`)}">${escaped(name)}</a></li>`,
  );
  return `<!DOCTYPE html><title>Identity provider</title><p>Select a user:</p><ul>${links.join('')}</ul>`;
}

/** Keystone's `sso_callback_template.html`. */
function callbackPage(origin: string, token: string): string {
  return `<!DOCTYPE html>
<html>
  <head><title>Keystone WebSSO redirect</title></head>
  <body>
    <form id="sso" name="sso" action="${escaped(origin)}" method="post">
      Please wait...
      <input type="hidden" name="token" id="token" value="${escaped(token)}"/>
    </form>
    <script type="text/javascript">window.onload = function() { document.forms['sso'].submit(); }</script>
  </body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
