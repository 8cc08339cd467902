export type { CloudProbeDeps, CloudProbes } from './cloud-probes.ts';
export { createCloudProbes } from './cloud-probes.ts';
export type {
  Credentials,
  DomainRef,
  EndpointInterface,
  OpenStackConfig,
  ProjectRef,
} from './config/openstack-config.ts';
export { openStackConfigFromEnv } from './config/openstack-config-from-env.ts';
export { OpenStackError } from './errors.ts';
export type { CallOutcome, CloudCallMetrics } from './http/call-metrics.ts';
export { measureCloudCalls } from './http/measure-calls.ts';
export type { OpenStackDeps } from './openstack-cloud.ts';
export { createOpenStackCloud } from './openstack-cloud.ts';
export type {
  Aggregate,
  BaremetalNode,
  BaremetalPort,
  Cloud,
  CloudCallOptions,
  ComputePort,
  ComputeService,
  FlavorDetails,
  Hypervisor,
  IdentityPort,
  Image,
  ImagePort,
  InstanceAction,
  Inventory,
  Migration,
  MigrationTransfer,
  PlacementPort,
  PowerTarget,
  Requester,
  ResourceProvider,
  Server,
  ServerGroup,
  SignIn,
  Snapshot,
  StoragePool,
  StorageService,
  TakenRequest,
  ValidatedToken,
  Volume,
  VolumePort,
  VolumeType,
} from './ports.ts';
export { requireCloud } from './require-cloud.ts';
