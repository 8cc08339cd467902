export type { AccessRule } from './administration/access-rules.ts';
export { literalSegment } from './administration/access-rules.ts';
export type {
  ApplicationCredential,
  ApplicationCredentials,
} from './administration/application-credentials.ts';
export type { IdentityAdmin, RegisteredEndpoint } from './administration/identity-admin.ts';
export type { BaremetalNode, BaremetalPort, PowerTarget } from './baremetal/types.ts';
export type { CloudCallOptions, TakenRequest } from './call-options.ts';
export type { Cloud } from './cloud.ts';
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
  ServerShare,
} from './compute/types.ts';
export type { Credentials, OpenStackConfig } from './config/openstack-config.ts';
export { openStackConfigFromEnv } from './config/openstack-config-from-env.ts';
export { OpenStackError } from './errors.ts';
export type { CloudCallMetrics } from './http/measure-calls.ts';
export { measureCloudCalls } from './http/measure-calls.ts';
export type { IdentityPort, Requester, ValidatedToken } from './identity/types.ts';
export type { Image } from './image/image-port.ts';
export type { PortListOptions, ServerPort } from './network/network-port.ts';
export type { ConnectedIdentityAdmin, ConnectedWatcher } from './openstack-cloud.ts';
export {
  connectApplicationCredentials,
  connectIdentityAdmin,
  connectWatcher,
  createOpenStackCloud,
} from './openstack-cloud.ts';
export type { Inventory, PlacementPort } from './placement/types.ts';
export type { Snapshot, StoragePool, StorageService, Volume, VolumePort, VolumeType } from './volume/types.ts';
