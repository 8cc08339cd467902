import type { BaremetalPort, ComputePort, PlacementPort, VolumePort } from '#libs/openstack';

/** All calls of a fake cloud. */
export type FakeCall = keyof ComputePort | keyof PlacementPort | keyof VolumePort | keyof BaremetalPort;

/** Calls that change something. */
export type FakeMutationCall =
  | 'liveMigrate'
  | 'coldMigrate'
  | 'evacuate'
  | 'confirmResize'
  | 'revertResize'
  | 'abortLiveMigration'
  | 'resizeServer'
  | 'deleteServer'
  | 'shelveServer'
  | 'stopServer'
  | 'startServer'
  | 'setServiceStatus'
  | 'migrateVolume'
  | 'retypeVolume'
  | 'setPowerState';

/** Runs the calls of a fake cloud through its hook, faults and list of mutations. */
export interface FakeCaller {
  call<Result>(name: FakeCall, target: string, work: () => Result): Promise<Result>;
  mutate<Result>(name: FakeMutationCall, target: string, argument: string | null, work: () => Result): Promise<Result>;
}
