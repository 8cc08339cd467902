import type { Clock, Logger, RandomSource } from '#libs/domain';
import type { OpenStackConfig } from './config/openstack-config.ts';
import { OpenStackError } from './errors.ts';
import { createHttpClient } from './http/http-client.ts';
import { createIdentity } from './identity/identity.ts';
import { asOperatorFault } from './require-cloud.ts';
import { createServiceClient, type ServiceClient } from './service/service-client.ts';
import { blockStorageService, computeService, placementService } from './service/service-definition.ts';

/**
 * One cheap request to each service of a cloud, on separate connections. Each rejects with an OpenStackError, or with
 * an OperatorError when an operator must correct a setting.
 */
export interface CloudProbes {
  /** Issues a token for the service's own user and has it validated. */
  keystone(signal: AbortSignal): Promise<void>;
  nova(signal: AbortSignal): Promise<void>;
  placement(signal: AbortSignal): Promise<void>;
  /** Succeeds when the cloud has no Cinder. */
  cinder(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of the probes. */
export interface CloudProbeDeps {
  logger: Logger;
  clock: Clock;
  random: RandomSource;
  /** Limit of one HTTP call in milliseconds. */
  timeoutMs: number;
}

const novaVersions = { min: '2.53', max: '2.69' };
const placementVersions = { min: '1.0', max: '1.0' };
const cinderVersions = { min: '3.0', max: '3.0' };
const connections = 4;

/** Probes of the cloud in `config`. */
export function createCloudProbes(config: OpenStackConfig, deps: CloudProbeDeps): CloudProbes {
  const http = createHttpClient(deps, {
    timeoutMs: deps.timeoutMs,
    maxConnections: connections,
    retryDelayMs: 100,
    caCertificate: config.caCertificate ?? null,
  });
  const identityDeps = { http, clock: deps.clock, logger: deps.logger };
  const identity = createIdentity(identityDeps, config);
  const services = { http, identity };
  const nova = createServiceClient(services, computeService);
  const placement = createServiceClient(services, placementService);
  const cinder = createServiceClient(services, blockStorageService);

  function read(
    client: ServiceClient,
    path: string,
    versions: { min: string; max: string },
    query: Record<string, string>,
  ) {
    return (signal: AbortSignal) =>
      forOperators(async () => {
        await client.read({ method: 'GET', path, query, versions, options: { signal } });
      });
  }

  async function issueAndValidate(signal: AbortSignal): Promise<void> {
    // Separate, so each probe requests a new token.
    const fresh = createIdentity(identityDeps, config);
    const token = await fresh.token({ signal });
    if ((await fresh.validate(token, { signal })) !== null) return;
    throw new OpenStackError('identity', 'GET /v3/auth/tokens', 500, 'Keystone does not know the token that it gave');
  }

  const checkCinder = read(cinder, '/types', cinderVersions, { limit: '1' });
  return {
    keystone: (signal) => forOperators(() => issueAndValidate(signal)),
    nova: read(nova, '/os-services', novaVersions, { binary: 'nova-compute', limit: '1' }),
    // A name that no provider has, because Placement refuses unknown parameters such as `limit`.
    placement: read(placement, '/resource_providers', placementVersions, { name: 'vigil-probe' }),
    async cinder(signal) {
      if ((await identity.endpoint('block-storage', { signal })) !== null) await checkCinder(signal);
    },
    close: () => http.close(),
  };
}

async function forOperators(use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } catch (error) {
    throw asOperatorFault(error);
  }
}
