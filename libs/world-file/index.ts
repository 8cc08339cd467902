/**
 * Worlds and recordings of clouds as files. `readRecordedWorld` reads all forms of them. `encodeWorld` writes the form
 * with a load. `checkWorld` checks an inventory, and `hostOverheads` splits the load of hosts from that of their
 * servers.
 */

export { checkWorld } from './check-world.ts';
export { derivedUuid, withIds } from './derived-ids.ts';
export { encodeWorld } from './encode-world.ts';
export type { HostOverheads } from './host-overheads.ts';
export { hostOverheads } from './host-overheads.ts';
export type { RecordedWorld } from './read-world.ts';
export { decodeWorld, readRecordedWorld, readWorld } from './read-world.ts';
export type { LoadColumn, RecordedLoad } from './recorded-load.ts';
export { emptyLoad, recordedPercent, sampleOf } from './recorded-load.ts';
export type {
  LoadProfile,
  RecordedPart,
  WorldFile,
  WorldFlavor,
  WorldHost,
  WorldNode,
  WorldPool,
  WorldServer,
  WorldUnits,
  WorldVolume,
} from './world-file.ts';
export { vnicTypes, worldSchema } from './world-schema.ts';
