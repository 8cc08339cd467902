import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { originOf, paramsOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';

/** The image of all servers with local disks. */
export const imageId = '6a1f0f5c-8f0c-5d0a-9a3a-6c1d6c4c8a10';

const image = {
  id: imageId,
  name: 'simulated-image',
  status: 'active',
  visibility: 'public',
  container_format: 'bare',
  disk_format: 'qcow2',
  size: 1024,
  min_disk: 0,
  min_ram: 0,
  protected: false,
  tags: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  file: `/v2/images/${imageId}/file`,
  self: `/v2/images/${imageId}`,
  schema: '/v2/schemas/image',
};

/** The part of Glance v2 below `/image` that the `openstack` command needs to list servers. */
export function imageRoutes(simulation: Simulation) {
  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'compute');
    requireToken(scope, simulation, (path) => /^\/image\/?$/.test(path));
    scope.get('/', async (request: FastifyRequest, reply) =>
      reply.code(300).send({
        versions: [{ id: 'v2.9', status: 'CURRENT', links: [{ rel: 'self', href: `${originOf(request)}/image/v2/` }] }],
      }),
    );
    scope.get('/v2/images', async () => ({ images: [image], first: '/v2/images', schema: '/v2/schemas/images' }));
    scope.get('/v2/images/:image', async (request) => {
      const { image: id } = paramsOf(request);
      if (id !== imageId) throw new SimulatedApiError(404, `Failed to find image ${id}`);
      return image;
    });
  };
}
