import type { ServiceView } from '#libs/store';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';
import { naiveTimestamp, timestampsOf } from '../../../http/timestamps.ts';

/** A service of the deployment as the API shows it. */
export function serviceBody(service: ServiceView, extent: Extent, { host }: ViewContext): object {
  return {
    id: service.id,
    name: service.name,
    host: service.host,
    status: service.status,
    ...(extent === 'full' ? { last_seen_up: naiveTimestamp(service.lastSeenUp), ...timestampsOf(service) } : {}),
    links: objectLinks(host, 'services', service.id),
  };
}
