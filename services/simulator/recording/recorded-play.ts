import {
  type HostOverheads,
  hostOverheads,
  type LoadColumn,
  type RecordedLoad,
  recordedPercent,
  type WorldFile,
} from '#libs/world-file';

/** Continuation after the end of a recording: its start again, or its last step permanently. */
export type PlayMode = 'loop' | 'once';

/** Recorded load of a server. NaN: not measured. */
export interface PlayedServer {
  /** Percent of its vCPUs. */
  cpuPercent(second: number): number;
  /** Percent of the memory of its flavor. */
  memoryPercent(second: number): number;
}

/** Load of a host in addition to that of its servers. NaN when the host was not measured. */
export interface PlayedHost {
  /** Percent of the host. */
  cpuPercent(second: number): number;
  /** MiB. */
  ramMb(second: number): number;
}

/** A recording by simulated time. Second 0 is its start. The time before it has the end of the recording. */
export interface RecordedPlay {
  server(row: number): PlayedServer;
  host(row: number): PlayedHost;
}

/** Plays the load of a world, with its row numbers. */
export function createRecordedPlay(world: WorldFile, load: RecordedLoad, mode: PlayMode): RecordedPlay {
  const overheads = hostOverheads(world, load);
  const { steps, stepSeconds } = load;

  function stepAt(second: number): number {
    const step = Math.floor(second / stepSeconds);
    if (mode === 'once' && step >= steps) return steps - 1;
    return ((step % steps) + steps) % steps;
  }
  const percent = (column: LoadColumn, row: number) => (second: number) =>
    recordedPercent(load, column, row, stepAt(second));
  const overhead = (name: keyof HostOverheads, row: number) => (second: number) =>
    overheads[name][row * steps + stepAt(second)] ?? Number.NaN;

  return {
    server: (row) => ({ cpuPercent: percent('serverCpu', row), memoryPercent: percent('serverMemory', row) }),
    host: (row) => ({ cpuPercent: overhead('cpu', row), ramMb: overhead('memoryMb', row) }),
  };
}
