import { describe, expect, it } from 'vitest';
import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { Random } from '#libs/optimizer';
import { createTestWorld, type TestHost, type TestInstance, type TestWorld, testUuid } from '#libs/plugin-kit/testing';
import { computeWhatIf, runSteps, type WhatIfFlavor, type WhatIfQuestion } from './index.ts';
import { withInstances } from './world/change-snapshot.ts';
import { countPlaces, instanceOf, placesAmong } from './world/flavor-places.ts';

const worlds = 200;

/** Numbers from 0 to 1 by a seed. */
function createRandom(seed: number) {
  const random = new Random(seed);
  const next = () => (random.next() >>> 0) / 2 ** 32;
  return {
    next,
    chance: (share: number) => next() < share,
    pick: <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)] as Value,
  };
}

const flavors: Omit<TestInstance, 'name'>[] = [
  { flavorName: 's', vcpus: 1, memory: 1024, disk: 5 },
  { flavorName: 'm', vcpus: 2, memory: 3000, disk: 10 },
  { flavorName: 'l', vcpus: 4, memory: 6000, disk: 20 },
  { flavorName: 'thin', vcpus: 5, memory: 512, disk: 0 },
  { flavorName: 'ssd', vcpus: 1, memory: 2048, disk: 30, flavorExtraSpecs: { 'trait:CUSTOM_SSD': 'required' } },
  {
    flavorName: 'own',
    vcpus: 2,
    memory: 2048,
    disk: 5,
    flavorExtraSpecs: { 'aggregate_instance_extra_specs:own': 'y' },
  },
  { flavorName: 'pin', vcpus: 2, memory: 1024, disk: 5, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } },
  { flavorName: 'two', vcpus: 1, memory: 1024, disk: 5, flavorExtraSpecs: { 'resources:VCPU': '3' } },
];

/** A small cloud with odd ratios, groups, hints, traits, tenants, states, disabled and dead hosts. */
function randomWorld(seed: number): TestWorld {
  const { chance, pick, next } = createRandom(seed);
  const count = 3 + Math.floor(next() * 3);
  const hosts = Array.from(
    { length: count },
    (_, row): TestHost => ({
      hostname: `h${row}`,
      vcpus: pick([4, 6, 8]),
      vcpusRatio: pick([1, 1, 1.3, 2]),
      memory: pick([8192, 10_000, 16_384]),
      memoryReserved: pick([0, 512]),
      memoryRatio: pick([1, 1, 0.9, 1.1]),
      disk: pick([40, 60, 100]),
      zone: pick(['z1', 'z1', 'z2']),
      aggregates: [...(chance(0.4) ? ['own'] : []), ...(chance(0.3) ? ['tenant'] : []), pick(['rack-1', 'rack-2'])],
      traits: chance(0.5) ? ['CUSTOM_SSD'] : [],
      ...(chance(0.5) ? { dedicatedCpus: pick([2, 4]) } : {}),
      ...(chance(0.15) ? { state: 'down' } : {}),
      ...(chance(0.15) ? { status: 'disabled' } : {}),
      ...(chance(0.3) ? { hypervisor: { type: 'QEMU', version: pick([1, 2]) } } : {}),
    }),
  );
  const instances = Array.from(
    { length: 3 + Math.floor(next() * 9) },
    (_, row): TestInstance => ({
      name: `i${row}`,
      host: pick(hosts).hostname,
      ...pick(flavors),
      projectId: pick(['p', 'q']),
      ...(chance(0.25) ? { group: pick(['apart', 'apart-2', 'together', 'soft']) } : {}),
      ...(chance(0.2) ? { pinnedZone: pick(['z1', 'z2']) } : {}),
      ...(chance(0.1) ? { state: pick(['stopped', 'paused', 'error'] as const) } : {}),
      ...(chance(0.05) ? { locked: true } : {}),
      ...(chance(0.1) && row > 0 ? { hints: { differentHost: [testUuid(`i${row - 1}`)] } } : {}),
      ...(chance(0.05) && row > 0 ? { hints: { sameHost: [testUuid(`i${row - 1}`)] } } : {}),
    }),
  );
  return {
    hosts,
    instances,
    groups: [
      { name: 'apart', policy: 'anti-affinity' },
      { name: 'apart-2', policy: 'anti-affinity', maxServerPerHost: 2 },
      { name: 'together', policy: 'affinity' },
      { name: 'soft', policy: 'soft-anti-affinity' },
    ],
    aggregates: [
      { name: 'own', metadata: { own: 'y' } },
      { name: 'tenant', metadata: { filter_tenant_id: 'p' } },
      { name: 'rack-1', metadata: { rack: '1' } },
      { name: 'rack-2', metadata: { rack: '2' } },
    ],
  };
}

const response = (snapshot: ComputeSnapshot, question: WhatIfQuestion) => runSteps(computeWhatIf(snapshot, question));

/** Whether some order of moves brings all instances to hosts, by trying every one. Null: too many. */
function bruteForce(
  model: WhatIf,
  instances: readonly number[],
  hosts: readonly number[],
  isLoss: boolean,
): boolean | null {
  const options = isLoss ? ({ way: 'evacuate', sourceDown: true } as const) : undefined;
  const failed = new Set<string>();
  let visits = 0;
  function from(left: readonly number[]): boolean | null {
    if (left.length === 0) return true;
    // The places of all instances decide.
    const key = instances.map((row) => (left.includes(row) ? '-' : model.hostOf[row])).join();
    if (failed.has(key)) return false;
    if (++visits > 60_000) return null;
    for (const row of left) {
      const home = model.hostOf[row] as number;
      for (const host of hosts) {
        if (model.refusal(row, host, options) !== null) continue;
        model.move(row, host);
        const found = from(left.filter((other) => other !== row));
        model.move(row, home);
        if (found !== false) return found;
      }
    }
    failed.add(key);
    return false;
  }
  return from(instances);
}

describe('the loss and the removal of hosts', () => {
  it(`agree with brute force on ${worlds} worlds, and are rarely unknown`, () => {
    const counts = { fits: 0, does_not_fit: 0, unknown: 0, open: 0 };
    for (let seed = 1; seed <= worlds; seed++) {
      const snapshot = createTestWorld(randomWorld(seed));
      const { pick, chance } = createRandom(seed + 1000);
      const kind = pick(['host', 'host', 'rack', 'zone'] as const);
      const isLoss = chance(0.6);
      const names = { host: [pick(snapshot.hostInfo).hostname], rack: ['rack-1'], zone: [pick(snapshot.zones)] };
      const question: WhatIfQuestion = isLoss
        ? { question: 'lose', kind, names: names[kind] }
        : { question: 'remove', names: names.host };
      const isGone = (row: number) => {
        const host = snapshot.instances.host[row] as number;
        const info = snapshot.hostInfo[host];
        const used = isLoss ? kind : 'host';
        if (used === 'host') return info?.hostname === names.host[0];
        if (used === 'rack') return info?.aggregates.some((index) => snapshot.aggregates[index]?.name === 'rack-1');
        return snapshot.zones[snapshot.hosts.zone[host] as number] === names.zone[0];
      };
      const model = createWhatIf(snapshot);
      const instances = [...snapshot.instanceInfo.keys()].filter(isGone);
      const gone = new Set(instances.map((row) => snapshot.instances.host[row]));
      if (isLoss && kind === 'rack' && !snapshot.hostInfo.some(({ aggregates }) => aggregates.includes(2))) continue;
      const lost = lostHosts(snapshot, question);
      const hosts = [...snapshot.hostInfo.keys()].filter((row) => model.enabled[row] === 1 && !lost.has(row));
      expect([...gone].every((row) => lost.has(row as number))).toBe(true);
      const truth = bruteForce(model, instances, hosts, isLoss);
      const { verdict, moves, obstacles } = response(snapshot, question);
      counts[verdict]++;
      if (truth === null) counts.open++;
      else if (verdict !== 'unknown') expect(verdict, `seed ${seed}`).toBe(truth ? 'fits' : 'does_not_fit');
      expect(moves.length + obstacles.length, `seed ${seed}`).toBe(instances.length);
      // The moves are admitted one after the other.
      const check = createWhatIf(snapshot);
      for (const { instance, to } of moves) {
        const [row, host] = [check.instanceRow(instance) as number, check.hostRow(to) as number];
        expect(check.refusal(row, host, isLoss ? { way: 'evacuate', sourceDown: true } : undefined)).toBeNull();
        check.move(row, host);
      }
    }
    expect(counts.fits).toBeGreaterThan(worlds / 6);
    expect(counts.does_not_fit).toBeGreaterThan(worlds / 6);
    // The stated share.
    expect(counts.unknown).toBeLessThanOrEqual(worlds * 0.02);
    expect(counts.open).toBeLessThanOrEqual(worlds * 0.05);
  }, 120_000);
});

function lostHosts({ hostInfo, hosts, zones, aggregates }: ComputeSnapshot, question: WhatIfQuestion): Set<number> {
  const isLost = (row: number) => {
    const info = hostInfo[row];
    if (question.question === 'remove') return question.names.includes(info?.hostname ?? '');
    if (question.question !== 'lose') return false;
    if (question.kind === 'host') return question.names.includes(info?.hostname ?? '');
    if (question.kind === 'zone') return question.names.includes(zones[hosts.zone[row] as number] ?? '');
    return info?.aggregates.some((index) => question.names.includes(aggregates[index]?.name ?? '')) ?? false;
  };
  return new Set([...hostInfo.keys()].filter(isLost));
}

const newFlavor = (fields: Partial<WhatIfFlavor> = {}): WhatIfFlavor => ({
  ...{ name: 'new', vcpus: 1, memory: 1024, disk: 5, extraSpecs: {}, projectId: 'p', zone: '' },
  ...fields,
});

describe('places for a flavor', () => {
  it(`are as many as boots one by one until every host refuses, on ${worlds} worlds`, () => {
    let total = 0;
    for (let seed = 1; seed <= worlds; seed++) {
      const snapshot = createTestWorld(randomWorld(seed));
      const { pick } = createRandom(seed + 5000);
      const { flavorName: name = '', flavorExtraSpecs: extraSpecs = {}, ...size } = pick(flavors);
      const { vcpus = 1, memory = 1, disk = 0 } = size;
      const flavor = newFlavor({
        ...{ name, vcpus, memory, disk },
        extraSpecs,
        projectId: pick(['p', 'q']),
        zone: pick(['', 'z1']),
      });
      if (flavor.zone !== '' && !snapshot.zones.includes(flavor.zone)) continue;
      const most = 80;
      const boots = Array.from({ length: most }, (_, number) => instanceOf(flavor, `new-${number}`));
      const model = createWhatIf(withInstances(snapshot, boots));
      const { next } = createRandom(seed);
      let booted = 0;
      for (; booted < most; booted++) {
        const row = snapshot.instanceInfo.length + booted;
        const hosts = [...snapshot.hostInfo.keys()].filter((host) => model.bootRefusal(row, host) === null);
        const host = hosts[Math.floor(next() * hosts.length)];
        if (host === undefined) break;
        model.move(row, host);
      }
      expect(booted).toBeLessThan(most);
      const all = [...snapshot.hostInfo.keys()];
      const [places] = runSteps(countPlaces(snapshot, all, [flavor]));
      for (const rows of [all.filter((row) => row % 2 === 0), all.slice(0, 1)]) {
        const [alone] = runSteps(countPlaces(snapshot, rows, [flavor]));
        expect(placesAmong(snapshot, flavor, { places: places!, hosts: rows })).toBe(alone?.total);
      }
      const { number, isExact, verdict, hosts } = response(snapshot, { question: 'place', flavor, count: null });
      expect(number, `seed ${seed}`).toBe(booted);
      expect(hosts.reduce((sum, { places }) => sum + places, 0)).toBe(booted);
      expect(isExact).toBe(name !== 'pin' || booted === 0);
      if (isExact) expect(verdict).toBe(booted > 0 ? 'fits' : 'does_not_fit');
      total += booted;
    }
    expect(total).toBeGreaterThan(worlds * 2);
  }, 60_000);

  const two = createTestWorld({
    hosts: [
      { hostname: 'a', vcpus: 4, memory: 10_240, disk: 100 },
      { hostname: 'b', vcpus: 16, memory: 10_240, disk: 100 },
    ],
  });

  it('have the world after the requested number of them', () => {
    const { verdict, text, reserve, fullest } = response(two, { question: 'place', flavor: newFlavor(), count: 8 });
    expect({ verdict, text }).toEqual({
      ...{ verdict: 'fits', text: '14 further instances of new fit, 8 requested' },
    });
    expect(reserve.before).toMatchObject({ hosts: 2, covered: 2 });
    // The smaller host is full, so that nothing of the other one finds room there.
    expect(reserve.after).toMatchObject({ covered: 1, notCovered: ['b'] });
    expect(fullest.find(({ resource }) => resource === 'vcpus')).toEqual({
      ...{ resource: 'vcpus', before: { hostname: 'a', percent: 0 }, after: { hostname: 'a', percent: 100 } },
    });
    const more = response(two, { question: 'place', flavor: newFlavor(), count: 15 });
    expect(more).toMatchObject({ verdict: 'does_not_fit', number: 14, reserve: { after: null } });
  });

  it('are an upper bound when no API reports the resources of hosts', () => {
    const flavor = newFlavor({ extraSpecs: { 'hw:mem_page_size': 'large', 'resources:MEMORY_MB': '2048' } });
    expect(response(two, { question: 'place', flavor, count: 3 })).toMatchObject({
      ...{ verdict: 'unknown', number: 9, isExact: false, text: 'at most 9 further instances of new fit, 3 requested' },
      because: expect.stringContaining('huge-pages'),
    });
    expect(response(two, { question: 'place', flavor, count: 10 }).verdict).toBe('does_not_fit');
  });

  it('share the storage of hosts and obey units of Placement', () => {
    const shared = { ...two, sharedDisks: [{ uuid: 's', free: 32, largest: 20 }] };
    const hostInfo = two.hostInfo.map((info) => ({ ...info, sharedDisk: 0 }));
    const world = { ...shared, hostInfo };
    expect(response(world, { question: 'place', flavor: newFlavor(), count: null }).number).toBe(6);
    const [places] = runSteps(countPlaces(world, [0, 1], [newFlavor()]));
    const [ofOne] = runSteps(countPlaces(world, [0], [newFlavor()]));
    expect(placesAmong(world, newFlavor(), { places: places!, hosts: [0] })).toBe(ofOne?.total);
    expect(response(world, { question: 'place', flavor: newFlavor({ disk: 21 }), count: null }).number).toBe(0);
    const units = { memory: { least: 1, most: 900, step: 1 } };
    const odd = { ...two, hostInfo: two.hostInfo.map((info, row) => (row === 0 ? { ...info, units } : info)) };
    expect(response(odd, { question: 'place', flavor: newFlavor(), count: null }).number).toBe(10);
  });
});

describe('hosts and ratios', () => {
  const world = createTestWorld({
    hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpus: 8, vcpusRatio: 2, memory: 16_384, disk: 100 })),
    instances: Array.from({ length: 6 }, (_, row) => ({
      ...{ name: `i${row}`, host: row < 5 ? 'a' : 'b', vcpus: 2, memory: 2048, disk: 10, flavorName: 'm' },
    })),
  });

  it('added hosts bring places and nothing moves', () => {
    const result = response(world, { question: 'add', count: 2, like: 'a' });
    expect(result).toMatchObject({ verdict: 'fits', moves: [], places: [{ flavor: 'm', before: 10, after: 26 }] });
    expect(result.reserve).toMatchObject({ before: { hosts: 2 }, after: { hosts: 4, covered: 4 } });
  });

  it('a lower ratio names the hosts that become overfull', () => {
    const result = response(world, { question: 'ratio', ratios: { cpu: 1 }, names: [] });
    expect(result).toMatchObject({
      verdict: 'does_not_fit',
      obstacles: [{ hostname: 'a', constraint: 'vcpu' }],
      places: [{ before: 10, after: 3 }],
    });
    expect(response(world, { question: 'ratio', ratios: { cpu: 1 }, names: ['b'] }).verdict).toBe('fits');
  });

  it('the proof of a loss names the lacking resource', () => {
    const small = createTestWorld({
      hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpus: 4 })),
      instances: ['a', 'a', 'b'].map((host, row) => ({ name: `i${row}`, host, vcpus: 2 })),
    });
    const result = response(small, { question: 'lose', kind: 'host', names: ['a'] });
    expect(result).toMatchObject({ verdict: 'does_not_fit', obstacles: [{ constraint: 'vcpu' }] });
    expect(result.because).toBe('vcpus: 4 are needed, and 2 are free on the 1 host that 2 instances may go to');
    expect(result.reserve.before).toMatchObject({ covered: 0, notCovered: ['a', 'b'], largest: { hostname: 'a' } });
  });

  it('nothing is certain about an incomplete model', () => {
    const open = { ...world, complete: false, gaps: ['no traits of 2 hosts'] };
    expect(response(open, { question: 'lose', kind: 'host', names: ['a'] })).toMatchObject({
      ...{ verdict: 'unknown', because: 'the model is not complete: no traits of 2 hosts' },
    });
  });

  it.each<[WhatIfQuestion, string]>([
    [{ question: 'lose', kind: 'zone', names: ['noba'] }, 'names: there is no zone noba; did you mean nova?'],
    [{ question: 'lose', kind: 'host', names: [] }, 'names: at least one name'],
    [{ question: 'remove', names: ['c'] }, 'names: there is no host c'],
    [{ question: 'add', count: 0, like: 'a' }, 'count: must be a whole number from 1 to 1000'],
    [{ question: 'ratio', ratios: {}, names: [] }, 'ratios: name at least one of cpu, memory, disk'],
    [{ question: 'ratio', ratios: { cpu: 0 }, names: [] }, 'ratios.cpu: must be a number from 0.01 to 1000'],
    [{ question: 'place', flavor: newFlavor({ zone: 'nva' }), count: 1 }, 'zone: there is no zone nva'],
  ])('refuses %j', (question, text) => {
    expect(() => response(world, question)).toThrow(text);
  });
});
