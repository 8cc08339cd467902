import { expect, test, vi } from 'vitest';
import { internalVersion } from '#libs/client';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';
import { runVigil } from './vigil-process.ts';

const hosts = 40;
/** Time to live of the properties in milliseconds. A longer reader causes one load in each period. */
const ttlMs = 5000;
/** Three API processes on one database. */

const stack = await useTestStack({
  simulator: ['--generate', `hosts=${hosts},instances=200,seed=7`, ...noHistory],
  // A check of the cloud would also be counted.
  env: { VIGIL_MODEL_MAX_AGE_SECONDS: '3600' },
});
const [second, third] = await Promise.all([
  stack.start(['api']),
  stack.start(['api']),
  stack.start(['decision-engine']),
]);
const urls = [stack.api.url!, second.url!, third.url!];
const headers = { 'X-Vigil-Internal-Version': internalVersion, 'X-Auth-Token': await stack.issueToken() };
await fetch(`${stack.simulator.url}/simulator/requests`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ reads: true }),
});

async function get<Body>(path: string, index: number, more: Record<string, string> = {}) {
  const response = await fetch(`${urls[index % 3]}/internal${path}`, { headers: { ...headers, ...more } });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 304) throw new Error(`${path}: ${response.status} ${text}`);
  return { response, body: (text === '' ? null : JSON.parse(text)) as Body };
}

/** Requests to the simulated cloud, by its log. */
async function cloudRequests(matches: (path: string) => boolean): Promise<number> {
  const { requests } = await stack.control<{ requests: { service: string; path: string }[] }>('/requests');
  return requests.filter(({ service, path }) => service === 'compute' && matches(path)).length;
}

/** Loads of a property, summed over the three processes. */
async function loads(property: string): Promise<number> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const counts = texts.flatMap((text) =>
    [...text.matchAll(/^vigil_property_load_seconds_count\{(.*)\} (\d+)$/gm)].filter(([, labels]) =>
      labels?.includes(`property="${property}"`),
    ),
  );
  return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
}

test('100 parallel reads of a locked property on three API processes are one request to Nova', async () => {
  const { body } = await get<{ hosts: { hostname: string; instances: number }[] }>('/cluster/summary', 0);
  const host = body.hosts.find(({ instances }) => instances > 0)?.hostname;
  const { body: page } = await get<{ instances: { uuid: string }[] }>(`/cluster/hosts/${host}`, 0);
  const uuid = page.instances[0]?.uuid ?? '';
  // Slow enough that all requests are sent before the first response.
  await stack.control('/faults', {
    kind: 'latency',
    milliseconds: 300,
    match: { service: 'compute', path: `/servers/${uuid}` },
  });
  const started = Date.now();
  const readings = await Promise.all(
    Array.from({ length: 100 }, (_, index) => get<{ value: string }>(`/properties/server/${uuid}/host`, index)),
  );
  expect(new Set(readings.map(({ body }) => body.value)).size).toBe(1);
  const requested = await cloudRequests((path) => path.includes(`/servers/${uuid}`));
  expect(requested).toBeGreaterThan(0);
  expect(requested).toBeLessThanOrEqual(Math.ceil((Date.now() - started) / ttlMs));
});

test('1,000 viewers of the cluster cause no more than one does', async () => {
  const listing = (path: string) => path.includes('/servers/detail') || path.includes('/os-hypervisors');
  await get('/cluster/summary', 0);
  const [cloudBefore, engineBefore] = [await cloudRequests(listing), await loads('cluster.summary')];
  expect(engineBefore).toBeGreaterThan(0);
  const started = Date.now();
  for (let viewed = 0; viewed < 1000; viewed += 100) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => get<{ hosts: object[] }>('/cluster/summary', viewed + index)),
    );
    expect(responses.every(({ body }) => body.hosts.length === hosts)).toBe(true);
  }
  // The load that one viewer causes in the same time.
  const refreshes = Math.ceil((Date.now() - started) / ttlMs);
  expect((await loads('cluster.summary')) - engineBefore).toBeLessThanOrEqual(refreshes);
  // The model stays fresh enough.
  expect((await cloudRequests(listing)) - cloudBefore).toBe(0);
});

test('a client with the present summary gets 304 from any process; it is compressed on request', async () => {
  const { response } = await get('/cluster/summary', 0, { 'accept-encoding': 'identity' });
  const size = Number(response.headers.get('content-length'));
  expect(size).toBeGreaterThan(10_000);
  // The value may be loaded again between two requests, once in 5 s.
  await vi.waitFor(async () => {
    const packed = await get<{ hosts: object[] }>('/cluster/summary', 1, { 'accept-encoding': 'gzip' });
    expect(packed.body.hosts).toHaveLength(hosts);
    expect(packed.response.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.response.headers.get('content-length'))).toBeLessThan(size / 4);
    const again = await get('/cluster/summary', 2, { 'if-none-match': packed.response.headers.get('etag') ?? '' });
    expect([again.response.status, again.body]).toEqual([304, null]);
  }, 60_000);
});

test('a resync makes the engine read the cloud again, regardless of the age of its model', async () => {
  await stack.start(['scheduler'], { VIGIL_HOST_ID: 'node-1' });
  const listing = (path: string) => path.includes('/servers/detail');
  const before = await cloudRequests(listing);
  const env = { ...stack.env, VIGIL_API_URL: urls[0], OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin' };
  const { exitCode, stdout } = await runVigil(['tasks', 'run', 'resync', '--wait', '--json'], env);
  expect(exitCode, stdout).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'SUCCEEDED',
    result: { engines: [{ models: [{ name: 'compute', gaps: [], error: null }, {}, {}] }] },
  });
  expect(await cloudRequests(listing)).toBeGreaterThan(before);
});
