import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type Cloud, OpenStackError } from '#libs/openstack';
import { createPatientCloud } from './patient-cloud.ts';

/** A cloud that is unavailable for the first calls of each kind, and records its calls. */
function createBusyCloud(failures: number) {
  const requested: [name: string, given: unknown[]][] = [];
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      requested.push([name, given]);
      const times = requested.filter(([known]) => known === name).length;
      if (times <= failures) throw new OpenStackError('compute', `GET ${name}`, 503, 'unavailable');
      return name;
    };
  const port = (...names: string[]) => Object.fromEntries(names.map((name) => [name, call(name)]));
  const cloud = {
    identity: port('requester', 'token'),
    compute: port('getServer', 'listServers', 'listServices', 'liveMigrate'),
    placement: port('getTraits'),
    volume: port('migrateVolume'),
    baremetal: port('getNode'),
  } as unknown as Cloud;
  return { cloud, asked: requested };
}

function patiently(cloud: Cloud) {
  const pauses: number[] = [];
  const { signal } = new AbortController();
  const sleep = async (ms: number) => void pauses.push(ms);
  const patient = createPatientCloud(cloud, { requestId: 'req-1', signal, sleep, logger: silentLogger });
  return { patient, pauses, look: { requestId: 'req-1', signal }, change: { requestId: 'req-1' } };
}

test('reads are repeated with the options of the action', async () => {
  const { cloud, asked } = createBusyCloud(2);
  const { patient, pauses, look } = patiently(cloud);
  expect(await patient.compute.getServer('s1')).toBe('getServer');
  expect(await patient.compute.listServices()).toBe('listServices');
  expect(await patient.compute.listServers({ host: 'h1' })).toBe('listServers');
  expect(await patient.placement.getTraits('p1')).toBe('getTraits');
  expect(await patient.baremetal.getNode('n1')).toBe('getNode');
  expect(await patient.identity.requester()).toBe('requester');
  expect(pauses).toEqual(Array.from({ length: 6 }, () => [500, 1000]).flat());
  const thrice = (name: string, ...given: unknown[]) => Array.from({ length: 3 }, () => [name, [...given, look]]);
  expect(asked).toEqual([
    ...thrice('getServer', 's1'),
    ...thrice('listServices'),
    ...thrice('listServers', { host: 'h1' }),
    ...thrice('getTraits', 'p1'),
    ...thrice('getNode', 'n1'),
    ...thrice('requester'),
  ]);
});

test('changes are sent once, and continue when the action gets a stop signal', async () => {
  const { cloud, asked } = createBusyCloud(1);
  const { patient, pauses, change } = patiently(cloud);
  await expect(patient.compute.liveMigrate('s1', 'h2')).rejects.toThrow('unavailable');
  await expect(patient.volume.migrateVolume('v1', 'pool')).rejects.toThrow('unavailable');
  expect(pauses).toEqual([]);
  expect(asked).toEqual([
    ['liveMigrate', ['s1', 'h2', change]],
    ['migrateVolume', ['v1', 'pool', change]],
  ]);
});

test('a read that is not understood is not repeated', async () => {
  const { cloud } = createBusyCloud(0);
  const refusal = new OpenStackError('compute', 'GET /servers/s1', 400, 'bad request');
  cloud.compute.getServer = () => Promise.reject(refusal);
  const { patient, pauses } = patiently(cloud);
  await expect(patient.compute.getServer('s1')).rejects.toBe(refusal);
  expect(pauses).toEqual([]);
});
