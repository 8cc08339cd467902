import type { CloudCallOptions } from '../call-options.ts';
import { readAllPages } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Snapshot } from './types.ts';

const versions = { min: '3.0', max: '3.65' };

/** All snapshots of all projects, paged. */
export async function listSnapshots(client: ServiceClient, options?: CloudCallOptions): Promise<Snapshot[]> {
  const query = { all_tenants: 'True' };
  const found = await readAllPages(client, { path: '/snapshots/detail', key: 'snapshots', query, versions, options });
  return found.map((fields) => ({
    uuid: fields.text('id'),
    name: fields.textOr('name', ''),
    volumeId: fields.text('volume_id'),
    status: fields.textOr('status', ''),
    sizeGb: fields.numberOr('size', 0),
  }));
}
