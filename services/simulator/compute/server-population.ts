import type { Clock, IdSource } from '#libs/domain';
import type { AllocationLedger } from '../cloud/allocation-ledger.ts';
import {
  type CloudState,
  resourcesOf,
  type SimulatedFlavor,
  type SimulatedHost,
  type SimulatedServer,
} from '../cloud/entities.ts';
import { completeProfile } from '../load/load-model.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { hashText } from '../seeded.ts';
import type { Timeline } from '../timeline.ts';
import { type Caller, recordAction } from './server-operations.ts';
import { requireState } from './server-status.ts';

/** The input for a new server. */
export interface NewServer {
  name: string;
  flavor: SimulatedFlavor;
  /** Requested host (2.74). Null leaves the choice to the scheduler. */
  host: SimulatedHost | null;
  pinnedZone: string | null;
  schedulerHints: Record<string, string[]>;
  metadata: Record<string, string>;
}

/** Creates, deletes and shelves servers. */
export interface ServerPopulation {
  /** Places and starts a server. @throws NoValidHostError, unlike Nova, which leaves the server in ERROR */
  create(wanted: NewServer, caller: Caller): SimulatedServer;
  /** Ends the migrations of the server, and removes it with its allocations after a simulated second. */
  remove(server: SimulatedServer): void;
  /**
   * Stores a server as an image after 20 simulated seconds, and removes it from its host a second later, like Nova with
   * `shelved_offload_time` 0. @throws SimulatedApiError 409 in any other state
   */
  shelve(server: SimulatedServer, caller: Caller): void;
}

interface Deps {
  state: CloudState;
  ledger: AllocationLedger;
  clock: Clock;
  timeline: Timeline;
  newUuid: IdSource;
  /** Ends the migrations of a server. */
  endMigrations(server: SimulatedServer): void;
}

const bootSeconds = 8;
const removeSeconds = 1;
const shelveSeconds = 20;
const offloadSeconds = 1;
/** The host of a new server, which has none. The scheduler's filter excludes the current host of a server. */
const nowhere = { name: '', servers: new Set<SimulatedServer>() } as SimulatedHost;

/** A server without a host, as Nova shows it. */
function blankServer(
  wanted: NewServer,
  caller: Caller,
  { number, newUuid, now }: { number: number; newUuid: IdSource; now: number },
): SimulatedServer {
  const uuid = newUuid();
  return {
    uuid,
    number,
    name: wanted.name,
    flavor: wanted.flavor,
    host: nowhere,
    projectId: caller.projectId,
    userId: caller.userId,
    vmState: 'building',
    taskState: 'spawning',
    powerState: 0,
    locked: false,
    lockedReason: null,
    metadata: wanted.metadata,
    pinnedZone: wanted.pinnedZone,
    ports: [{ id: newUuid(), vnicType: 'normal', resourceRequest: null }],
    shares: [],
    schedulerHints: wanted.schedulerHints,
    group: null,
    volumeUuids: [],
    bootFromVolume: false,
    imageProperties: {},
    createdAt: now,
    updatedAt: now,
    launchedAt: now,
    load: completeProfile(undefined, uuid, caller.projectId),
    loadKey: hashText(uuid),
    loadFactor: 1,
    pendingResize: null,
    actions: [],
  };
}

/** New servers continue the numbers of the existing ones. */
export function createServerPopulation(deps: Deps): ServerPopulation {
  const { state, ledger, clock, timeline } = deps;
  let lastNumber = state.servers.size;

  /**
   * Releases all resources of the server, including those of an unconfirmed resize and those on the source host of an
   * evacuation.
   */
  function releaseAll({ uuid, pendingResize }: SimulatedServer): void {
    if (pendingResize !== null) ledger.release(pendingResize.migration.uuid, pendingResize.oldHost);
    for (const host of [...ledger.hostsOf(uuid).keys()]) ledger.release(uuid, host);
  }

  function offload(server: SimulatedServer): void {
    if (server.taskState !== 'shelving_offloading') return;
    releaseAll(server);
    server.host.servers.delete(server);
    server.vmState = 'shelved_offloaded';
    server.taskState = null;
    server.updatedAt = clock.now();
  }

  return {
    create(wanted, caller) {
      const server = blankServer(wanted, caller, { number: ++lastNumber, newUuid: deps.newUuid, now: clock.now() });
      const finish = recordAction(clock, server, 'create', caller);
      server.host = selectHost({ server, flavor: wanted.flavor, requested: wanted.host }, { state, ledger });
      server.host.servers.add(server);
      ledger.claim(server.uuid, server.host, resourcesOf(server.flavor, server));
      state.servers.set(server.uuid, server);
      state.serverOrder.unshift(server);
      timeline.after(bootSeconds, () => {
        if (server.taskState !== 'spawning') return;
        server.vmState = 'active';
        server.taskState = null;
        server.powerState = 1;
        server.launchedAt = clock.now();
        server.updatedAt = clock.now();
        finish();
      });
      return server;
    },
    remove(server) {
      deps.endMigrations(server);
      server.taskState = 'deleting';
      server.updatedAt = clock.now();
      timeline.after(removeSeconds, () => {
        if (!state.servers.delete(server.uuid)) return;
        releaseAll(server);
        server.host.servers.delete(server);
        server.group?.members.delete(server);
        for (const uuid of server.volumeUuids) {
          const volume = state.volumes.get(uuid);
          if (volume !== undefined) volume.attachedTo = null;
        }
        state.serverOrder = state.serverOrder.filter((other) => other !== server);
      });
    },
    shelve(server, caller) {
      requireState(server, 'shelve', ['active', 'stopped', 'paused', 'suspended']);
      const finish = recordAction(clock, server, 'shelve', caller);
      server.taskState = 'shelving';
      server.updatedAt = clock.now();
      timeline.after(shelveSeconds, () => {
        if (server.taskState !== 'shelving') return;
        server.vmState = 'shelved';
        server.taskState = 'shelving_offloading';
        server.powerState = 4;
        server.updatedAt = clock.now();
        finish();
        timeline.after(offloadSeconds, () => offload(server));
      });
    },
  };
}
