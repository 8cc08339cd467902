import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type VigilClient } from '#libs/client';
import type { Server } from '#libs/openstack';
import { type Cloudy, openServices, ownServers, prefix, removeServers, sender, version } from './boot-servers.ts';

/** A flavor and a zone, the number of `vigil whatif place`, and the servers that Nova booted until it refused. */
export interface MeasuredPlaces {
  flavor: string;
  /** Empty: the boots request none. */
  zone: string;
  predicted: number;
  booted: number;
  /** Why the flavor was left out in this zone. Null when it was measured. */
  skipped: string | null;
}

/** How much a measurement may boot. */
export interface PlacesLimits {
  /** Servers of one flavor at most. */
  most: number;
  /** Flavors by size. */
  flavors: number;
}

/** Concurrent requests. */
const width = 4;
/** The last servers are booted one by one, so that boots at the same time do not refuse each other. */
const oneByOne = 4;
/** Longest wait for a boot, and for a model that is newer than a change, in milliseconds. */
const patienceMs = { boot: 300_000, model: 90_000 };

/** Shares of the memory of the largest host, and CPUs. The first ones leave few places. */
const sizes = [
  { share: 0.34, vcpus: 1 },
  { share: 0.21, vcpus: 2 },
  { share: 0.55, vcpus: 1 },
  { share: 0.13, vcpus: 3 },
];

type Answer = { flavor: { id: string } };

/**
 * Boots servers of several flavors, with each zone and without one, until Nova refuses, and compares their number with
 * the number of Vigil before. Deletes its servers after each and its flavors at the end. For a cloud without other
 * users.
 */
export async function measurePlaces(
  target: Cloudy,
  client: VigilClient,
  { most, flavors }: PlacesLimits,
): Promise<MeasuredPlaces[]> {
  const send = sender(target);
  const zones = [...new Set((await openServices(target.cloud)).map(({ zone }) => zone))].sort();
  const largest = Math.max(...(await target.cloud.compute.listHypervisors()).map(({ memoryMb }) => memoryMb ?? 0));
  const measured: MeasuredPlaces[] = [];
  await removeServers(target);
  for (const { share, vcpus } of sizes.slice(0, flavors)) {
    const ram = Math.max(64, Math.floor(largest * share));
    const name = `${prefix}places-${vcpus}-${ram}-${Date.now()}`;
    const { flavor } = (await send('POST', '/flavors', { flavor: { name, vcpus, ram, disk: 1 } })) as Answer;
    try {
      for (const zone of ['', ...zones]) {
        const one = await measureOne(target, client, { name, id: flavor.id, zone, most });
        measured.push(one);
        target.onProgress(lineOf(one));
      }
    } finally {
      await removeServers(target);
      await send('DELETE', `/flavors/${flavor.id}`);
    }
  }
  return measured;
}

/** One readable line. */
export function lineOf({ flavor, zone, predicted, booted, skipped }: MeasuredPlaces): string {
  const where = zone === '' ? 'any zone' : `zone ${zone}`;
  return `${flavor}, ${where}: ${skipped ?? `${predicted} predicted, ${booted} booted`}`;
}

interface Boots {
  name: string;
  id: string;
  zone: string;
  most: number;
}

async function measureOne(target: Cloudy, client: VigilClient, boots: Boots): Promise<MeasuredPlaces> {
  const response = await requestAgain(client, boots);
  const predicted = response.number ?? 0;
  const common = { flavor: boots.name, zone: boots.zone, predicted };
  if (!response.is_exact) return { ...common, booted: 0, skipped: `the number is not exact: ${response.because}` };
  if (predicted > boots.most) return { ...common, booted: 0, skipped: `${predicted} are more than ${boots.most}` };
  const booted = await bootUntilRefused(target, boots, predicted);
  await removeServers(target);
  return { ...common, booted, skipped: null };
}

/** The response on a model that was read, or that notifications updated, after the request. */
async function requestAgain(client: VigilClient, { name, zone }: Boots) {
  const since = Date.now();
  for (;;) {
    const body = { question: 'place' as const, flavor: name, zone: zone === '' ? null : zone };
    const response = await dataOf(client.api.POST('/v1/what_if', { body }));
    const isNew = Date.parse(response.model_taken_at) >= since;
    if (isNew || Date.now() - since > patienceMs.model) return response;
    await sleep(1000);
  }
}

/** Servers that run before the first one without a host. */
async function bootUntilRefused(target: Cloudy, boots: Boots, predicted: number): Promise<number> {
  const send = sender(target);
  const { images } = (await send('GET', '/v2/images', undefined, 'image')) as { images: { id: string }[] };
  const imageRef = images[0]?.id;
  if (imageRef === undefined) throw new Error('the cloud has no image');
  let number = 0;
  async function boot(): Promise<boolean> {
    const server = {
      ...{ name: `${prefix}places-${String(number++).padStart(3, '0')}`, flavorRef: boots.id, imageRef },
      ...{ networks: 'none', ...(boots.zone === '' ? {} : { availability_zone: boots.zone }) },
    };
    const request = { service: 'compute', method: 'POST', path: '/servers', microversion: version } as const;
    const { status, body } = await target.raw({ ...request, body: { server } });
    // Nova accepts the boot and finds no host later. Other clouds refuse it immediately.
    if (status === 400 && JSON.stringify(body).includes('No valid host')) return false;
    if (status >= 300) throw new Error(`POST /servers: ${status} ${JSON.stringify(body)}`);
    return (await settled(target, (body as { server: { id: string } }).server.id)).status === 'ACTIVE';
  }

  let running = 0;
  for (let rest = predicted - oneByOne; rest > 0; rest -= width) {
    const outcomes = await Promise.all(Array.from({ length: Math.min(width, rest) }, boot));
    running += outcomes.filter(Boolean).length;
    if (outcomes.includes(false)) return running;
  }
  // One more than predicted is enough to see a difference, and the cloud is not filled further.
  while (running <= predicted && (await boot())) running++;
  return running;
}

async function settled(target: Cloudy, uuid: string): Promise<Server> {
  const end = Date.now() + patienceMs.boot;
  for (;;) {
    const server = (await ownServers(target.cloud)).find((one) => one.uuid === uuid);
    if (server !== undefined && server.status !== 'BUILD') return server;
    if (Date.now() > end) throw new Error(`server ${uuid} is not ready after ${patienceMs.boot / 1000} s`);
    await sleep(500);
  }
}
