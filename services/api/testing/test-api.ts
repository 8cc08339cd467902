import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Pool } from 'pg';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createMetrics, createReadiness, newUuid, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { atEnd, useStore } from '#tests';
import type { ApiDeps } from '../api-deps.ts';
import { buildApp } from '../app.ts';

/** An API, requested without a socket, and its database. */
export interface TestApi {
  app: FastifyInstance;
  store: Store;
  /** A connection to the database, for statements that no store offers. */
  sql: Pool;
  databaseUrl: string;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  send(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Listens on a free port, for clients that need a socket, and returns the URL. */
  listen(): Promise<string>;
}

/** Header that requests a minor version. */
export const at = (minor: number): Record<string, string> => ({ 'OpenStack-API-Version': `infra-optim 1.${minor}` });

/** The fault text of a refusal, and its status. */
export function fault(response: LightMyRequestResponse): { status: number; text: string } {
  const { error_message: message } = response.json<{ error_message: string }>();
  const inner = JSON.parse(message) as { faultstring?: string; description?: string };
  return { status: response.statusCode, text: inner.faultstring ?? inner.description ?? '' };
}

/**
 * An API without a socket and without authentication, on a separate database. Both end with the scope (see `atEnd` of
 * `#tests`). Call `const api = await useTestApi();` at the top of a file, in a `describe`, in a test or in
 * `beforeEach`.
 * @param overrides dependencies that differ
 * @param databaseUrl of an API that shares its database. Default: a new database
 */
export async function useTestApi(overrides: Partial<ApiDeps> = {}, databaseUrl?: string): Promise<TestApi> {
  const { store, sql, url } = await useStore(databaseUrl === undefined ? {} : { url: databaseUrl });
  const app = await buildApp({
    store,
    identity: null,
    authMode: 'none',
    logger: silentLogger,
    metrics: createMetrics('test'),
    clock: systemClock,
    newUuid,
    readiness: createReadiness(),
    ...overrides,
  });
  atEnd(() => app.close());
  // Without authentication a change needs a header that no form of a web page can send.
  const own: Record<string, string> = overrides.authMode === 'keystone' ? {} : { 'x-vigil-dashboard': '1' };
  return {
    app,
    store,
    sql,
    databaseUrl: url,
    get: (path, headers = {}) => app.inject({ method: 'GET', url: path, headers }),
    send: (method, path, body, headers = {}) =>
      app.inject({
        method,
        url: path,
        headers: { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        payload: body === undefined ? undefined : JSON.stringify(body),
      }),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
  };
}

/** Parameters of the strategy `dummy`, as Watcher ships it. */
export const dummySpec: JsonObject = {
  type: 'object',
  properties: {
    para1: { description: 'number parameter example', type: 'number', default: 3.2, minimum: 1.0, maximum: 10.2 },
    para2: { description: 'string parameter example', type: 'string', default: 'hello' },
  },
};

/** Parameters of a strategy with a required one and a choice. */
export const zoneSpec: JsonObject = {
  type: 'object',
  properties: {
    fake1: { type: 'integer' },
    pools: {
      type: 'array',
      items: {
        description: 'A src with either a dst or a kind.',
        type: 'object',
        properties: { src: { type: 'string' }, dst: { type: 'string' }, kind: { type: 'string' } },
        required: ['src'],
        oneOf: [{ required: ['dst'] }, { required: ['kind'] }],
      },
    },
  },
  required: ['fake1'],
};

/** The rows that `seedCatalogue` writes. */
export interface Seed {
  dummyGoal: { id: number; uuid: string };
  otherGoal: { id: number; uuid: string };
  dummy: { id: number; uuid: string };
  zone: { id: number; uuid: string };
  free: { id: number; uuid: string };
}

/** Writes two goals and three strategies: `dummy` and `free` (no parameters) for `dummy`, `zone` for `other`. */
export async function seedCatalogue({ db }: Store): Promise<Seed> {
  const goal = (name: string) =>
    db.goals.insert({
      uuid: newUuid(),
      name,
      displayName: `${name} goal`,
      efficacySpecification: [{ name: 'indicator', description: 'text', unit: '%', schema: '{"type": "number"}' }],
    });
  const dummyGoal = await goal('dummy');
  const otherGoal = await goal('other');
  const strategy = (name: string, goalId: number, parametersSpec: JsonObject) =>
    db.strategies.insert({ uuid: newUuid(), name, displayName: `${name} strategy`, goalId, parametersSpec });
  return {
    dummyGoal,
    otherGoal,
    dummy: await strategy('dummy', dummyGoal.id, dummySpec),
    zone: await strategy('zone', otherGoal.id, zoneSpec),
    free: await strategy('free', dummyGoal.id, {}),
  };
}

/** Writes a plan with `actions` nop actions in the given state for a new audit. */
export async function seedPlan(store: Store, seed: Seed, options: { actions?: number; actionType?: string } = {}) {
  const { db } = store;
  const audit = await db.audits.insert({
    uuid: newUuid(),
    name: `audit-${newUuid()}`,
    auditType: 'ONESHOT',
    goalId: seed.dummyGoal.id,
    strategyId: seed.dummy.id,
  });
  const plan = await db.actionPlans.insert({
    uuid: newUuid(),
    auditId: audit.id,
    strategyId: seed.dummy.id,
    globalEfficacy: [{ name: 'gain', description: 'all in all', unit: '%', value: 1.5 }],
  });
  await db.efficacyIndicators.insert({
    uuid: newUuid(),
    name: 'indicator',
    description: 'text',
    unit: '%',
    value: 3,
    actionPlanId: plan.id,
  });
  const actions = [];
  for (let index = 0; index < (options.actions ?? 2); index++) {
    const action = await db.actions.insert({
      uuid: newUuid(),
      actionPlanId: plan.id,
      actionType: options.actionType ?? 'nop',
      inputParameters: { message: `m${index}` },
      parents: actions.length > 0 ? [actions.at(-1)?.uuid ?? ''] : [],
      reason: { rule: 'r', summary: 's', values: [], rejected: [] },
    });
    actions.push(action);
  }
  return { audit, plan, actions };
}
