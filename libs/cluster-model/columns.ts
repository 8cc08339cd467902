import type { HostColumns, InstanceColumns } from './compute-snapshot.ts';

function floats(count: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
}

function bytes(count: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(count));
}

function integers(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** Host columns of `count` rows on SharedArrayBuffers, all zero except the ratios, which are 1. */
export function allocateHostColumns(count: number): HostColumns {
  return {
    vcpus: floats(count),
    vcpusReserved: floats(count),
    vcpusRatio: floats(count).fill(1),
    memory: floats(count),
    memoryReserved: floats(count),
    memoryRatio: floats(count).fill(1),
    disk: floats(count),
    diskReserved: floats(count),
    diskRatio: floats(count).fill(1),
    vcpusUsed: floats(count),
    memoryUsed: floats(count),
    diskUsed: floats(count),
    flags: bytes(count),
    zone: new Uint16Array(new SharedArrayBuffer(count * Uint16Array.BYTES_PER_ELEMENT)),
  };
}

/** Instance columns of `count` rows on SharedArrayBuffers, on no host and in no group. */
export function allocateInstanceColumns(count: number): InstanceColumns {
  return {
    vcpus: floats(count),
    memory: floats(count),
    disk: floats(count),
    state: bytes(count),
    flags: bytes(count),
    host: integers(count).fill(-1),
    group: integers(count).fill(-1),
  };
}
