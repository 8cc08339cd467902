import type { ComputeService } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import type { ServiceStateInput } from './input.ts';

/** The name under which people know the service: its host, or the id when no host was given. */
export function serviceLabel(input: ServiceStateInput): string {
  return input.resource_name ?? input.resource_id;
}

/** The nova-compute service on `resource_name`; without one `resource_id` may be its host or its id. */
export async function findService(context: ActionContext<ServiceStateInput>): Promise<ComputeService | undefined> {
  const { resource_id: id, resource_name: host } = context.input;
  const services = await context.cloud.compute.listServices();
  return services.find(
    (service) =>
      service.binary === 'nova-compute' &&
      (host === undefined ? service.host === id || service.id === id : service.host === host),
  );
}
