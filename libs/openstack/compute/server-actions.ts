import type { CloudCallOptions, TakenRequest } from '../call-options.ts';
import type { ServiceClient } from '../service/service-client.ts';

/**
 * Live migration is pinned to 2.30: the scheduler checks a named host (from 2.30), and Nova's conductor refuses an
 * impossible migration synchronously (before 2.34).
 */
const liveMigrateVersions = { min: '2.30', max: '2.30' };

/** First version that accepts a host. */
const coldMigrateVersions = { min: '2.56', max: '2.56' };

/** From 2.29 on the scheduler checks a named host. From 2.95 on the server would stay stopped. */
const evacuateVersions = { min: '2.29', max: '2.68' };

/** Bodies and responses of the other actions are the same in all of these versions. */
const actionVersions = { min: '2.1', max: '2.56' };

/** From 2.65 on, a queued or preparing migration can be aborted too. */
const abortVersions = { min: '2.24', max: '2.65' };

/** Starts a live migration. Null: the scheduler chooses the host. */
export async function liveMigrate(
  client: ServiceClient,
  serverUuid: string,
  host: string | null,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  const body = { 'os-migrateLive': { host, block_migration: 'auto' } };
  return client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: liveMigrateVersions, options });
}

/** Starts a cold migration, which ends in VERIFY_RESIZE and waits for `confirmResize`. */
export async function coldMigrate(
  client: ServiceClient,
  serverUuid: string,
  host: string | null,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  const body = { migrate: host === null ? null : { host } };
  return client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: coldMigrateVersions, options });
}

/** Starts an evacuation of a server. Nova refuses it while the compute service of its host is up. */
export async function evacuate(
  client: ServiceClient,
  serverUuid: string,
  host: string | null,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  const body = { evacuate: host === null ? {} : { host } };
  return client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: evacuateVersions, options });
}

/** Confirms a cold migration, which releases its source. Nova responds before the server is ACTIVE again. */
export async function confirmResize(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<void> {
  await act(client, serverUuid, { confirmResize: null }, options);
}

/** Reverts a server in VERIFY_RESIZE. Nova responds before the end. */
export async function revertResize(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<void> {
  await act(client, serverUuid, { revertResize: null }, options);
}

/** Starts the change to another flavor, which ends in VERIFY_RESIZE and waits for `confirmResize`. */
export async function resizeServer(
  client: ServiceClient,
  serverUuid: string,
  flavorId: string,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  return act(client, serverUuid, { resize: { flavorRef: flavorId } }, options);
}

/** Shuts down the guest. Nova responds before the guest is off. */
export async function stopServer(client: ServiceClient, serverUuid: string, options?: CloudCallOptions): Promise<void> {
  await act(client, serverUuid, { 'os-stop': null }, options);
}

/** Boots a stopped server. Nova responds before the server runs. */
export async function startServer(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<void> {
  await act(client, serverUuid, { 'os-start': null }, options);
}

/** Deletes a server, immediately or softly, depending on Nova's configuration. Nova responds before the deletion. */
export async function deleteServer(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  const path = `/servers/${encodeURIComponent(serverUuid)}`;
  return client.send({ method: 'DELETE', path, versions: actionVersions, options });
}

/** Stores a server as an image and frees its host. Nova responds before it is stored. */
export async function shelveServer(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  return act(client, serverUuid, { shelve: null }, options);
}

/** Requests the end of a running live migration. Nova responds before it has ended. */
export async function abortLiveMigration(
  client: ServiceClient,
  serverUuid: string,
  migrationId: number,
  options?: CloudCallOptions,
): Promise<void> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/migrations/${migrationId}`;
  await client.send({ method: 'DELETE', path, versions: abortVersions, options });
}

function act(
  client: ServiceClient,
  serverUuid: string,
  body: object,
  options?: CloudCallOptions,
): Promise<TakenRequest> {
  return client.send({ method: 'POST', path: actionPath(serverUuid), body, versions: actionVersions, options });
}

function actionPath(serverUuid: string): string {
  return `/servers/${encodeURIComponent(serverUuid)}/action`;
}
