import { readFile, writeFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createRandom } from '#libs/domain';
import { newSigningSecret } from '#libs/notification-targets';
import type { IdentityPort } from '#libs/openstack';
import { readBuildVersion } from '#libs/service-kit';
import { createFakeEngine } from '../fake-engine.ts';
import { seedCatalogue, seedPlan, useTestApi } from '../test-api.ts';
import { createJudge } from './judge-response.ts';
import { type ApiDocument, makeRequest } from './make-request.ts';
import { createChooser } from './odd-values.ts';

/** From here on even the rare status codes occur. */
const enoughForAll = 20_000;
const seedNumber = Number(process.env.VIGIL_FUZZ_SEED ?? 1);
const admin = { 'x-auth-token': 'admin' };
const concurrency = 16;
/** From this count on, caches are full after the first quarter, and memory may grow by at most a tenth. */
const manyRequests = 50_000;
/** An idle machine needs 1 ms for a request, a very busy one 35. */
const mostMsPerRequest = 100;
const maxGrowthBytes = 64 * 1024 * 1024;

async function readDocument(name: string): Promise<ApiDocument> {
  return JSON.parse(await readFile(new URL(`../../../../openapi/${name}.json`, import.meta.url), 'utf8'));
}
const [document, internal] = [await readDocument('vigil'), await readDocument('internal')];
Object.assign(document.paths, internal.paths);
Object.assign(document.components.schemas, internal.components.schemas);
// A stream of events does not end.
delete document.paths['/v1/watch'];

/** Tokens are named after the role that they give. */
const identity: IdentityPort = {
  token: async () => 'own',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async () => null,
  projects: async () => [],
  revoke: async () => undefined,
  validate: async (token) => {
    if (!['admin', 'member', 'reader', 'service'].includes(token)) return null;
    const user = { userId: token, userName: token, projectId: 'p', projectName: 'p', domainId: null };
    return { ...user, roles: [token], expiresAt: '2999-01-01T00:00:00Z' };
  },
};

/** An API with rows, and values for requests that exist in it. */
async function openFuzzedApi() {
  const api = await useTestApi({
    bus: createFakeEngine(),
    authMode: 'keystone',
    identity,
    maxLimit: 20,
    corsOrigins: ['http://dashboard'],
  });
  const seed = await seedCatalogue(api.store);
  const plans = await Promise.all([1, 2, 3, 4, 5, 6].map(() => seedPlan(api.store, seed, { actions: 3 })));
  await api.send('POST', '/v1/audit_templates', { name: 't', goal: 'dummy', strategy: 'dummy' }, admin);
  await api.send('POST', '/v1/audits', { name: 'event', audit_type: 'EVENT', goal: 'dummy' }, admin);
  const alertToken: string = (await api.send('POST', '/v1/audits/event/alert_token', {}, admin)).json().token;
  await api.send('POST', '/v1/notification_targets', { name: 'chat', url: 'https://chat.example/' }, admin);
  const test = await api.send('POST', '/v1/notification_targets/chat/test', {}, admin);
  await api.store.db.services.beat('watcher-applier', 'host');
  const audits = plans.map(({ audit }) => audit.uuid);
  const uuids = plans.map(({ plan }) => plan.uuid);
  for (const { plan } of plans.slice(3)) await api.store.db.actionPlans.wantApproval(plan.uuid, 'rule all: every plan');
  const actions = plans.flatMap((plan) => plan.actions.map(({ uuid }) => uuid));
  const known = {
    headers: {
      'x-vigil-internal-version': readBuildVersion(),
      'x-auth-token': 'admin',
      authorization: `Bearer ${alertToken}`,
    },
    idents: {
      name: ['t', 'event', 'chat', undefined],
      url: ['https://chat.example/hook', 'https://127.0.0.1/', 'http://chat.example/'],
      format: ['json', 'slack'],
      kinds: [['plan.failed'], null],
      secret: [newSigningSecret(), null],
      bearer_token: ['word', null],
      target: ['chat'],
      description: ['text', null],
      goal: ['dummy', 'other', seed.dummyGoal.uuid],
      strategy: ['dummy', 'zone', 'free', null],
      strategies: [['dummy'], [{ strategy: 'free', parameters: {} }]],
      parameters: [{}, { para1: 3 }, { fake1: 1 }, null],
      interval: ['60', '*/5 * * * *', null],
      audit_type: ['ONESHOT', 'CONTINUOUS', 'EVENT'],
      audit_uuid: audits,
      action_plan_uuid: uuids,
      limit: [1, 5, 20],
      labels: [{ host: 'instance' }, { zone: 'zone', aggregate: 'group' }],
      groupKey: ['{}:{}', '{}:{alertname="Hot"}'],
      path: [
        '/state',
        '/name',
        '/interval',
        '/goal',
        '/parameters/para1',
        '/scope',
        '/start_time',
        '/status_message',
        '/parameters/__proto__/polluted',
        '/scope/constructor',
      ],
      comment: ['seen', 'x'.repeat(1001), '', null],
      text: ['checked with storage', 'two\nlines', 'x'.repeat(2001), '', '\u0007', null],
      force_stale: [true, false],
      approval: ['wanted', 'given', 'wnated'],
      value: ['CANCELLED', 'SKIPPED', 'PENDING', 'dummy', '60', 'x', null, true, 1],
    },
    byCollection: {
      goals: ['dummy', seed.otherGoal.uuid, '1'],
      strategies: ['dummy', 'ZONE', '1'],
      audit_templates: ['t'],
      audits: [...audits, 'event'],
      action_plans: uuids,
      actions,
      services: ['1', 'watcher-applier'],
      notification_targets: ['chat'],
      notification_deliveries: [test.json().uuid],
      webhooks: ['event', ...audits],
    },
  };
  return { api, known };
}

/** For `npm run fuzz -- --json`. */
async function report(summary: object): Promise<void> {
  const path = process.env.VIGIL_FUZZ_REPORT;
  if (path) await writeFile(path, JSON.stringify(summary));
}

/** Bytes in use after a collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/**
 * Describes a test that sends `requests` generated requests and validates each response. VIGIL_FUZZ_SEED sets the seed
 * (default 1), and VIGIL_FUZZ_REPORT names a file for the result.
 */
export async function describeFuzz(requests: number): Promise<void> {
  const { api, known } = await openFuzzedApi();
  it(
    `the API responds to ${requests} requests of every kind as documented`,
    async () => {
      const chooser = createChooser(createRandom(seedNumber));
      const judge = createJudge(document);
      const wrong: string[] = [];
      const statuses = new Map<number, number>();
      let left = requests;
      async function run(): Promise<void> {
        while (left > 0 && wrong.length < 20) {
          left -= 1;
          const request = makeRequest(chooser, document, known);
          const response = await api.app.inject(request);
          statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
          const fault = judge(request, response);
          if (fault) wrong.push(`${fault}\n${JSON.stringify(request).slice(0, 600)}\n${response.body.slice(0, 400)}`);
        }
      }
      const runners = (count: number) => Promise.all(Array.from({ length: count }, run));
      // The first part fills caches. Memory must not grow afterwards with the number of requests.
      left = Math.ceil(requests / 4);
      await runners(concurrency);
      const before = heapInUse();
      left = requests - Math.ceil(requests / 4);
      await runners(concurrency);
      const after = heapInUse();
      await report({
        seed: seedNumber,
        requests,
        answers: Object.fromEntries(statuses),
        wrong,
        heapBytes: { before, after },
      });
      expect(wrong).toEqual([]);
      expect(after - before).toBeLessThan(requests < manyRequests ? maxGrowthBytes : before / 10);
      const due = requests < enoughForAll ? [] : [200, 201, 202, 204, 400, 401, 403, 404, 405, 406, 409, 415];
      for (const status of due) {
        expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
      }
      // The process is intact: prototypes are unchanged, and the next request is served.
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect((await api.get('/v1/audits', admin)).statusCode).toBe(200);
    },
    requests * mostMsPerRequest,
  );
}
