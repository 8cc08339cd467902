import { randomBytes } from 'node:crypto';
import { type Clock, createRandom, type IdSource, type RandomSource } from '#libs/domain';
import type { RecordedLoad, WorldFile } from '#libs/world-file';
import { createNodePower, type NodePower } from './baremetal/node-power.ts';
import { buildCloudState } from './build-cloud-state.ts';
import type { AllocationLedger } from './cloud/allocation-ledger.ts';
import type { CloudState, SimulatedHost } from './cloud/entities.ts';
import { createServerOperations, type ServerOperations } from './compute/server-operations.ts';
import { createServerPopulation, type ServerPopulation } from './compute/server-population.ts';
import { createFaultInjector, type FaultInjector } from './faults/fault-injector.ts';
import { createRequestLog, type RequestLog } from './faults/request-log.ts';
import { createDirectory, type Directory } from './identity/directory.ts';
import { createTokenStore, type TokenStore } from './identity/token-store.ts';
import { type ColdMigrations, createColdMigrations } from './migration/cold-migrations.ts';
import { createEvacuations, type Evacuations } from './migration/evacuations.ts';
import { createLiveMigrations, type LiveMigrations } from './migration/live-migrations.ts';
import { createProgression, type Progression } from './migration/progression.ts';
import { createTransferEngine } from './migration/transfer-engine.ts';
import { createRecordedPlay, type PlayMode } from './recording/recorded-play.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';
import { startPoolReports } from './storage/pool-reports.ts';
import { createVolumeOperations, type VolumeOperations } from './storage/volume-operations.ts';
import { createTimeline } from './timeline.ts';

/** The simulated cloud without HTTP. */
export interface Simulation {
  state: CloudState;
  ledger: AllocationLedger;
  clock: Clock;
  simulatedClock: SimulatedClock;
  progression: Progression;
  operations: ServerOperations;
  population: ServerPopulation;
  live: LiveMigrations;
  cold: ColdMigrations;
  evacuations: Evacuations;
  volumeOperations: VolumeOperations;
  nodePower: NodePower;
  faults: FaultInjector;
  requestLog: RequestLog;
  directory: Directory;
  tokens: TokenStore;
  newUuid: IdSource;
  /** Seeded. */
  random: RandomSource;
  seed: number;
}

export interface SimulationOptions {
  /** Simulated seconds per wall-clock second. Default 60. */
  speed?: number;
  /** Seed of load and faults. Default 1. */
  seed?: number;
  /** Password of all shipped users. Default `vigil`. */
  password?: string;
  /** Lifetime of a token in seconds. Default 3600. */
  tokenSeconds?: number;
  /** Continuation after the end of a recorded load. Default `loop`. */
  playMode?: PlayMode;
}

/** Creates the simulated cloud of a valid world. `load`: its recording, which starts at simulated second 0. */
export function createSimulation(
  deps: { world: WorldFile; load?: RecordedLoad | null; clock: Clock; newUuid: IdSource },
  options: SimulationOptions = {},
): Simulation {
  const { clock, newUuid } = deps;
  const seed = options.seed ?? 1;
  const isRecorded = deps.load !== null && deps.load !== undefined && deps.load.steps > 0;
  const play = isRecorded ? createRecordedPlay(deps.world, deps.load!, options.playMode ?? 'loop') : undefined;
  const { state, ledger } = buildCloudState(deps.world, play);
  const startSeconds = isRecorded ? 0 : undefined;
  const simulatedClock = createSimulatedClock(clock, { speed: options.speed ?? 60, startSeconds });
  const random = createRandom(seed);
  const faults = createFaultInjector(random);
  const timeline = createTimeline();
  startPoolReports(state, timeline, clock.now);
  const transfers = createTransferEngine({ stalled: faults.isStalled });
  const migrationDeps = { state, ledger, clock, simulatedClock, timeline, transfers, faults, newUuid, seed };
  const live = createLiveMigrations(migrationDeps);
  const cold = createColdMigrations(migrationDeps);
  const evacuations = createEvacuations(migrationDeps);
  const failMigrationsOf = (host: SimulatedHost) => {
    for (const migrations of [live, cold]) migrations.failThoseOf(host, `host ${host.name} is down`);
  };
  faults.onChange((fault, change) => {
    transfers.refresh();
    if (fault.definition.kind !== 'host-down') return;
    const host = state.hosts.get(fault.definition.host);
    if (host === undefined) return;
    host.alive = change === 'removed';
    if (host.alive) evacuations.cleanUp(host);
    else failMigrationsOf(host);
  });
  return {
    state,
    ledger,
    clock,
    simulatedClock,
    progression: createProgression(simulatedClock, timeline, transfers),
    operations: createServerOperations({ clock, timeline }),
    population: createServerPopulation({
      state,
      ledger,
      clock,
      timeline,
      newUuid,
      endMigrations(server) {
        for (const migrations of [live, cold]) migrations.failThoseOf(server, `instance ${server.uuid} was deleted`);
      },
    }),
    live,
    cold,
    evacuations,
    volumeOperations: createVolumeOperations({ state, clock, timeline, newUuid, faults }),
    nodePower: createNodePower({ clock, timeline, faults, onOff: failMigrationsOf, onBooted: evacuations.cleanUp }),
    faults,
    requestLog: createRequestLog(),
    directory: createDirectory(state, options.password ?? 'vigil'),
    tokens: createTokenStore(
      { clock, newSecret: () => randomBytes(48).toString('base64url') },
      { lifeSeconds: options.tokenSeconds ?? 3600 },
    ),
    newUuid,
    random,
    seed,
  };
}
