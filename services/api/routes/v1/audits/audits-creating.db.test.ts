import { describe, expect, it } from 'vitest';
import { newUuid } from '#libs/service-kit';
import { at, fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);

const post = (body: object, minor = 7) => api.send('POST', '/v1/audits', body, at(minor));
const oneshot = { audit_type: 'ONESHOT', goal: 'dummy', strategy: 'dummy' };
const continuous = { audit_type: 'CONTINUOUS', goal: 'dummy', strategy: 'dummy', interval: '7200' };

async function outboxMessages(): Promise<{ type: string; body: Record<string, unknown>; requestId?: string | null }[]> {
  const rows: { type: string; body: Record<string, unknown>; requestId?: string | null }[] = [];
  await api.store.outboxQueue.drain(1000, async (taken) => {
    rows.push(...taken);
    return taken.map(() => true);
  });
  return rows;
}

const listKeys = [
  'audit_type',
  'auto_trigger',
  'force',
  'goal_name',
  'goal_uuid',
  'interval',
  'links',
  'name',
  'next_run_time',
  'scope',
  'state',
  'strategy_name',
  'strategy_uuid',
  'uuid',
];
const fullKeys = [...listKeys, 'created_at', 'deleted_at', 'hostname', 'parameters', 'updated_at'];
describe('creating', () => {
  it('leaves the defaults to the strategy when parameters are given as null', async () => {
    const response = await post({ ...oneshot, parameters: null });
    expect([response.statusCode, response.json().parameters]).toEqual([201, {}]);
    const other = { audit_type: 'ONESHOT', goal: 'other', strategy: 'zone', parameters: null };
    expect(fault(await post(other)).text).toMatch(/^Invalid parameters for strategy: None is not of type 'object'/);
  });

  it('makes names that differ for requests of the same moment', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => post(oneshot)));
    expect(responses.map((response) => response.statusCode)).toEqual([201, 201, 201, 201]);
  });

  it('stores the audit with its defaults and has it run, in one transaction', async () => {
    await outboxMessages();
    const response = await post({ ...oneshot, interval: null, audit_template_uuid: null });
    expect(response.statusCode, response.body).toBe(201);
    const body = response.json();
    expect(response.headers.location).toBe(`http://localhost:80/v1/audits/${body.uuid}`);
    expect(body).toMatchObject({
      state: 'PENDING',
      parameters: { para1: 3.2, para2: 'hello' },
      interval: null,
      scope: [],
      force: false,
      auto_trigger: false,
      goal_name: 'dummy',
      strategy_name: 'dummy',
      status_message: null,
      start_time: null,
    });
    expect(body.name).toMatch(/^dummy-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect((await api.get(`/v1/audits/${body.uuid}`, at(7))).json()).toEqual(body);
    expect((await api.get(`/v1/audits/${body.name}`, at(7))).json()).toEqual(body);
    const messages = await outboxMessages();
    expect(messages).toMatchObject([
      {
        type: 'audit.trigger',
        body: { schema: 'audit.trigger/1', audit_uuid: body.uuid, reason: 'created' },
        requestId: response.headers['x-openstack-request-id'],
      },
    ]);
  });

  it.each([
    { ...continuous },
    { audit_type: 'EVENT', goal: 'dummy', interval: '5', start_time: '2030-01-01T00:00:00' },
  ])('sends no message for %j', async (body) => {
    await outboxMessages();
    expect((await post(body)).statusCode).toBe(201);
    expect(await outboxMessages()).toEqual([]);
  });

  it.each([
    [{ audit_type: 'BAD', goal: 'dummy' }, 400, 'Audit type BAD could not be found'],
    [{ goal: 'dummy' }, 400, "Invalid input for field/attribute audit_type. Value: 'None'. Mandatory field missing."],
    [{ goal: 'dummy', audit_type: null }, 400, 'Audit type None could not be found'],
    [{ audit_type: 'ONESHOT' }, 400, 'A valid goal or audit_template_id must be provided'],
    [{ ...oneshot, audit_template_uuid: newUuid() }, 400, 'Either audit_template_uuid or goal should be provided.'],
    [{ ...oneshot, interval: '5' }, 400, 'Interval of audit must not be set for ONESHOT.'],
    [{ ...continuous, interval: undefined }, 400, 'Interval of audit must be specified for CONTINUOUS.'],
    [{ ...oneshot, start_time: '2030-01-01' }, 400, 'Start or End time of audit must not be set for ONESHOT.'],
    [
      { audit_type: 'ONESHOT', audit_template_uuid: newUuid() },
      400,
      'The audit template UUID or name specified is invalid',
    ],
    [
      { audit_type: 'ONESHOT', audit_template_uuid: 'INVALID' },
      400,
      "Invalid input for field/attribute audit_p. Value: '{'audit_type': 'ONESHOT', 'audit_template_uuid': 'INVALID'}'. Expected a uuid but received INVALID",
    ],
    [{ ...oneshot, goal: 'nope', strategy: null }, 404, 'Goal nope could not be found'],
    [{ ...oneshot, name: 'given', strategy: 'nope' }, 404, 'Strategy nope could not be found'],
    [
      { ...continuous, interval: 600 },
      400,
      "Invalid input for field/attribute interval. Value: '600'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [{ ...oneshot, interval: 600 }, 400, 'Interval of audit must not be set for ONESHOT.'],
    [{ ...continuous, interval: '99 * * * *' }, 500, '[99 * * * *] is not acceptable, out of range'],
    [{ ...continuous, interval: 'a b c d e' }, 500, '[a b c d e] is not acceptable'],
    [{ ...continuous, interval: '@never' }, 500, 'Exactly 5 or 6 columns has to be specified for iterator expression.'],
    [
      { audit_type: 'EVENT', goal: 'dummy', interval: 'zxc' },
      500,
      'Exactly 5 or 6 columns has to be specified for iterator expression.',
    ],
    [
      { audit_type: 'EVENT', goal: 'dummy', end_time: '2030-02-30' },
      400,
      "Invalid input for field/attribute audit_p. Value: '{'audit_type': 'EVENT', 'goal': 'dummy', 'end_time': '2030-02-30'}'. Unknown string format: 2030-02-30",
    ],
    [{ ...continuous, interval: '0' }, 400, 'Expected an interval or cron syntax but received 0'],
    [
      { ...oneshot, parameters: { para1: 'text' } },
      400,
      "Invalid parameters for strategy: 'text' is not of type 'number'\n\nFailed validating 'type' in schema['properties']['para1']:\n    {'default': 3.2, 'description': 'number parameter example', 'maximum': 10.2, 'minimum': 1, 'type': 'number'}\n\nOn instance['para1']:\n    'text'",
    ],
    [{ ...oneshot, parameters: { fake2: 1 } }, 400, 'Audit parameter fake2 are not allowed'],
    [
      { audit_type: 'ONESHOT', goal: 'dummy', parameters: { a: 1 } },
      400,
      'Specify parameters but no predefined strategy for audit, or no parameter spec in predefined strategy',
    ],
    [
      { ...oneshot, strategy: 'free', parameters: { a: 1 } },
      400,
      'Specify parameters but no predefined strategy for audit, or no parameter spec in predefined strategy',
    ],
    [
      { ...oneshot, state: 'PENDING' },
      400,
      "Invalid input for field/attribute state. Value: 'PENDING'. Cannot set read only field.",
    ],
    [
      { ...oneshot, scope: [] },
      400,
      "Invalid input for field/attribute scope. Value: '[]'. Cannot set read only field.",
    ],
    [{ ...oneshot, uuid: 'x', hello: 1 }, 400, 'Unknown attributes for argument audit_p: uuid, hello'],
    [
      { ...continuous, start_time: 'soon' },
      400,
      "Invalid input for field/attribute audit_p. Value: '{'audit_type': 'CONTINUOUS', 'goal': 'dummy', 'strategy': 'dummy', 'interval': '7200', 'start_time': 'soon'}'. Unknown string format: soon",
    ],
    [
      { ...continuous, start_time: '2030-01-02T00:00:00Z', end_time: '2030-01-01T00:00:00Z' },
      400,
      'end_time must be later than start_time',
    ],
    [
      { ...oneshot, parameters: [] },
      400,
      "Invalid input for field/attribute audit_p. Value: '{'audit_type': 'ONESHOT', 'goal': 'dummy', 'strategy': 'dummy', 'parameters': []}'. Value not a valid dict: []",
    ],
    [
      { ...oneshot, force: 'maybe' },
      400,
      "Invalid input for field/attribute audit_p. Value: '{'audit_type': 'ONESHOT', 'goal': 'dummy', 'strategy': 'dummy', 'force': 'maybe'}'. Value not an unambiguous boolean: maybe",
    ],
  ])('refuses %j', async (body, status, text) => {
    expect(fault(await post(body))).toEqual({ status, text });
  });

  it('reports schema violations in the words that clients compare', async () => {
    const zone = { audit_type: 'ONESHOT', goal: 'other', strategy: 'zone' };
    const missing = fault(await post({ ...zone, parameters: { pools: [] } }));
    expect(missing.text).toContain("Invalid parameters for strategy: 'fake1' is a required property");
    const pools = [{ src: 'a', dst: 'b', kind: 'c' }];
    for (const pool of [pools, [{ src: 'a' }]]) {
      const { status, text } = fault(await post({ ...zone, parameters: { fake1: 1, pools: pool } }));
      expect(status).toBe(400);
      expect(text).toContain("Failed validating 'oneOf' in schema");
    }
    const none = fault(await post({ ...zone, parameters: { fake1: 1, pools: [{ src: 'a' }] } }));
    expect(none.text).toContain('is not valid under any of the given schemas: A src with either a dst or a kind.');
    const nested = fault(await post({ ...zone, parameters: { fake1: 1, pools: [{ src: 'a', dst: 'b', x: 1 }] } }));
    expect(nested.text).toBe('Audit parameter x are not allowed');
  });

  it('refuses an invalid cron expression with 500, as clients expect, and stores a valid one', async () => {
    const refused = fault(await post({ ...continuous, interval: 'zxc' }));
    expect(refused.status).toBe(500);
    expect(refused.text).toContain('columns has to be specified for iterator expression.');
    for (const interval of ['*/5 * * * *', '@hourly', '0 0 * * * 30', '2']) {
      expect((await post({ ...continuous, interval })).json()).toMatchObject({ interval });
    }
  });

  it('gates times at 1.1 and force at 1.2', async () => {
    const times = { start_time: '2030-01-01T02:00:00+02:00', end_time: '2030-01-02T00:00:00Z' };
    expect(fault(await post({ ...continuous, ...times }, 0))).toEqual({ status: 406, text: 'Request not acceptable.' });
    const created = (await post({ ...continuous, ...times, force: true }, 1)).json();
    expect(created).toMatchObject({ start_time: '2030-01-01T00:00:00', end_time: '2030-01-02T00:00:00', force: false });
    const single = async (minor: number) => (await api.get(`/v1/audits/${created.uuid}`, at(minor))).json();
    expect(Object.keys(await single(0)).sort()).toEqual([...fullKeys].sort());
    expect(Object.keys(await single(1)).sort()).toEqual([...fullKeys, 'end_time', 'start_time'].sort());
    expect(await single(2)).toMatchObject({ force: true });
    expect(await single(4)).not.toHaveProperty('status_message');
    expect(await single(5)).toHaveProperty('status_message', null);
    const list = await api.get('/v1/audits', at(7));
    expect(Object.keys(list.json().audits[0]).sort()).toEqual(listKeys);
  });

  it('reads a time without offset in the local zone', async () => {
    const created = (await post({ ...continuous, start_time: '2030-06-01T10:20:30' })).json();
    expect(created.start_time).toBe(new Date(2030, 5, 1, 10, 20, 30).toISOString().slice(0, 19));
  });

  it('cuts long names and refuses taken ones', async () => {
    const name = 'n'.repeat(80);
    const created = await post({ ...oneshot, name });
    expect(created.json().name).toBe('n'.repeat(63));
    expect(fault(await post({ ...oneshot, name: 'n'.repeat(63) }))).toEqual({
      status: 409,
      text: `An audit with UUID or name ${'n'.repeat(63)} already exists`,
    });
  });

  it('refuses a strategy that does not serve the goal', async () => {
    expect(fault(await post({ ...oneshot, strategy: 'zone' })).text).toContain("does not relate to the 'dummy' goal");
  });

  it('inherits goal, strategy, scope and parameters of a template', async () => {
    const template = await api.send(
      'POST',
      '/v1/audit_templates',
      {
        name: 'parent',
        goal: 'dummy',
        strategy: 'dummy',
        scope: [{ compute: [{ availability_zones: [{ name: 'az1' }] }] }],
        default_parameters: { para1: 5, para2: 'template' },
      },
      at(7),
    );
    const from = { audit_type: 'ONESHOT', audit_template_uuid: template.json().uuid };
    expect((await post({ ...from, parameters: { para2: 'request' } }, 0)).json()).toMatchObject({
      goal_name: 'dummy',
      strategy_name: 'dummy',
      scope: [{ compute: [{ availability_zones: [{ name: 'az1' }] }] }],
      parameters: { para1: 5, para2: 'request' },
    });
    // The parameters of the template were made for its own strategy.
    expect((await post({ ...from, strategy: 'free' })).json()).toMatchObject({ strategy_name: 'free', parameters: {} });
  });
});
