import { describe, expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { reportFailedMigrations, withoutRefusedMoves } from './report-failures.ts';

const minute = 60_000;
const now = Date.UTC(2026, 0, 10);

it.each([
  [false, 'is left alone after failed migrations', ', until 2026-01-10T00:30:00.000Z', ['web', 'data']],
  [true, 'is tried although migrations failed lately', '', undefined],
])('reports instances and volumes, by order %s', (byOrder, what, until, examples) => {
  const failed = ['i', 'v', 'gone'].map((uuid) => ({ uuid, failures: 2, heldUntilMs: now + 30 * minute }));
  const instances = { instanceInfo: [{ uuid: 'i', name: 'web' }] } as never;
  const { uuids, notes, blocked } = reportFailedMigrations(
    [instances, { volumes: [{ uuid: 'v', name: 'data' }] } as never],
    failed,
    byOrder,
  );
  expect(uuids).toEqual(['i', 'v']);
  expect(notes).toEqual([
    `1 instance ${what}: web (2 failures${until})`,
    `1 volume ${what}: data (2 failures${until})`,
  ]);
  expect(blocked([])).toEqual(examples ? [{ constraint: 'migration-failed', count: 2, examples }] : []);
});

it('gives the reason of a refusal', () => {
  const failed = [{ uuid: 'i', failures: 1, heldUntilMs: now, refusal: 'share' as const }];
  const { notes } = reportFailedMigrations([{ instanceInfo: [{ uuid: 'i', name: 'web' }] } as never], failed, false);
  expect(notes[0]).toContain('web (1 failure, refused because it has a Manila share, until');
});

describe('refused destinations', () => {
  const world = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'c' }],
    instances: [{ name: 'web', host: 'a' }],
  });
  const refused = (...hosts: string[]) =>
    hosts.map((host) => ({
      instance: testUuid('web'),
      host,
      refusal: 'no_valid_host' as const,
      heldUntilMs: now + 30 * minute,
    }));
  const possible = (byOrder: boolean, ...hosts: string[]) => {
    const { snapshot, notes } = withoutRefusedMoves(world, refused(...hosts), byOrder);
    const model = createWhatIf(snapshot);
    return { hosts: ['b', 'c'].filter((_, index) => model.refusal(0, index + 1) === null), notes };
  };

  it('are left out, and named', () => {
    expect(possible(false, 'b')).toEqual({
      hosts: ['c'],
      notes: [
        '1 moves are left out because Nova refused them: ' +
          'web to b (no valid host was found, until 2026-01-10T00:30:00.000Z)',
      ],
    });
    expect(possible(false, 'b', 'c').hosts).toEqual([]);
  });

  it('are tried again by order where no other host is left', () => {
    expect(possible(true, 'b').hosts).toEqual(['c']);
    expect(possible(true, 'b', 'c')).toEqual({ hosts: ['b', 'c'], notes: [] });
  });

  it('of unknown instances change nothing', () => {
    const gone = [{ instance: 'gone', host: 'b', refusal: 'no_valid_host' as const, heldUntilMs: now }];
    expect(withoutRefusedMoves(world, gone, false)).toEqual({ snapshot: world, notes: [] });
  });
});
