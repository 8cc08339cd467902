import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { PastActions } from '#libs/plugin-kit';
import { createTestWorld, runStrategy, type TestHost, type TestInstance, testUuid } from '#libs/plugin-kit/testing';
import { rollingMaintenanceStrategy } from './strategy.ts';

const noon = Date.UTC(2026, 0, 1, 12, 0);
const maintained: Partial<TestHost> = { status: 'disabled', disabledReason: 'watcher_maintaining' };
const usual: TestInstance[] = [
  { name: 'x', host: 'a', vcpus: 2 },
  { name: 'y', host: 'b', vcpus: 2 },
];

interface Situation {
  hosts?: Record<string, Partial<TestHost>>;
  instances?: TestInstance[];
  past?: Partial<PastActions>;
  parameters?: JsonObject;
  nowMs?: number;
}

async function next({ hosts = {}, instances = usual, past, parameters, nowMs = noon }: Situation) {
  const { actions, report } = await runStrategy(rollingMaintenanceStrategy, {
    snapshot: createTestWorld({
      hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, vcpus: 4, ...hosts[hostname] })),
      instances,
    }),
    parameters: { compute_nodes: ['a', 'b', 'c'], ...parameters },
    past,
    nowMs,
  });
  const plan = actions.map(({ inputParameters: input }) =>
    input.migration_type
      ? `${input.resource_name} ${input.source_node} → ${input.destination_node}`
      : `${input.state} ${input.resource_name}`,
  );
  return { plan, because: report.emptyBecause, notes: report.notes, blocked: report.blocked };
}

describe('rolling_maintenance', () => {
  it('starts with the first node, and fills none that waits for its turn', async () => {
    expect((await next({})).plan).toEqual(['disabled a', 'x a → d']);
  });

  it('starts several when configured, each after the one before', async () => {
    expect((await next({ parameters: { at_once: 2 } })).plan).toEqual([
      'disabled a',
      'x a → d',
      'disabled b',
      'y b → d',
    ]);
  });

  it('does not start a node that the same plan moves instances to', async () => {
    const parameters = { compute_nodes: ['a', 'b', 'c', 'd'], at_once: 2 };
    const { plan, notes } = await next({ instances: [{ name: 'x', host: 'a', vcpus: 2 }], parameters });
    expect(plan).toEqual(['disabled a', 'x a → b', 'disabled c']);
    expect(notes).toContain('b waits for the next plan: this one moves instances to it');
  });

  it('brings nothing back that leaves the next node in the same plan', async () => {
    const past = { disabled: ['a'], departures: { [testUuid('x')]: 'a', [testUuid('y')]: 'a' } };
    const instances = usual.map((instance) => ({ ...instance, host: 'b' }));
    const { plan } = await next({ instances, past, parameters: { bring_back: true } });
    expect(plan.filter((action) => action.startsWith('y'))).toHaveLength(1);
    expect(plan.filter((action) => action.startsWith('x'))).toHaveLength(1);
  });

  it('waits while people work on a node', async () => {
    const hosts = { a: maintained };
    const { plan, because, notes } = await next({ hosts, instances: [], past: { disabled: ['a'] } });
    expect([plan, because]).toEqual([[], expect.stringMatching(/^a is in maintenance; the next node starts when/)]);
    expect(notes).toContain('0 of 3 nodes done, 1 in maintenance, 2 waiting');
  });

  it('continues with the next node when the service is enabled again, and returns its instances', async () => {
    const instances = [
      { name: 'x', host: 'd' },
      { name: 'y', host: 'b' },
    ];
    const past = { disabled: ['a'], departures: { [testUuid('x')]: 'a' } };
    expect((await next({ instances, past })).plan).toEqual(['disabled b', 'y b → a']);
    expect((await next({ instances, past, parameters: { bring_back: true } })).plan).toEqual([
      'disabled b',
      'y b → a',
      'x d → a',
    ]);
  });

  it('finishes a node that an earlier plan emptied only partly, before it starts another', async () => {
    const hosts = { a: maintained };
    const past = { disabled: ['a'], failures: 1 };
    expect((await next({ hosts, past, parameters: { max_failures: 1 } })).plan).toEqual([
      expect.stringMatching(/^x a → /),
    ]);
  });

  it('is done at the end', async () => {
    expect(await next({ past: { disabled: ['a', 'b', 'c'] } })).toMatchObject({
      plan: [],
      because: 'the maintenance is done (3 nodes); the audit can be ended',
    });
  });

  it('does not change hosts that others disabled or that are down', async () => {
    const hosts = { a: { status: 'disabled', disabledReason: 'fan' }, b: { state: 'down' } } as const;
    const { plan, blocked } = await next({ hosts, instances: [] });
    expect(plan).toEqual(['disabled c']);
    expect(blocked.map(({ constraint, examples }) => [constraint, ...examples])).toEqual([
      ['disabled-by-others', 'a'],
      ['host-down', 'b'],
    ]);
  });
});

describe('it stops', () => {
  it('when more actions failed than may', async () => {
    expect(await next({ past: { failures: 1 } })).toMatchObject({
      plan: [],
      because: expect.stringMatching(/^stopped: 1 action of this audit failed, 0 may/),
    });
  });

  const stuck: TestInstance[] = [
    { name: 'locked', host: 'a', locked: true },
    { name: 'x', host: 'a' },
    { name: 'y', host: 'b' },
  ];
  it('at a node that cannot be emptied completely, which stays unchanged', async () => {
    const { plan, notes } = await next({ instances: stuck });
    expect(plan).toEqual([]);
    expect(notes).toContain('a cannot be emptied completely and is left unchanged');
    expect(notes.some((note) => note.startsWith('stopped at a'))).toBe(true);
  });

  it('or takes the next one when configured', async () => {
    expect((await next({ instances: stuck, parameters: { if_stuck: 'skip' } })).plan).toEqual([
      'disabled b',
      'y b → d',
    ]);
  });

  it('where the others have no room', async () => {
    const instances = ['a', 'b', 'c', 'd'].map((host) => ({ name: `on-${host}`, host, vcpus: 3 }));
    expect((await next({ instances })).plan).toEqual([]);
  });
});

describe('the window', () => {
  it.each([
    ['10:00', '14:00', true],
    ['12:00', '12:01', true],
    ['13:00', '14:00', false],
    ['22:00', '13:00', true],
    ['22:00', '06:00', false],
  ])('from %s to %s at noon: %s', async (window_start, window_end, isOpen) => {
    const { plan, because } = await next({ parameters: { window_start, window_end } });
    expect(plan.length > 0).toBe(isOpen);
    expect(because).toBe(isOpen ? null : `outside of the window from ${window_start} to ${window_end} UTC`);
  });

  it.each([
    [{ window_start: '10:00' }, /window_end/],
    [{ window_end: '10:00' }, /window_start/],
    [{ window_start: '10:00', window_end: '10:00' }, /window_end/],
    [{ window_start: '24:00', window_end: '10:00' }, /window_start/],
  ])('%j is refused', async (parameters, text) => {
    await expect(next({ parameters })).rejects.toThrow(text);
  });
});
