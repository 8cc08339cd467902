import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { requireToken } from '../request-hooks.ts';
import { catalogueRoutes } from './catalogue-routes.ts';
import { computeBase } from './compute-scope.ts';
import { flavorRoutes } from './flavor-routes.ts';
import { hypervisorRoutes } from './hypervisor-routes.ts';
import { migrationRoutes } from './migration-routes.ts';
import { refuseUnknownParameters } from './query-parameters.ts';
import { serverActionRoutes } from './server-action-routes.ts';
import { serverRoutes } from './server-routes.ts';
import { serviceRoutes } from './service-routes.ts';

/** Microversions that the simulated Nova serves. */
export const computeVersions = {
  name: 'compute',
  major: 2,
  minMinor: 1,
  maxMinor: 104,
  legacyHeader: 'X-OpenStack-Nova-API-Version',
} as const;

const publicPaths = /^\/compute\/?$|^\/compute\/v2\.1\/?$/;

/** Nova below `/compute`. */
export function computeRoutes(simulation: Simulation) {
  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'compute');
    requireToken(scope, simulation, (path) => publicPaths.test(path));
    negotiateMicroversion(scope, computeVersions);
    scope.get('/', async (request) => ({
      versions: [
        { ...version(request, 'v2.0', 'SUPPORTED'), version: '', min_version: '', updated: '2011-01-21T11:33:21Z' },
        version(request, 'v2.1', 'CURRENT'),
      ],
    }));
    scope.get('/v2.1', async (request) => ({
      version: {
        ...version(request, 'v2.1', 'CURRENT'),
        'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' }],
      },
    }));
    await scope.register(
      async (versioned) => {
        refuseUnknownParameters(versioned, '/compute/v2.1');
        serverRoutes(versioned, simulation);
        serverActionRoutes(versioned, simulation);
        migrationRoutes(versioned, simulation);
        hypervisorRoutes(versioned, simulation);
        serviceRoutes(versioned, simulation);
        catalogueRoutes(versioned, simulation);
        flavorRoutes(versioned, simulation);
      },
      { prefix: '/v2.1' },
    );
  };
}

function version(request: FastifyRequest, id: string, status: string): object {
  return {
    id,
    status,
    version: `2.${computeVersions.maxMinor}`,
    min_version: `2.${computeVersions.minMinor}`,
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${computeBase(request)}/${id === 'v2.0' ? 'v2' : id}/` }],
  };
}
