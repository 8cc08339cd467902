import type { CloudCallOptions } from '../call-options.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { StorageService } from './types.ts';

const versions = { min: '3.0', max: '3.32' };

/** The cinder-volume services. */
export async function listStorageServices(
  client: ServiceClient,
  options?: CloudCallOptions,
): Promise<StorageService[]> {
  const query = { binary: 'cinder-volume' };
  const answer = await client.read({ method: 'GET', path: '/os-services', query, versions, options });
  return answer.list('services').map((fields) => ({
    host: fields.text('host'),
    zone: fields.textOr('zone', ''),
    status: fields.text('status') === 'disabled' ? 'disabled' : 'enabled',
    state: fields.textOr('state', 'down') === 'up' ? 'up' : 'down',
  }));
}
