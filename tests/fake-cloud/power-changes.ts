import type { FakeServer } from './world.ts';

/** Servers of a fake cloud that are being stopped or started, and their progress, read by read. */
export function createPowerChanges(looks: number) {
  const changes = new Map<FakeServer, { to: 'ACTIVE' | 'SHUTOFF'; pollsLeft: number }>();
  return {
    begin(server: FakeServer, to: 'ACTIVE' | 'SHUTOFF'): void {
      changes.set(server, { to, pollsLeft: looks });
      server.taskState = to === 'SHUTOFF' ? 'powering-off' : 'powering-on';
    },
    look(server: FakeServer): void {
      const change = changes.get(server);
      if (!change) return;
      change.pollsLeft -= 1;
      if (change.pollsLeft > 0) return;
      changes.delete(server);
      server.taskState = null;
      server.status = change.to;
    },
  };
}
