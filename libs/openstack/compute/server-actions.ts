import type { CloudCallOptions } from '../ports.ts';
import type { ServiceClient } from '../service/service-client.ts';

/**
 * Live migration is pinned to 2.30: the scheduler checks a named host (2.30), and Nova's conductor refuses an impossible
 * migration at once instead of later (2.34).
 */
const liveMigrateVersions = { min: '2.30', max: '2.30' };

/** 2.56 is the first that takes a host. */
const coldMigrateVersions = { min: '2.56', max: '2.56' };

const confirmVersions = { min: '2.1', max: '2.56' };

/** From 2.65 on a migration that is still queued or preparing can be aborted too. */
const abortVersions = { min: '2.24', max: '2.65' };

/** Starts a live migration; null leaves the choice of the host to the scheduler. */
export async function liveMigrate(
  client: ServiceClient,
  serverUuid: string,
  host: string | null,
  options?: CloudCallOptions,
): Promise<void> {
  const body = { 'os-migrateLive': { host, block_migration: 'auto' } };
  await client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: liveMigrateVersions, options });
}

/** Starts a cold migration, which ends in VERIFY_RESIZE and waits for `confirmResize`. */
export async function coldMigrate(
  client: ServiceClient,
  serverUuid: string,
  host: string | null,
  options?: CloudCallOptions,
): Promise<void> {
  const body = { migrate: host === null ? null : { host } };
  await client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: coldMigrateVersions, options });
}

/** Gives up the source of a cold migration. Nova answers before the server is ACTIVE again. */
export async function confirmResize(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<void> {
  const body = { confirmResize: null };
  await client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: confirmVersions, options });
}

/** Asks for the end of a running live migration. Nova answers before it has ended. */
export async function abortLiveMigration(
  client: ServiceClient,
  serverUuid: string,
  migrationId: number,
  options?: CloudCallOptions,
): Promise<void> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/migrations/${migrationId}`;
  await client.send({ method: 'DELETE', path, versions: abortVersions, options });
}

function actionPath(serverUuid: string): string {
  return `/servers/${encodeURIComponent(serverUuid)}/action`;
}
