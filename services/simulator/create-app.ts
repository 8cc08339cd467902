import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '#libs/domain';
import type { Simulation } from './create-simulation.ts';
import { SimulatedApiError } from './errors.ts';
import type { Sampler } from './load/sampler.ts';
import { baremetalRoutes } from './routes/baremetal/baremetal-routes.ts';
import { computeRoutes } from './routes/compute/compute-routes.ts';
import { controlRoutes } from './routes/control/control-routes.ts';
import { respondErrorsLike } from './routes/error-responses.ts';
import { type IdentityOptions, identityRoutes } from './routes/identity/identity-routes.ts';
import { imageRoutes } from './routes/image/image-routes.ts';
import { networkRoutes } from './routes/network/network-routes.ts';
import { placementRoutes } from './routes/placement/placement-routes.ts';
import { addRequestHooks } from './routes/request-hooks.ts';
import { volumeRoutes } from './routes/volume/volume-routes.ts';

/** The HTTP interface of a simulation: the OpenStack services and the control API on one port. */
export async function createApp(
  deps: { simulation: Simulation; sampler: Sampler | null; logger: Logger },
  options: IdentityOptions = {},
): Promise<FastifyInstance> {
  const { simulation, sampler, logger } = deps;
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: 4 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // The schemas are built in, and a test checks them.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, validateSchema: false } },
  });
  acceptAnyBody(app);
  addRequestHooks(app, simulation);
  app.addHook('onError', async (request, _reply, error) => {
    const expected = error instanceof SimulatedApiError || (error.statusCode ?? 500) < 500;
    if (!expected) logger.error({ error, method: request.method, path: request.url }, 'simulated service failed');
  });
  respondErrorsLike(app, 'compute');
  await app.register(identityRoutes(simulation, options), { prefix: '/identity' });
  await app.register(computeRoutes(simulation), { prefix: '/compute' });
  await app.register(placementRoutes(simulation), { prefix: '/placement' });
  await app.register(volumeRoutes(simulation), { prefix: '/volume' });
  await app.register(baremetalRoutes(simulation), { prefix: '/baremetal' });
  await app.register(imageRoutes(simulation), { prefix: '/image' });
  await app.register(networkRoutes(simulation), { prefix: '/network' });
  await app.register(controlRoutes(simulation, sampler), { prefix: '/simulator' });
  return app;
}

/** OpenStack clients send JSON with other content types, and content types without a body. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, null);
    try {
      done(null, JSON.parse(String(text)));
    } catch {
      done(new SimulatedApiError(400, 'Malformed request body'));
    }
  });
}
