import { expect, it } from 'vitest';
import { untilLockWait } from '#tests';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../testing/test-api.ts';

const api = await useTestApi();
const other = api.sql;
const seed = await seedCatalogue(api.store);

/** Returns the result of `request` when another writer changes the row between its read and its update. */
async function losing<Result>(change: string, uuid: string, request: () => Promise<Result>): Promise<Result> {
  await other.query('BEGIN');
  await other.query(change, [uuid]);
  const response = request();
  await untilLockWait(other);
  await other.query('COMMIT');
  return response;
}

const cancel = [{ op: 'replace', path: '/state', value: 'CANCELLED' }];
const shownCancel = "Couldn't apply patch '[{'path': '/state', 'op': 'replace', 'value': 'CANCELLED'}]'";

it.each([
  ['POST', '/start', undefined, "Couldn't start when state is 'ONGOING'."],
  ['POST', '/abort', undefined, "Couldn't abort when state is 'ONGOING'."],
  ['PATCH', '', cancel, `${shownCancel}. Reason: State transition not allowed: (ONGOING -> CANCELLED)`],
  ['DELETE', '', undefined, "Couldn't delete when state is 'ONGOING'."],
] as const)('%s of a plan%s that another request changed first: 409 with the current state', async (...one) => {
  const [method, path, body, text] = one;
  const { plan } = await seedPlan(api.store, seed);
  const change = `UPDATE action_plans SET state = 'ONGOING' WHERE uuid = $1`;
  const request = () => api.send(method, `/v1/action_plans/${plan.uuid}${path}`, body, at(7));
  expect(fault(await losing(change, plan.uuid, request))).toEqual({ status: 409, text });
  expect((await api.store.db.actions.listByPlan(plan.uuid)).map(({ state }) => state)).toEqual(['PENDING', 'PENDING']);
});

it('DELETE of an audit that another request changed first: 409 with the current state', async () => {
  const { audit } = await seedPlan(api.store, seed);
  await other.query(`UPDATE audits SET state = 'SUSPENDED' WHERE uuid = $1`, [audit.uuid]);
  const change = `UPDATE audits SET state = 'ONGOING' WHERE uuid = $1`;
  const request = () => api.send('DELETE', `/v1/audits/${audit.uuid}`, undefined, at(7));
  const text = "Couldn't delete when state is 'ONGOING'.";
  expect(fault(await losing(change, audit.uuid, request))).toEqual({ status: 409, text });
});

it('CW-1: a plan whose launch message cannot be written is not started', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const start = () => api.send('POST', `/v1/action_plans/${plan.uuid}/start`);
  await other.query(`
    CREATE FUNCTION refuse_message() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
    CREATE TRIGGER refuse_message BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse_message()`);
  expect((await start()).statusCode).toBe(500);
  expect((await api.store.db.actionPlans.get(plan.uuid)).state).toBe('RECOMMENDED');
  await other.query('DROP TRIGGER refuse_message ON outbox');
  expect((await start()).statusCode).toBe(200);
});
