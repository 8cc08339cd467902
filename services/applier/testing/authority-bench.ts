import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { silentLogger } from '#libs/domain';
import {
  type Cloud,
  connectApplicationCredentials,
  createOpenStackCloud,
  openStackConfigFromEnv,
} from '#libs/openstack';
import { createMetrics, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { startSimulator } from '../../simulator/start-simulator.ts';
import { smallWorld } from '../../simulator/testing/simulation-fixture.ts';
import { createPlanAuthority, type PlanAuthority } from '../authority/plan-authority.ts';
import { createApplierMetrics } from '../metrics.ts';
import { serverId } from './applier-bench.ts';

const fast = 'storage-1@fast#pool1';

/** A pool of the world that is not the one of the volume. */
export const otherPool = 'storage-1@fast#pool2';
/** The only volume of the world. */
export const volumeId = '22222222-2222-4333-8444-000000000001';
/** The only bare metal node of the world, under `compute-4`. */
export const nodeId = '33333333-2222-4333-8444-000000000001';

/** A simulated cloud with Keystone's application credentials, and the authority over plans' own credentials. */
export async function useAuthorityBench({ servers = 13, env = {} } = {}) {
  const hosts = [1, 2, 3, 4, 5].map((number) => ({
    hostname: `compute-${number}`,
    vcpus: 64,
    memory_mb: 65_536,
    disk_gb: 500,
    ...(number === 5 ? { state: 'down' as const, forced_down: true } : {}),
  }));
  const world = smallWorld(
    Array.from({ length: servers }, (_, index) => ({
      name: `vm-${index + 1}`,
      uuid: serverId(index + 1),
      host: index === 0 ? 'compute-5' : 'compute-1',
    })),
    {
      hosts,
      volume_types: [{ name: 'standard' }],
      pools: [fast, otherPool].map((name) => ({ name, total_gb: 1000 })),
      volumes: [{ name: 'volume-1', uuid: volumeId, size_gb: 1, type: 'standard', pool: fast }],
      baremetal_nodes: [{ name: 'machine-4', uuid: nodeId, host: 'compute-4' }],
    },
  );
  const simulator = await startSimulator(
    { world, writer: null, clock: systemClock, newUuid: randomUUID, logger: silentLogger },
    { password: 'vigil' },
  );
  const login = {
    OS_AUTH_URL: simulator.authUrl,
    OS_USERNAME: 'vigil',
    OS_PASSWORD: 'vigil',
    OS_PROJECT_NAME: 'service',
    ...env,
  };
  const deps = { logger: silentLogger, clock: systemClock };
  const config = openStackConfigFromEnv(login);
  const standing = createOpenStackCloud(config, deps);
  const connected = connectApplicationCredentials(config, deps);
  afterAll(async () => {
    await standing.close();
    await connected.close();
    await simulator.stop();
  });
  const { directory } = simulator.simulation;
  return {
    simulation: simulator.simulation,
    authUrl: simulator.authUrl,
    config,
    credentials: connected.credentials,
    /** The standing credentials. Changes with them are refused, so that a test sees which credentials a plan uses. */
    cloud: readOnly(standing),
    authority: (store: Store): PlanAuthority =>
      createPlanAuthority({
        credentials: connected.credentials,
        connect: ({ id, secret }) =>
          createOpenStackCloud(
            { ...config, credentials: { kind: 'application-credential', credential: { id }, secret } },
            deps,
          ),
        roles: ['admin'],
        store,
        metrics: createApplierMetrics(createMetrics('applier')),
        logger: silentLogger,
      }),
    /** Names of the credentials for plans. */
    names: () =>
      [...directory.applicationCredentials.values()].map(({ name }) => name).filter((name) => name !== 'vigil'),
    /** Access rules that allow changes. */
    writeRules: () => [...directory.accessRules.values()].filter(({ method }) => method !== 'GET'),
  };
}

function readOnly(cloud: Cloud): Cloud {
  const only = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => [
        name,
        /^(list|get|find)/.test(name)
          ? call
          : async () => Promise.reject(new Error(`${name} was sent with the standing credentials`)),
      ]),
    ) as Port;
  const { compute, volume, baremetal } = cloud;
  return { ...cloud, compute: only(compute), volume: only(volume), baremetal: only(baremetal) };
}
