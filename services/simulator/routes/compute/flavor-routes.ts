import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SimulatedFlavor } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { objectBody, paramsOf, queryOf } from '../request-context.ts';
import { computeBase, minorOf, nextLink, pageOf, requireAdmin } from './compute-scope.ts';
import { links } from './server-view.ts';

function flavorView(flavor: SimulatedFlavor, minor: number, base: string): object {
  return {
    id: flavor.id,
    name: flavor.name,
    vcpus: flavor.vcpus,
    ram: flavor.ramMb,
    disk: flavor.diskGb,
    swap: flavor.swapMb > 0 || minor >= 75 ? flavor.swapMb : '',
    'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeralGb,
    'os-flavor-access:is_public': true,
    ...(minor >= 102 ? {} : { 'OS-FLV-DISABLED:disabled': false, rxtx_factor: 1.0 }),
    links: links(base, 'flavors', flavor.id),
    ...(minor >= 55 ? { description: null } : {}),
    ...(minor >= 61 ? { extra_specs: flavor.extraSpecs } : {}),
  };
}

/** Flavors and their extra specs. Administrators create and delete them. */
export function flavorRoutes(scope: FastifyInstance, { state, newUuid }: Simulation): void {
  function flavorOf(request: FastifyRequest): SimulatedFlavor {
    const id = paramsOf(request).flavor ?? '';
    const flavor = state.flavors.get(id);
    if (flavor === undefined) throw new SimulatedApiError(404, `Flavor ${id} could not be found.`);
    return flavor;
  }

  scope.get('/flavors', async (request) => ({
    flavors: [...state.flavors.values()].map((flavor) => ({
      id: flavor.id,
      name: flavor.name,
      links: links(computeBase(request), 'flavors', flavor.id),
      ...(minorOf(request) >= 55 ? { description: null } : {}),
    })),
  }));
  scope.get('/flavors/detail', async (request) => {
    const { page, more } = pageOf([...state.flavors.values()], queryOf(request), (flavor) => flavor.id);
    const last = page.at(-1);
    return {
      flavors: page.map((flavor) => flavorView(flavor, minorOf(request), computeBase(request))),
      ...(more && last !== undefined ? { flavors_links: nextLink(request, last.id) } : {}),
    };
  });
  scope.get('/flavors/:flavor', async (request) => ({
    flavor: flavorView(flavorOf(request), minorOf(request), computeBase(request)),
  }));
  scope.post('/flavors', async (request) => {
    requireAdmin(request, 'os-flavor-manage:create');
    const flavor = newFlavor(objectBody(request).flavor, newUuid(), state.flavors.size + 1);
    state.flavors.set(flavor.id, flavor);
    return { flavor: flavorView(flavor, minorOf(request), computeBase(request)) };
  });
  scope.delete('/flavors/:flavor', async (request, reply) => {
    requireAdmin(request, 'os-flavor-manage:delete');
    state.flavors.delete(flavorOf(request).id);
    return reply.code(202).send();
  });
  scope.get('/flavors/:flavor/os-extra_specs', async (request) => ({ extra_specs: flavorOf(request).extraSpecs }));
  scope.post('/flavors/:flavor/os-extra_specs', async (request) => {
    requireAdmin(request, 'os-flavor-extra-specs:create');
    const flavor = flavorOf(request);
    flavor.extraSpecs = { ...flavor.extraSpecs, ...(objectBody(request).extra_specs as Record<string, string>) };
    return { extra_specs: flavor.extraSpecs };
  });
}

/** The flavor of the body of `POST /flavors`. 400 without a name and whole numbers of vCPUs, MiB and GB. */
function newFlavor(body: unknown, id: string, number: number): SimulatedFlavor {
  const fields = (body ?? {}) as Record<string, unknown>;
  const { name, vcpus, ram, disk } = fields;
  for (const [field, value] of Object.entries({ vcpus, ram, disk })) {
    if (Number.isInteger(value)) continue;
    throw new SimulatedApiError(400, `Invalid input for field/attribute ${field}. Value: ${String(value)}.`);
  }
  if (typeof name !== 'string' || name === '') throw new SimulatedApiError(400, "'name' is a required property");
  return {
    id,
    number,
    name,
    vcpus: Number(vcpus),
    ramMb: Number(ram),
    diskGb: Number(disk),
    ephemeralGb: 0,
    swapMb: 0,
    extraSpecs: {},
  };
}
