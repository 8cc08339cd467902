import type { CloudCallOptions } from '../call-options.ts';
import type { ServiceClient } from '../service/service-client.ts';

const versions = { min: '3.0', max: '3.71' };

/** Starts a migration to a pool and locks the volume for its users. Cinder responds before the migration starts. */
export async function migrateVolume(
  client: ServiceClient,
  uuid: string,
  pool: string,
  options?: CloudCallOptions,
): Promise<void> {
  await act(client, uuid, { 'os-migrate_volume': { host: pool, lock_volume: true } }, options);
}

/** Starts a change of the type. Cinder moves the volume when its pool does not fit the new type. */
export async function retypeVolume(
  client: ServiceClient,
  uuid: string,
  typeName: string,
  options?: CloudCallOptions,
): Promise<void> {
  await act(client, uuid, { 'os-retype': { new_type: typeName, migration_policy: 'on-demand' } }, options);
}

async function act(client: ServiceClient, uuid: string, body: object, options?: CloudCallOptions): Promise<void> {
  const path = `/volumes/${encodeURIComponent(uuid)}/action`;
  await client.send({ method: 'POST', path, body, versions, options });
}
