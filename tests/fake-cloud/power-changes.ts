import type { FakeServer } from './world.ts';

/** The status in which a change ends. */
type EndStatus = 'ACTIVE' | 'SHUTOFF' | 'SHELVED_OFFLOADED' | 'DELETED';

const tasks: Record<EndStatus, string> = {
  ACTIVE: 'powering-on',
  SHUTOFF: 'powering-off',
  SHELVED_OFFLOADED: 'shelving',
  DELETED: 'deleting',
};

/**
 * Servers of a fake cloud that are being stopped, started, shelved or deleted, and their progress, read by read.
 * @param remove called when a server is deleted.
 */
export function createPowerChanges(reads: number, remove: (server: FakeServer) => void) {
  const changes = new Map<FakeServer, { to: EndStatus; pollsLeft: number }>();
  return {
    begin(server: FakeServer, to: EndStatus): void {
      changes.set(server, { to, pollsLeft: reads });
      server.taskState = tasks[to];
    },
    look(server: FakeServer): void {
      const change = changes.get(server);
      if (!change) return;
      change.pollsLeft -= 1;
      if (change.pollsLeft > 0) return;
      changes.delete(server);
      server.taskState = null;
      if (change.to === 'DELETED') remove(server);
      else server.status = change.to;
    },
  };
}
