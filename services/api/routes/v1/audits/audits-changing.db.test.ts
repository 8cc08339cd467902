import { describe, expect, it } from 'vitest';
import { type AuditState, auditStates } from '#libs/domain';
import { at, fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';
import { auditEventsTo } from './audit-transitions.ts';

const api = await useTestApi();
await seedCatalogue(api.store);

const post = (body: object, minor = 7) => api.send('POST', '/v1/audits', body, at(minor));
const patch = (ident: string, operations: unknown, minor = 7) =>
  api.send('PATCH', `/v1/audits/${ident}`, operations, at(minor));
const continuous = { audit_type: 'CONTINUOUS', goal: 'dummy', strategy: 'dummy', interval: '7200' };

describe('changing', () => {
  const newAudit = async (body: object = continuous) => (await post(body)).json() as { uuid: string; name: string };

  async function inState(state: AuditState): Promise<string> {
    const { uuid } = await newAudit();
    for (const event of auditEventsTo('PENDING', state, 'add') ?? []) await api.store.db.audits.transition(uuid, event);
    return uuid;
  }

  const allowed = new Set([
    'PENDING ONGOING',
    'PENDING CANCELLED',
    'ONGOING FAILED',
    'ONGOING SUCCEEDED',
    'ONGOING CANCELLED',
    'ONGOING SUSPENDED',
    'FAILED DELETED',
    'SUCCEEDED DELETED',
    'CANCELLED DELETED',
    'SUSPENDED ONGOING',
    'SUSPENDED DELETED',
  ]);
  it.each(auditStates)('allows exactly the moves of the table from %s', async (from) => {
    for (const to of auditStates) {
      const uuid = await inState(from);
      const response = await patch(uuid, [{ op: 'replace', path: '/state', value: to }]);
      const shown = (await api.get(`/v1/audits/${uuid}`)).json();
      if (allowed.has(`${from} ${to}`)) {
        expect(response.statusCode, `${from} ${to}`).toBe(200);
        expect(shown.state).toBe(to);
      } else {
        expect(fault(response).status).toBe(400);
        expect(fault(response).text).toBe(
          `Couldn't apply patch '[{'path': '/state', 'op': 'replace', 'value': '${to}'}]'. Reason: State transition not allowed: (${from} -> ${to})`,
        );
        expect(shown.state).toBe(from);
      }
    }
  });

  it('lets add take another way, as Watcher does', async () => {
    const { uuid } = await newAudit();
    const response = await patch(uuid, [{ op: 'add', path: '/state', value: 'SUCCEEDED' }]);
    expect([response.statusCode, response.json().state]).toEqual([200, 'SUCCEEDED']);
  });

  it('a new interval of a CONTINUOUS audit takes effect immediately, other changes keep its next run', async () => {
    const { uuid } = (await post(continuous)).json();
    const due = new Date('2030-01-01T00:00:00Z');
    await api.store.db.audits.update(uuid, { nextRunTime: due });
    const same = await patch(uuid, [
      { op: 'replace', path: '/interval', value: '7200' },
      { op: 'replace', path: '/auto_trigger', value: true },
    ]);
    expect(same.json().next_run_time).toBe('2030-01-01T00:00:00');
    const other = await patch(uuid, [{ op: 'replace', path: '/interval', value: '60' }]);
    expect(other.json()).toMatchObject({ interval: '60', next_run_time: null });
  });

  it('changes interval, times, parameters and flags', async () => {
    const { uuid } = await newAudit();
    const response = await patch(uuid, [
      { op: 'add', path: '/interval', value: '*/5 * * * *' },
      { op: 'replace', path: '/start_time', value: '2030-01-01T00:00:00Z' },
      { op: 'add', path: '/end_time', value: '2030-01-02T00:00:00Z' },
      { op: 'replace', path: '/parameters/para1', value: 4 },
      { op: 'replace', path: '/auto_trigger', value: true },
      { op: 'replace', path: '/force', value: true },
    ]);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({
      interval: '*/5 * * * *',
      start_time: '2030-01-01T00:00:00',
      end_time: '2030-01-02T00:00:00',
      parameters: { para1: 4, para2: 'hello' },
      auto_trigger: true,
      force: true,
    });
    expect(response.json().updated_at).not.toBeNull();
    const cleared = await patch(uuid, [
      { op: 'remove', path: '/interval' },
      { op: 'remove', path: '/start_time' },
    ]);
    expect(cleared.json()).toMatchObject({ interval: null, start_time: null });
    const unchanged = await patch(uuid, []);
    expect(unchanged.json().updated_at).toBe(cleared.json().updated_at);
  });

  it.each([
    [{ op: 'replace', path: '/interval', value: 600 }, "Wrong type. Expected '<class 'str'>', got '<class 'int'>'"],
    [{ op: 'replace', path: '/audit_type', value: 'X' }, 'Audit type X could not be found'],
    [
      { op: 'replace', path: '/auto_trigger', value: 'true' },
      "Wrong type. Expected '<class 'bool'>', got '<class 'str'>'",
    ],
    [{ op: 'replace', path: '/parameters', value: { nope: 1 } }, 'Audit parameter nope are not allowed'],
    [{ op: 'replace', path: '/end_time', value: 'soon' }, 'Unknown string format: soon'],
    [{ op: 'remove', path: '/state' }, "'/state' is a mandatory attribute and can not be removed"],
    [{ op: 'replace', path: '/state', value: null }, "/state can't be updated."],
    [{ op: 'replace', path: '/type', value: 'x' }, "/type can't be updated."],
    [{ op: 'remove', path: '/audit_template_uuid' }, "/audit_template_uuid can't be updated."],
    [
      { op: 'replace', path: '/status_message', value: 'x' },
      "'/status_message' is an internal attribute and can not be updated",
    ],
    [{ op: 'replace', path: '/goal_uuid', value: 'x' }, "can't replace a non-existent object 'goal_uuid'"],
  ])('refuses %j', async (operation, text) => {
    const { uuid } = await newAudit();
    const refused = fault(await patch(uuid, [operation]));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(text);
  });

  it('returns 409 for a name in use', async () => {
    const { name } = await newAudit();
    const { uuid } = await newAudit();
    expect(fault(await patch(uuid, [{ op: 'replace', path: '/name', value: name }]))).toEqual({
      status: 409,
      text: `An audit with UUID or name ${name} already exists`,
    });
  });
});
