import { randomInt } from 'node:crypto';
import type { Clock, Logger, RandomSource } from '#libs/domain';
import { type ApplicationCredentials, createApplicationCredentials } from './administration/application-credentials.ts';
import { createIdentityAdmin, type IdentityAdmin } from './administration/identity-admin.ts';
import { createWatcherPlans, type WatcherPlans } from './administration/watcher-plans.ts';
import { createBaremetalPort } from './baremetal/baremetal-port.ts';
import type { Cloud } from './cloud.ts';
import { createComputePort } from './compute/compute-port.ts';
import type { OpenStackConfig } from './config/openstack-config.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';
import type { CloudCallMetrics } from './http/measure-calls.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { createImagePort } from './image/image-port.ts';
import { createNetworkPort } from './network/network-port.ts';
import { createPlacementPort } from './placement/placement-port.ts';
import { createServiceClient } from './service/service-client.ts';
import {
  baremetalService,
  blockStorageService,
  computeService,
  identityService,
  imageService,
  networkService,
  optimizationService,
  placementService,
} from './service/service-definition.ts';
import { createVolumePort } from './volume/volume-port.ts';

/** Dependencies of `createOpenStackCloud`. */
export interface OpenStackDeps {
  logger: Logger;
  clock: Clock;
  metrics?: CloudCallMetrics;
  /** For the jitter of pauses between tries. Default: random numbers of the operating system. */
  random?: RandomSource;
}

/**
 * One OpenStack cloud over HTTP. Nothing is sent before the first call. Tokens, the catalogue and the microversions of
 * the services are read on demand and cached. Every failure is an `OpenStackError`.
 */
export function createOpenStackCloud(config: OpenStackConfig, deps: OpenStackDeps): Cloud {
  const services = connectServices(config, deps);
  const { http, identity } = services;
  return {
    identity: {
      token: identity.token,
      requester: identity.requester,
      validate: identity.validate,
      signIn: identity.signIn,
      projects: identity.projects,
      revoke: identity.revoke,
      endpoint: identity.endpoint,
    },
    compute: createComputePort(createServiceClient(services, computeService)),
    placement: createPlacementPort(createServiceClient(services, placementService)),
    volume: createVolumePort(createServiceClient(services, blockStorageService)),
    baremetal: createBaremetalPort(createServiceClient(services, baremetalService)),
    image: createImagePort(createServiceClient(services, imageService)),
    network: createNetworkPort(createServiceClient(services, networkService)),
    async hasNetworkService(options) {
      return (await identity.endpoint('network', options)) !== null;
    },
    async hasImageService(options) {
      return (await identity.endpoint('image', options)) !== null;
    },
    async hasShareService(options) {
      return (await identity.endpoint('shared-file-system', options)) !== null;
    },
    async hasVolumeService(options) {
      return (await identity.endpoint('block-storage', options)) !== null;
    },
    async hasBaremetalService(options) {
      return (await identity.endpoint('baremetal', options)) !== null;
    },
    close: () => http.close(),
  };
}

/** Keystone's administration, with its connections. */
export interface ConnectedIdentityAdmin {
  admin: IdentityAdmin;
  close(): Promise<void>;
}

/** Keystone for an administrator with these credentials. Nothing is sent before the first call. */
export function connectIdentityAdmin(config: OpenStackConfig, deps: OpenStackDeps): ConnectedIdentityAdmin {
  const services = connectServices(config, deps);
  const admin = createIdentityAdmin(createServiceClient(services, identityService));
  return { admin, close: () => services.http.close() };
}

/** Application credentials of the user with these credentials, with their connections. */
export interface ConnectedApplicationCredentials {
  credentials: ApplicationCredentials;
  close(): Promise<void>;
}

/** Keystone for the application credentials of its user. Nothing is sent before the first call. */
export function connectApplicationCredentials(
  config: OpenStackConfig,
  deps: OpenStackDeps,
): ConnectedApplicationCredentials {
  const services = connectServices(config, deps);
  const credentials = createApplicationCredentials(createServiceClient(services, identityService), services.identity);
  return { credentials, close: () => services.http.close() };
}

/** The action plans of Watcher, with their connections. */
export interface ConnectedWatcher {
  plans: WatcherPlans;
  /** Address of the API. */
  endpoint(): Promise<string>;
  close(): Promise<void>;
}

/** The Watcher of the catalogue, or of the endpoint override `infra-optim`. Nothing is sent before the first call. */
export function connectWatcher(config: OpenStackConfig, deps: OpenStackDeps): ConnectedWatcher {
  const services = connectServices(config, deps);
  return {
    plans: createWatcherPlans(createServiceClient(services, optimizationService)),
    endpoint: () => services.identity.requireEndpoint(optimizationService.type),
    close: () => services.http.close(),
  };
}

function connectServices(config: OpenStackConfig, deps: OpenStackDeps): { http: HttpClient; identity: Identity } {
  const { logger, clock, metrics } = deps;
  const http = createHttpClient(
    { logger, clock, metrics, random: deps.random ?? systemRandom },
    {
      timeoutMs: config.timeoutMs ?? 30_000,
      maxConnections: config.maxConnections ?? 32,
      retryDelayMs: config.retryDelayMs ?? 200,
      caCertificate: config.caCertificate ?? null,
    },
  );
  return { http, identity: createIdentity({ http, clock, logger }, config) };
}

const randomSteps = 2 ** 32;

function systemRandom(): number {
  return randomInt(randomSteps) / randomSteps;
}
