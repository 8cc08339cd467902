export type { BaremetalNode, BaremetalPort, PowerTarget } from './baremetal/types.ts';
export type { CloudCallOptions } from './call-options.ts';
export type { Cloud } from './cloud.ts';
export type { CloudProbeDeps, CloudProbes } from './cloud-probes.ts';
export { createCloudProbes } from './cloud-probes.ts';
export type {
  Aggregate,
  ComputePort,
  ComputeService,
  FlavorDetails,
  Hypervisor,
  InstanceAction,
  Migration,
  MigrationTransfer,
  Server,
  ServerGroup,
  TakenRequest,
} from './compute/types.ts';
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
export type { IdentityPort, Requester, SignIn, ValidatedToken } from './identity/types.ts';
export type { Image, ImagePort } from './image/image-port.ts';
export type { OpenStackDeps } from './openstack-cloud.ts';
export { createOpenStackCloud } from './openstack-cloud.ts';
export type { Inventory, PlacementPort, ResourceProvider } from './placement/types.ts';
export { requireCloud } from './require-cloud.ts';
export type { Snapshot, StoragePool, StorageService, Volume, VolumePort, VolumeType } from './volume/types.ts';
