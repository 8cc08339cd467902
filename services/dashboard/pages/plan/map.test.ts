import { describe, expect, test } from 'vitest';
import type { PlanHost } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';
import { groupingsOf, groupsOf } from '../../components/host-map/host-groups.ts';
import { cellSizeOf, layoutMap, lettersOf, shortName } from '../../components/host-map/map-layout.ts';
import { isOutlier, scaleOf } from '../../components/host-map/scale-of.ts';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { mapHosts, shareAt } from './map-hosts.ts';
import { movesOn } from './map-moves.ts';

addTexts(enPages);

const use = (memory: number) => ({ instances: 1, vcpus: 1, dedicated_cpus: 0, memory, disk: 0, enabled: true });
const planned = [
  { hostname: 'h2', capacity: use(100), before: use(80), after: use(20), so_far: use(50), today: use(50) },
  { hostname: 'gone', capacity: null, before: null, after: null, so_far: null, today: null },
].map((host) => ({ ...host, instances_in: 0, instances_out: 0 })) as PlanHost[];
const host = (hostname: string, zone: string, aggregates: number[]) => ({
  hostname,
  zone,
  aggregates,
  vcpus: { total: 1, capacity: 0, used: 0 },
  memory: { total: 100, capacity: 100, used: 30 },
});
const cloud = {
  aggregates: [
    { id: 1, name: 'rack-b', zone: null },
    { id: 2, name: 'fast', zone: null },
  ],
  hosts: [host('h10', 'z1', [1, 2]), host('h2', 'z2', [2])],
} as unknown as ClusterSummary;
const hosts = mapHosts(planned, cloud, 'memory');

describe('the hosts of the map', () => {
  test('are those of the plan as they were stored, and the others as they are', () => {
    expect(hosts.map(({ hostname, before, after, soFar }) => [hostname, before, after, soFar])).toEqual([
      ['h2', 80, 20, 50],
      ['h10', 30, 30, 30],
      ['gone', null, null, null],
    ]);
    expect(mapHosts(planned, undefined, 'memory')).toHaveLength(2);
    expect(mapHosts([], cloud, 'vcpus').map(({ before }) => before)).toEqual([null, null]);
    const disk = { used: 25, capacity: 100 };
    const onDisk = { ...cloud, hosts: cloud.hosts.map((known) => ({ ...known, disk })) } as ClusterSummary;
    expect(mapHosts([], onDisk, 'disk').map(({ before }) => before)).toEqual([25, 25]);
  });

  test('have the loads of the plan, so far by the moved memory, and the others their load of today', () => {
    const loaded = [
      { ...planned[0], before: { ...use(80), cpu_load: 90 }, after: { ...use(20), cpu_load: 40 } },
    ] as PlanHost[];
    const measured = { ...cloud, hosts: [{ ...cloud.hosts[0], cpu_load: 12 }] } as ClusterSummary;
    expect(mapHosts(loaded, measured, 'cpu_load')).toMatchObject([
      { hostname: 'h2', before: 90, after: 40, soFar: 65 },
      { hostname: 'h10', before: 12, after: 12, soFar: 12 },
    ]);
  });

  test('are grouped by zone, aggregate and rack', () => {
    const names = (grouping: 'zone' | 'aggregate' | 'rack' | 'none') =>
      groupsOf(hosts, grouping).map((group) => `${group.title}: ${group.hosts.map(({ hostname }) => hostname)}`);
    expect(names('zone')).toEqual([`${text('map.noZone')}: gone`, 'z1: h10', 'z2: h2']);
    expect(names('aggregate')).toEqual(['fast: h2,h10', `${text('map.noAggregate')}: gone`]);
    expect(names('rack')).toEqual([`${text('map.noRack')}: h2,gone`, 'rack-b: h10']);
    expect(names('none')).toEqual([': h2,h10,gone']);
    expect(groupingsOf(hosts)).toEqual(['none', 'zone', 'aggregate', 'rack']);
    expect(groupingsOf(mapHosts(planned, undefined, 'memory'))).toEqual(['none']);
  });

  test('have a value between before and after, on an absolute or a relative scale', () => {
    const [touched, , unknown] = hosts;
    expect([0, 0.5, 1].map((place) => shareAt(touched ?? (planned[0] as never), place))).toEqual([80, 50, 20]);
    expect(shareAt(unknown as never, 0.5)).toBeNull();
    const shares = hosts.flatMap(({ before, after }) => [before, after]);
    expect(scaleOf(shares, false)).toEqual({ from: 0, to: 100 });
    expect(scaleOf(shares, true)).toEqual({ from: 20, to: 80 });
    expect(scaleOf([], true)).toEqual({ from: 0, to: 100 });
    const many = [99, 2, ...Array.from({ length: 98 }, (_, at) => 40 + at / 10)];
    const ends = scaleOf(many, true);
    expect(ends).toEqual({ from: 40.1, to: 49.6 });
    expect(many.filter((share) => isOutlier(share, ends))).toEqual([99, 2, 40, 49.7]);
  });
});

describe('the layout', () => {
  test('puts groups below each other and hosts in rows that fit', () => {
    const { places, titles, height } = layoutMap(groupsOf(hosts, 'rack'), 220);
    expect(titles.map(({ title }) => title)).toEqual(['No rack', 'rack-b']);
    expect([...places]).toEqual([
      ['h2', { x: 0, y: 26 }],
      ['gone', { x: 107, y: 26 }],
      ['h10', { x: 0, y: 107 }],
    ]);
    expect(height).toBe(150);
  });

  test('writes names where there is room, their ends when they are long', () => {
    expect([10, 100, 300, 1000].map((count) => lettersOf(cellSizeOf(count).width))).toEqual([13, 8, 0, 0]);
    const sizes = [10, 100, 300, 1000, 2000, 5000].map((count) => cellSizeOf(count).height);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(sizes.length);
    expect(shortName('compute-1', 9)).toBe('compute-1');
    expect(shortName('compute-rack-0117', 8)).toBe('…ck-0117');
  });
});

test('a running migration is placed by its progress, and a revert in the opposite direction', () => {
  const layout = layoutMap(groupsOf(hosts, 'none'), 1000);
  const input = { source_node: 'gone', destination_node: 'h2' };
  const action = (state: string, fields: object) =>
    ({ uuid: state, state, action_type: 'migrate', input_parameters: input, ...fields }) as never;
  const moves = movesOn(
    [
      action('ONGOING', { progress: 0.25 }),
      action('ONGOING', {
        action_type: 'revert',
        input_parameters: { action_type: 'migrate', input_parameters: input },
      }),
      action('ONGOING', { input_parameters: { source_node: 'h2' } }),
      action('ONGOING', { input_parameters: { source_node: 'elsewhere' } }),
      action('PENDING', {}),
      action('ONGOING', { action_type: 'nop', input_parameters: {} }),
    ],
    layout,
  );
  expect(moves.map(({ at }) => at.x)).toEqual([266 - 214 / 4, 266 - 214 / 2, 52]);
  expect(moves.map(({ path }) => path?.match(/^M(\d+) .* (\d+) \d+$/)?.slice(1) ?? null)).toEqual([
    ['266', '52'],
    ['52', '266'],
    null,
  ]);
  const { height } = layout.cell;
  expect(moves.map(({ at }) => at.y > height)).toEqual([true, true, false]);
  expect(movesOn([action('ONGOING', { progress: 0.5 })], layoutMap(groupsOf(hosts, 'none'), 1))).toMatchObject([
    { at: { x: 52, y: 1.5 * height + 3 } },
  ]);
});
