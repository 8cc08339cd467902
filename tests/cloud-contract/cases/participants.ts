import assert from 'node:assert/strict';
import type { Cloud } from '#libs/openstack';
import type { Attach, Attachment } from '../attach-in-database.ts';
import type { RawHttp } from '../raw-http.ts';

/** The cloud in which the servers are booted. See `ContractTarget`. */
interface CloudOfCases {
  cloud: Cloud;
  raw: RawHttp;
  attach: Attach | null;
  until<T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T>;
}

/** Identifiers that cases name in braces, by their names. */
export interface Participants {
  ids: ReadonlyMap<string, string>;
  /** Deletes the servers and flavors. */
  remove(): Promise<void>;
}

type Named = { id: string };
const version = '2.104';
/** Servers with an attachment that limits their operations, by name. */
const attachments: Readonly<Record<string, Attachment>> = {
  accelerated: { port: 'accelerator-direct' },
  physical: { port: 'accelerator-direct-physical' },
  sharing: 'share',
};

/**
 * Boots the servers of the cases on one host: `plain`, `off` (stopped), and those of `case-checks.ts`, each with the
 * hint or the flavor that keeps it there, and where the cloud permits those with attachments. `host` is that host and
 * `other` a second one.
 */
export async function createParticipants(target: CloudOfCases): Promise<Participants> {
  const ids = new Map<string, string>([['unknown', '00000000-0000-4000-8000-000000000000']]);
  const created: string[] = [];
  const detachments: (() => Promise<void>)[] = [];

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await target.raw({ service: 'compute', method, path, microversion: version, body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }
  async function flavor(name: string, extraSpecs: Record<string, string>): Promise<string> {
    const fields = { name: `contract-${name}`, vcpus: 1, ram: 64, disk: 1 };
    const { flavor } = (await send('POST', '/flavors', { flavor: fields })) as { flavor: Named };
    created.push(`/flavors/${flavor.id}`);
    const path = `/flavors/${flavor.id}/os-extra_specs`;
    if (Object.keys(extraSpecs).length > 0) await send('POST', path, { extra_specs: extraSpecs });
    return flavor.id;
  }
  async function boot(name: string, fields: object = {}, hints: object = {}): Promise<void> {
    const server = {
      name: `contract-${name}`,
      flavorRef: ids.get('flavor'),
      imageRef: ids.get('image'),
      networks: 'none',
      host: ids.get('host'),
      ...fields,
    };
    const response = await send('POST', '/servers', { server, 'os:scheduler_hints': hints });
    const { id } = (response as { server: Named }).server;
    created.unshift(`/servers/${id}`);
    ids.set(name, id);
    await target.until(`server contract-${name} ACTIVE`, async () => {
      const found = await target.cloud.compute.getServer(id);
      assert.notEqual(found?.status, 'ERROR', `contract-${name}: ${found?.fault}`);
      return found?.status === 'ACTIVE' && found.taskState === null;
    });
  }

  async function bootWithAttachments(attach: Attach): Promise<void> {
    for (const [name, attachment] of Object.entries(attachments)) {
      await boot(name);
      detachments.push(await attach(ids.get(name) ?? '', attachment));
    }
  }

  async function remove(): Promise<void> {
    for (const detach of detachments) await detach();
    const servers = created.filter((path) => path.startsWith('/servers/'));
    for (const path of servers) await send('DELETE', path);
    await target.until('the end of the servers', async () => {
      const left = await target.cloud.compute.listServers({});
      return !left.some(({ uuid }) => servers.includes(`/servers/${uuid}`));
    });
    for (const path of created.filter((one) => !servers.includes(one))) await send('DELETE', path);
  }
  async function populate(): Promise<void> {
    await findPlaces(target, ids);
    const host = ids.get('host') ?? '';
    ids.set('flavor', await flavor('plain', {}));
    await boot('plain');
    await boot('off');
    await target.cloud.compute.stopServer(ids.get('off') ?? '');
    await boot('anchor');
    await boot('together', {}, { same_host: ids.get('anchor') });
    await boot('asked', {}, { query: JSON.stringify(['=', '$host', host]) });
    await boot('near', {}, { build_near_host_ip: ids.get('address'), cidr: '/32' });
    await boot('capable', { flavorRef: await flavor('capable', { 'capabilities:hypervisor_hostname': host }) });
    await boot('pinned', { availability_zone: ids.get('zone') });
    await boot('companion', { host: ids.get('other') });
    await boot('apart', {}, { different_host: [ids.get('companion')] });
    if (target.attach !== null) await bootWithAttachments(target.attach);
    await target.until('server contract-off SHUTOFF', async () => {
      const found = await target.cloud.compute.getServer(ids.get('off') ?? '');
      return found?.status === 'SHUTOFF' && found.taskState === null;
    });
  }

  try {
    await populate();
    return { ids, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Two open hosts of one zone, and the project, image and volume of the requests. */
async function findPlaces({ cloud, raw }: CloudOfCases, ids: Map<string, string>): Promise<void> {
  const open = (await cloud.compute.listServices()).filter(
    ({ binary, status, state }) => binary === 'nova-compute' && status === 'enabled' && state === 'up',
  );
  const servers = await cloud.compute.listServers({});
  const load = (name: string) => servers.filter(({ host }) => host === name).length;
  const [emptiest, second] = open.sort((a, b) => load(a.host) - load(b.host) || (a.host < b.host ? -1 : 1));
  assert.ok(emptiest !== undefined && second !== undefined, 'the cloud has fewer than two enabled hosts');
  const hypervisor = await cloud.compute.findHypervisorByServiceHost(emptiest.host);
  const path = `/os-hypervisors/${hypervisor?.uuid}`;
  const details = await raw({ service: 'compute', path, microversion: '2.53' });
  const images = await raw({ service: 'image', path: '/v2/images' });
  const image = (images.body as { images: Named[] }).images[0];
  const requester = await cloud.identity.requester();
  ids.set('host', emptiest.host).set('other', second.host).set('zone', emptiest.zone);
  ids
    .set('service', emptiest.id)
    .set('hypervisor', hypervisor?.uuid ?? '')
    .set('provider', hypervisor?.uuid ?? '');
  ids.set('address', (details.body as { hypervisor: { host_ip: string } }).hypervisor.host_ip);
  ids
    .set('image', image?.id ?? '')
    .set('user', requester?.userId ?? '')
    .set('project', requester?.projectId ?? '');
  if ((await cloud.identity.endpoint('block-storage')) === null) return;
  const volume = (await cloud.volume.listVolumes()).find(({ status, host }) => status === 'available' && host !== null);
  if (volume !== undefined) ids.set('volume', volume.uuid).set('pool', volume.host ?? '');
}
