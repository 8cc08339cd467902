import type { FastifyInstance, FastifyRequest } from 'fastify';
import { vnicTypes } from '#libs/world-file';
import type { SimulatedServer } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { paramsOf } from '../request-context.ts';

/** Attaches ports of any type and shares of Manila to running servers, which the services do not offer. */
export function attachmentRoutes(scope: FastifyInstance, { state, newUuid }: Simulation): void {
  const portSchema = {
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { vnic_type: { enum: [...vnicTypes] } },
      required: ['vnic_type'],
    },
  };

  function serverOf(request: FastifyRequest): SimulatedServer {
    const { server: uuid = '' } = paramsOf(request);
    const server = state.servers.get(uuid);
    if (server === undefined) throw new SimulatedApiError(404, `unknown server ${uuid}`);
    return server;
  }

  scope.post('/servers/:server/ports', { schema: portSchema }, async (request, reply) => {
    const { vnic_type: vnicType } = request.body as { vnic_type: string };
    const port = { id: newUuid(), vnicType, resourceRequest: null };
    serverOf(request).ports.push(port);
    return reply.code(201).send({ id: port.id, vnic_type: vnicType });
  });
  scope.post('/servers/:server/shares', async (request, reply) => {
    const share = newUuid();
    serverOf(request).shares.push(share);
    return reply.code(201).send({ id: share });
  });
}
