import type { InstanceAction, Migration, Requester } from '#libs/openstack';
import type { FakeServer } from './world.ts';

export interface FakeMigration {
  id: number;
  type: 'live-migration' | 'migration' | 'resize' | 'evacuation';
  status: string;
  server: FakeServer;
  source: string;
  destination: string | null;
  formerStatus: string;
  pollsLeft: number;
  /** Flavor before, and after a resize. */
  flavors: { former: string; next: string };
  requester: Requester;
  requestId: string;
  createdAt: string;
  /** Why it failed. */
  fault: string | null;
}

/** Server to be made in a fake cloud. */
export interface FakeMove {
  type: FakeMigration['type'];
  destination: string | null;
  /** Default: the current flavor. */
  flavor?: string | undefined;
  requester: Requester;
}

const actionNames = {
  'live-migration': 'live-migration',
  migration: 'migrate',
  resize: 'resize',
  evacuation: 'evacuate',
} as const;

/** Status of a record, and task of its server, while each kind of migration runs. */
const begins: Readonly<Record<FakeMigration['type'], { status: string; task: string }>> = {
  'live-migration': { status: 'running', task: 'migrating' },
  migration: { status: 'migrating', task: 'resize_migrating' },
  resize: { status: 'migrating', task: 'resize_migrating' },
  evacuation: { status: 'pre-migrating', task: 'rebuilding' },
};

const open = new Set(['queued', 'running', 'migrating', 'pre-migrating', 'confirming', 'reverting']);

/** The migration records of a fake cloud. They progress with each read of their server. */
export function createMigrationRecords(servers: Map<string, FakeServer>, reads: number, createdAt: () => string) {
  const migrations: FakeMigration[] = [];
  const endings = new Map<string, { status: string; fault?: string }>();
  const held = new Set<string>();
  const peaks = new Map<string, number>();

  function runningOf(server: FakeServer): FakeMigration | undefined {
    return migrations.find((one) => one.server === server && open.has(one.status));
  }

  function evacuatedFrom(host: string): FakeMigration[] {
    return migrations.filter(
      ({ type, status, source }) => type === 'evacuation' && status === 'done' && source === host,
    );
  }

  function notePeak(): void {
    const now = new Map<string, number>();
    for (const one of migrations.filter((candidate) => open.has(candidate.status))) {
      for (const key of ['all', `source:${one.source}`, `destination:${one.destination}`]) {
        now.set(key, (now.get(key) ?? 0) + 1);
      }
    }
    for (const [key, count] of now) peaks.set(key, Math.max(count, peaks.get(key) ?? 0));
  }

  function end(migration: FakeMigration): void {
    const { server } = migration;
    server.taskState = null;
    const ending = endings.get(server.uuid);
    endings.delete(server.uuid);
    if (ending || migration.destination === null) {
      migration.status = ending?.status ?? 'error';
      migration.fault = ending?.fault ?? null;
      server.status = migration.type === 'evacuation' ? 'ERROR' : migration.formerStatus;
      // Nova hides the fault of a server that is not in ERROR.
      server.fault = server.status === 'ERROR' ? migration.fault : null;
      return;
    }
    server.host = migration.destination;
    server.flavor = migration.flavors.next;
    Object.assign(server, arrival(migration));
    // A server that was stopped is not started by its move.
    if (server.status === 'VERIFY_RESIZE' && migration.formerStatus === 'SHUTOFF') server.powerState = 4;
  }

  /** State of a server that has arrived. Sets the status of its record too. */
  function arrival(migration: FakeMigration): Pick<FakeServer, 'status' | 'fault'> {
    const { type, formerStatus, server } = migration;
    if (type === 'evacuation') {
      migration.status = 'done';
      return { status: formerStatus === 'SHUTOFF' ? 'SHUTOFF' : 'ACTIVE', fault: null };
    }
    const isLive = type === 'live-migration';
    migration.status = isLive ? 'completed' : 'finished';
    return { status: isLive ? formerStatus : 'VERIFY_RESIZE', fault: server.fault };
  }

  function finishConfirm(migration: FakeMigration): void {
    migration.status = 'confirmed';
    migration.server.taskState = null;
    migration.server.status = migration.formerStatus;
    delete migration.server.powerState;
  }

  function finishRevert(migration: FakeMigration): void {
    const { server, source, flavors, formerStatus } = migration;
    migration.status = 'reverted';
    Object.assign(server, { taskState: null, status: formerStatus, host: source, flavor: flavors.former });
  }

  return {
    /** Returns the id of the request, as Nova gives one to each. */
    begin(server: FakeServer, { type, destination, flavor = server.flavor, requester }: FakeMove): string {
      const { status, task } = begins[type];
      const id = migrations.length + 1;
      const requestId = `req-${id}`;
      migrations.push({
        id,
        type,
        requester,
        requestId,
        createdAt: createdAt(),
        status,
        server,
        source: server.host,
        destination,
        formerStatus: server.status,
        pollsLeft: reads,
        fault: null,
        flavors: { former: server.flavor, next: flavor },
      });
      server.taskState = task;
      if (type === 'live-migration') server.status = 'MIGRATING';
      notePeak();
      return requestId;
    },
    look(server: FakeServer): void {
      const migration = runningOf(server);
      if (!migration || held.has(server.uuid)) return;
      migration.pollsLeft -= 1;
      if (migration.pollsLeft > 0) return;
      if (migration.status === 'confirming') finishConfirm(migration);
      else if (migration.status === 'reverting') finishRevert(migration);
      else end(migration);
    },
    confirm(server: FakeServer): void {
      const migration = migrations.findLast((one) => one.server === server && one.status === 'finished');
      if (!migration) return;
      migration.status = 'confirming';
      migration.pollsLeft = 2;
    },
    revert(server: FakeServer): void {
      const migration = migrations.findLast((one) => one.server === server && one.status === 'finished');
      if (!migration) return;
      migration.status = 'reverting';
      migration.pollsLeft = 2;
      server.taskState = 'resize_reverting';
      server.status = 'REVERT_RESIZE';
    },
    abort(server: FakeServer, id: number): boolean {
      const migration = runningOf(server);
      if (migration?.id !== id || migration.type !== 'live-migration') return false;
      migration.status = 'cancelled';
      server.taskState = null;
      server.status = migration.formerStatus;
      return true;
    },
    list: (serverUuid: string) =>
      migrations
        .filter((one) => one.server.uuid === serverUuid)
        .map(toRecord)
        .reverse(),
    all: () => migrations.map(toRecord),
    actions: (serverUuid: string): InstanceAction[] =>
      migrations
        .filter((one) => one.server.uuid === serverUuid)
        .map(({ type, requestId, requester }) => ({ action: actionNames[type], requestId, ...requester }))
        .reverse(),
    actionFault: (serverUuid: string, requestId: string): string | null =>
      migrations.find((one) => one.server.uuid === serverUuid && one.requestId === requestId)?.fault ?? null,
    running: (serverUuid: string) => {
      const server = servers.get(serverUuid);
      const migration = server && runningOf(server);
      return migration?.type === 'live-migration' ? [{ ...toRecord(migration), transfer: halfWay }] : [];
    },
    /** The compute service of a host has restarted and removes the servers that were evacuated from it. */
    restart(host: string): void {
      for (const migration of evacuatedFrom(host)) migration.status = 'completed';
    },
    /** Servers that still hold room on the host from which they were evacuated. */
    leftOn: (host: string) => evacuatedFrom(host).map(({ server }) => server),
    script: (serverUuid: string, ending: { status: string; fault?: string }) => endings.set(serverUuid, ending),
    hold: (serverUuid: string) => held.add(serverUuid),
    release: (serverUuid: string) => held.delete(serverUuid),
    peak: (key = 'all') => peaks.get(key) ?? 0,
  };
}

/** Every running live migration of the fake cloud has this progress. */
const halfWay = { memoryTotalBytes: 4096, memoryRemainingBytes: 1024, diskTotalBytes: 0, diskRemainingBytes: 0 };

function toRecord(migration: FakeMigration): Migration {
  return {
    id: migration.id,
    uuid: `00000000-0000-4000-8000-${String(migration.id).padStart(12, '0')}`,
    serverUuid: migration.server.uuid,
    status: migration.status,
    type: migration.type,
    sourceHost: migration.source,
    destHost: migration.destination,
    createdAt: migration.createdAt,
    updatedAt: null,
    ...migration.requester,
    transfer: null,
  };
}
