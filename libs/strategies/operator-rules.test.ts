import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RuleText } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { createTestWorld, runStrategy, type TestInstance, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from './catalogue.ts';

const hostNames = ['h0', 'h1', 'h2', 'h3', 'h4'];
const kinds = ['a', 'b', 'c'] as const;
type Kind = (typeof kinds)[number];

interface Case {
  /** Host and kind of each instance. Its name starts with the kind. */
  instances: { host: number; kind: Kind; cpu: number }[];
  kindOf: Record<Kind, RuleText['kind'] | 'none'>;
}

const cases = fc.record({
  instances: fc.array(
    fc.record({ host: fc.nat(4), kind: fc.constantFrom(...kinds), cpu: fc.integer({ min: 1, max: 100 }) }),
    { minLength: 3, maxLength: 14 },
  ),
  kindOf: fc.record(
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        fc.constantFrom('keep_apart', 'keep_together', 'prefer_hosts', 'avoid_hosts', 'leave_alone', 'none'),
      ]),
    ) as Record<Kind, fc.Arbitrary<RuleText['kind'] | 'none'>>,
  ),
}) as fc.Arbitrary<Case>;

const named = ['h0', 'h1'];
const nameOf = (kind: Kind, index: number) => `${kind}-${index}`;

function worldOf({ instances, kindOf }: Case) {
  const rules = kinds.flatMap((kind): Partial<RuleText>[] => {
    const rule = kindOf[kind];
    if (rule === 'none') return [];
    const isAboutHosts = rule === 'prefer_hosts' || rule === 'avoid_hosts';
    return [
      { name: kind, kind: rule, instances: { names: [`${kind}-*`] }, hosts: isAboutHosts ? { names: named } : null },
    ];
  });
  return createTestWorld({
    hosts: hostNames.map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 })),
    instances: instances.map(
      ({ host, kind }, index): TestInstance => ({
        name: nameOf(kind, index),
        host: hostNames[host],
        vcpus: 2,
        memory: 4096,
      }),
    ),
    rules,
  });
}

/** Where every instance is, by name, after the first `count` moves. Written without the model. */
function placesAfter({ instances }: Case, actions: readonly ProposedAction[]): Map<string, string> {
  const places = new Map(instances.map(({ host, kind }, index) => [nameOf(kind, index), hostNames[host] as string]));
  const byUuid = new Map([...places.keys()].map((name) => [testUuid(name), name]));
  for (const { actionType, inputParameters: input } of actions) {
    if (actionType !== 'migrate') continue;
    places.set(byUuid.get(String(input.resource_id)) as string, String(input.destination_node));
  }
  return places;
}

/** How badly a rule is broken: 0 when it holds. */
function breaches(kind: Kind, rule: RuleText['kind'], places: ReadonlyMap<string, string>): number {
  const own = [...places].filter(([name]) => name.startsWith(`${kind}-`)).map(([, host]) => host);
  const counts = hostNames.map((host) => own.filter((place) => place === host).length);
  if (rule === 'keep_apart') return counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  if (rule === 'keep_together') return -counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  return own.filter((host) => named.includes(host) !== (rule === 'prefer_hosts')).length;
}

const tried: [string, object][] = [
  ['workload_stabilization', { thresholds: { instance_cpu_usage: 0.01 } }],
  ['allocation_balance', {}],
  ['vm_workload_consolidation', {}],
  ['basic', {}],
  ['node_resource_consolidation', {}],
  ['host_maintenance', { maintenance_node: 'h2' }],
  ['rolling_maintenance', { compute_nodes: ['h1', 'h2'], if_stuck: 'skip' }],
];

it.each(tried)('%s breaks no strict rule of the operator', async (name, parameters) => {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (!strategy) throw new Error(`there is no strategy ${name}`);
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const use = Object.fromEntries(given.instances.map(({ kind, cpu }, index) => [nameOf(kind, index), cpu]));
      const load = (host: string) =>
        given.instances.reduce((sum, { host: at, cpu }) => sum + (hostNames[at] === host ? (cpu * 2) / 16 : 0), 1);
      const { actions } = await runStrategy(strategy, {
        snapshot: worldOf(given),
        metrics: {
          instance_cpu_usage: use,
          host_cpu_usage: Object.fromEntries(hostNames.map((host) => [host, Math.min(100, load(host))])),
        },
        parameters,
      });
      const before = placesAfter(given, []);
      const after = placesAfter(given, actions);
      moved += actions.filter(({ actionType }) => actionType === 'migrate').length;
      for (const kind of kinds) {
        const rule = given.kindOf[kind];
        if (rule === 'none') continue;
        const isOwn = ([who]: [string, string]) => who.startsWith(`${kind}-`);
        if (rule === 'leave_alone') expect([...after].filter(isOwn)).toEqual([...before].filter(isOwn));
        else expect(breaches(kind, rule, after)).toBeLessThanOrEqual(breaches(kind, rule, before));
      }
    }),
    { numRuns: 60, seed: 14 },
  );
  expect(moved).toBeGreaterThan(0);
});
