import type { CloudCallOptions } from '../call-options.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Aggregate } from './types.ts';

/** From 2.41 on aggregates have a uuid. */
const versions = { min: '2.41', max: '2.81' };

/** All host aggregates; Nova does not page them. */
export async function listAggregates(client: ServiceClient, options?: CloudCallOptions): Promise<Aggregate[]> {
  const answer = await client.read({ method: 'GET', path: '/os-aggregates', versions, options });
  return answer.list('aggregates').map((fields) => ({
    id: fields.number('id'),
    uuid: fields.text('uuid'),
    name: fields.text('name'),
    availabilityZone: fields.optionalText('availability_zone'),
    hosts: fields.texts('hosts'),
    metadata: fields.textMap('metadata'),
  }));
}
