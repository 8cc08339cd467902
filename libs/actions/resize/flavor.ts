import type { FlavorDetails, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import type { ResizeInput } from './input.ts';

/** A flavor by id or, when no flavor has that id, by name; undefined when there is neither. */
export async function findFlavor(
  context: Pick<ActionContext<ResizeInput>, 'cloud'>,
  reference: string,
): Promise<FlavorDetails | undefined> {
  const { compute } = context.cloud;
  const byId = await compute.getFlavor(reference);
  return byId ?? (await compute.listFlavors()).find((flavor) => flavor.name === reference);
}

/** Whether the server has that flavor; servers show name and sizes, not the id. */
export function hasFlavor(server: Server, flavor: FlavorDetails): boolean {
  const { name, vcpus, ramMb, diskGb } = server.flavor;
  return name === flavor.name && vcpus === flavor.vcpus && ramMb === flavor.ramMb && diskGb === flavor.diskGb;
}
