import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { IdentityPort } from '#libs/openstack';
import { readBuildVersion } from '#libs/service-kit';
import { defaultRules } from './auth/default-rules.ts';
import { createPolicy } from './auth/policy.ts';
import { anonymousCaller } from './http/request/request-context.ts';
import { mayUse, routesOfRule, rulesOfRoute } from './route-rules.ts';
import { createFakeEngine } from './testing/fake-engine.ts';
import { seedCatalogue, seedPlan, useTestApi } from './testing/test-api.ts';

interface Operation {
  requestBody?: object;
}
const documents = ['vigil', 'internal'].map(
  (name) =>
    JSON.parse(readFileSync(`openapi/${name}.json`, 'utf8')) as { paths: Record<string, Record<string, Operation>> },
);
const routes = documents.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  ),
);

/** Rules that are allowed at the moment. Null: as by default. */
let allowed: Set<string> | null = null;
const defaults = createPolicy();
const idents: Record<string, () => Promise<string>> = {};
/**
 * Rows by collection, made when a route first names one: most requests are refused, and one row does for all of them.
 */
const unchanged = new Map<string, string>();

const identity: IdentityPort = {
  token: async () => 'own',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async () => null,
  projects: async () => [],
  revoke: async () => undefined,
  validate: async (token) => {
    const user = { userId: token, userName: token, projectId: 'p', projectName: 'p', domainId: null };
    return { ...user, roles: token === 'none' ? [] : [token], expiresAt: '2999-01-01T00:00:00Z' };
  },
};

const api = await useTestApi({
  bus: createFakeEngine(),
  authMode: 'keystone',
  identity,
  policy: { allows: (rule, caller) => (allowed ? allowed.has(rule) : defaults.allows(rule, caller)) },
});
const seed = await seedCatalogue(api.store);
const ofPlan = (pick: (plan: Awaited<ReturnType<typeof seedPlan>>) => string | undefined) => async () =>
  pick(await seedPlan(api.store, seed)) ?? '';
const always = (text: string) => async () => text;
idents.goals = always('dummy');
idents.strategies = always('dummy');
idents.audits = ofPlan(({ audit }) => audit.uuid);
idents.webhooks = always('event');
idents.action_plans = ofPlan(({ plan }) => plan.uuid);
idents.actions = ofPlan(({ actions }) => actions[0]?.uuid);
idents.audit_templates = async () => {
  const name = `t${Math.random()}`;
  await api.store.db.auditTemplates.insert({ uuid: crypto.randomUUID(), name, goalId: seed.dummyGoal.id });
  return name;
};
const target = async () => {
  const [uuid, name] = [crypto.randomUUID(), `n${Math.random()}`];
  const fields = { uuid, name, source: 'api', shownUrl: '', format: 'json', kinds: null, enabled: true } as const;
  await api.store.db.notificationTargets.insert(fields, { url: 'https://a.example', secret: '', bearerToken: null });
  return name;
};
idents.notification_targets = target;
idents.notification_deliveries = async () => {
  const made = await api.store.db.notificationTargets.find(await target());
  const event = { kind: 'target.test', subject: 'n', key: crypto.randomUUID(), data: {} } as const;
  return (await api.store.db.notificationEvents.announceTo(made?.id ?? 0, event)) ?? '';
};
await api.store.db.services.beat('watcher-applier', 'host');
idents.services = always('1');
const url = await api.listen();

/** Bodies that pass all checks before the policy. */
const bodies: Record<string, unknown> = {
  'POST /v1/audits': { audit_type: 'ONESHOT', goal: 'dummy' },
  'POST /v1/audit_templates': { name: 'made', goal: 'dummy' },
  'POST /v1/notification_targets': { name: 'made', url: 'https://a.example' },
  'POST /v1/audits/preview': { goal: 'dummy' },
  'POST /v1/what_if': { question: 'remove', names: ['h1'] },
  'POST /v1/audits/compare': { goal: 'dummy', strategies: ['dummy'] },
  'POST /v1/action_plans/{ident}/comments': { text: 'seen' },
  'PATCH /v1/action_plans/{ident}': [{ op: 'replace', path: '/state', value: 'PENDING' }],
  'PATCH /v1/audits/{ident}/automation': { level: 3 },
  'PATCH /v1/actions/{ident}': [{ op: 'replace', path: '/state', value: 'SKIPPED' }],
  'PATCH /v1/audits/{ident}': [{ op: 'replace', path: '/name', value: 'other' }],
  'PATCH /v1/audit_templates/{ident}': [{ op: 'replace', path: '/description', value: 'x' }],
};

async function identOf(collection: string): Promise<string> {
  const ident = unchanged.get(collection) ?? (await idents[collection]?.()) ?? '1';
  unchanged.set(collection, ident);
  return ident;
}

/**
 * Sends the request as the role that the token names, or as an unknown caller. Returns the status and the rule that
 * denies.
 */
async function request(route: string, token: string | null): Promise<{ status: number; rule: string | null }> {
  const [method = '', path = ''] = route.split(' ');
  const collection = path.split('/')[2] ?? '';
  const ident = path.includes('{') ? await identOf(collection) : '';
  const body = bodies[route] ?? {};
  const leaving = new AbortController();
  const response = await fetch(url + path.replaceAll(/\{\w+\}/g, ident), {
    method,
    signal: leaving.signal,
    headers: {
      ...(token === null ? {} : { 'x-auth-token': token }),
      'openstack-api-version': 'infra-optim 1.7',
      'x-vigil-internal-version': readBuildVersion(),
      ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  });
  // A stream of events does not end.
  const text = response.status === 200 ? '' : await response.text();
  leaving.abort();
  // A request that was not refused may have changed the row.
  if (method !== 'GET' && ![401, 403].includes(response.status)) unchanged.delete(collection);
  return { status: response.status, rule: /Policy doesn't allow (\S+) to be performed/.exec(text)?.[1] ?? null };
}

const described = routes.map((route) => [route, rulesOfRoute(route)] as const);

it.each(described)('%s requires %j', async (route, rules) => {
  expect(rules).toBeDefined();
  allowed = new Set();
  for (let response = await request(route, 'any'); response.rule !== null; response = await request(route, 'any')) {
    expect(allowed).not.toContain(response.rule);
    allowed.add(response.rule);
  }
  // Without a followable kind no rule is named.
  expect(typeof rules === 'string' ? [] : [...(rules ?? [])]).toEqual([...allowed]);
});

it('the default policy gives every role the permissions of the table', async () => {
  allowed = null;
  const policy = createPolicy();
  for (const [route, rules = []] of described) {
    for (const role of [null, 'none', 'reader', 'member', 'service', 'admin', 'Administrator']) {
      const { status } = await request(route, role);
      const caller = role === null ? null : { ...anonymousCaller, roles: [role] };
      const refusal = role === null || rules === 'alert token' ? 401 : 403;
      if (mayUse(policy, rules, caller)) expect([401, 403, 500], `${route} ${role}`).not.toContain(status);
      else expect(status, `${route} ${role}`).toBe(refusal);
    }
  }
});

it('some route requires every rule, except for rules that others are composed of', () => {
  const unused = Object.keys(defaultRules).filter((rule) => routesOfRule(rule).length === 0);
  expect(unused).toEqual(['admin_api', 'admin_or_service_api', 'show_password']);
});
