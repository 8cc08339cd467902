import { describe, expect, it } from 'vitest';
import { at, fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

let counter = 0;

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

const newName = () => `template ${++counter}`;
async function create(body: object = {}, minor = 7): Promise<{ uuid: string; name: string }> {
  const response = await api.send(
    'POST',
    '/v1/audit_templates',
    { name: newName(), goal: 'dummy', ...body },
    at(minor),
  );
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}
const patch = (ident: string, operations: unknown, minor = 7) =>
  api.send('PATCH', `/v1/audit_templates/${ident}`, operations, at(minor));

const listKeys = ['goal_name', 'goal_uuid', 'links', 'name', 'scope', 'strategy_name', 'strategy_uuid', 'uuid'];
const fullKeys = [...listKeys, 'created_at', 'deleted_at', 'description', 'updated_at'].sort();

describe('creating', () => {
  it('returns 201, Location and the object', async () => {
    const response = await api.send('POST', '/v1/audit_templates', {
      name: newName(),
      goal: seed.dummyGoal.uuid,
      strategy: null,
      description: '',
      scope: [],
    });
    expect(response.statusCode).toBe(201);
    const body = response.json();
    expect(response.headers.location).toBe(`http://localhost:80/v1/audit_templates/${body.uuid}`);
    expect(Object.keys(body).sort()).toEqual(fullKeys);
    expect(body).toMatchObject({ goal_name: 'dummy', strategy_uuid: null, updated_at: null, deleted_at: null });
    expect((await api.get(`/v1/audit_templates/${encodeURIComponent(body.name)}`)).json()).toEqual(body);
  });

  it.each([
    [{ goal: 'dummy' }, "Invalid input for field/attribute name. Value: 'None'. Mandatory field missing."],
    [{ name: 'n' }, "Invalid input for field/attribute goal. Value: 'None'. Mandatory field missing."],
    [
      { name: 1, goal: 'dummy' },
      "Invalid input for field/attribute name. Value: '1'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      { name: 'n', goal: 'nope' },
      "Invalid input for field/attribute audit_template_postdata. Value: '{'name': 'n', 'goal': 'nope'}'. Goal nope is invalid",
    ],
    [{ name: 'n', goal: 'dummy', uuid: 'x' }, 'Unknown attribute for argument audit_template_postdata: uuid'],
    [
      { name: 'n', goal: 'dummy', default_parameters: { para1: 2 } },
      'default_parameters requires a strategy to be specified',
    ],
    [
      { name: 'n', goal: 'dummy', strategy: 'dummy', default_parameters: { nope: 2 } },
      'Audit parameter nope are not allowed',
    ],
  ])('refuses %j', async (body, text) => {
    expect(fault(await api.send('POST', '/v1/audit_templates', body, at(7)))).toEqual({ status: 400, text });
  });

  it('refuses the strategy of another goal and names the choices', async () => {
    const response = await api.send('POST', '/v1/audit_templates', { name: 'n', goal: 'dummy', strategy: 'zone' });
    expect(fault(response).status).toBe(400);
    expect(fault(response).text).toContain(
      `'zone' strategy does not relate to the 'dummy' goal. Possible choices: '${seed.dummy.uuid}' (dummy), '${seed.free.uuid}' (free)`,
    );
  });

  it('refuses a name that is taken', async () => {
    const { name } = await create();
    const response = await api.send('POST', '/v1/audit_templates', { name, goal: 'dummy' });
    expect(fault(response)).toEqual({
      status: 409,
      text: `An audit_template with UUID or name ${name} already exists`,
    });
  });

  it('gates default_parameters at 1.7', async () => {
    const body = { name: newName(), goal: 'dummy', strategy: 'dummy', default_parameters: { para1: 2 } };
    const refused = await api.send('POST', '/v1/audit_templates', body, at(6));
    expect(fault(refused)).toEqual({ status: 406, text: 'Request not acceptable.' });
    const created = await api.send('POST', '/v1/audit_templates', body, at(7));
    expect(created.json().default_parameters).toEqual({ para1: 2 });
    const uuid = created.json().uuid;
    expect((await api.get(`/v1/audit_templates/${uuid}`, at(6))).json()).not.toHaveProperty('default_parameters');
    const list = await api.get('/v1/audit_templates', at(7));
    expect(Object.keys(list.json().audit_templates[0]).sort()).toEqual(listKeys);
    const detail = await api.get('/v1/audit_templates/detail', at(7));
    expect(Object.keys(detail.json().audit_templates[0]).sort()).toEqual([...fullKeys, 'default_parameters'].sort());
  });
});

describe('scope', () => {
  it('wraps the old form', async () => {
    const template = await create({ scope: [{ host_aggregates: [{ id: '*' }] }] });
    expect(template).toMatchObject({ scope: [{ compute: [{ host_aggregates: [{ id: '*' }] }] }] });
  });
  it('accepts storage alone', async () => {
    expect(await create({ scope: [{ storage: [{ volume_types: [{ name: 'ssd' }] }] }] })).toBeDefined();
  });
  it('returns 500 for a violation, as clients expect', async () => {
    const scope = [{ compute: [{ host_aggregates: [{ id1: '*' }] }] }];
    const response = await api.send('POST', '/v1/audit_templates', { name: newName(), goal: 'dummy', scope });
    expect(response.statusCode).toBe(500);
  });
  it('refuses aggregates that are included and excluded', async () => {
    const rule = [{ id: 1 }];
    const scope = [{ compute: [{ host_aggregates: rule }, { exclude: [{ host_aggregates: rule }] }] }];
    const response = await api.send('POST', '/v1/audit_templates', { name: newName(), goal: 'dummy', scope });
    expect(fault(response).status).toBe(400);
    expect(fault(response).text).toContain('be included and excluded together');
  });
});

describe('changing', () => {
  it('replaces name, description, goal and strategy in one request', async () => {
    const { uuid } = await create();
    const name = newName();
    const response = await patch(uuid, [
      { op: 'replace', path: '/name', value: name },
      { op: 'add', path: '/description', value: 'd' },
      { op: 'replace', path: '/goal', value: 'other' },
      { op: 'replace', path: '/strategy', value: seed.zone.uuid },
    ]);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ name, description: 'd', goal_name: 'other', strategy_name: 'zone' });
    expect(response.json().updated_at).not.toBeNull();
  });

  it('removes description and strategy', async () => {
    const { uuid } = await create({ description: 'd', strategy: 'dummy' });
    const response = await patch(uuid, [
      { op: 'remove', path: '/description' },
      { op: 'remove', path: '/strategy' },
    ]);
    expect(response.json()).toMatchObject({ description: null, strategy_uuid: null });
  });

  it.each([
    [[{ op: 'remove', path: '/goal' }], "Cannot remove 'goal' attribute from an audit template"],
    [[{ op: 'remove', path: '/name' }], "'/name' is a mandatory attribute and can not be removed"],
    [[{ op: 'replace', path: '/uuid', value: 'x' }], "'/uuid' is an internal attribute and can not be updated"],
    [
      [{ op: 'add', path: '/foo', value: 'x' }],
      'Adding a new attribute (/foo) to the root of  the resource is not allowed',
    ],
    [
      [{ op: 'replace', path: '/foo', value: 'x' }],
      "Couldn't apply patch '[{'path': '/foo', 'op': 'replace', 'value': 'x'}]'. Reason: can't replace a non-existent object 'foo'",
    ],
    [
      [{ op: 'replace', path: '/name/x', value: 'x' }],
      "Couldn't apply patch '[{'path': '/name/x', 'op': 'replace', 'value': 'x'}]'. Reason: 'x' is not a valid sequence index",
    ],
    [[{ op: 'replace', path: '/name' }], "'add' and 'replace' operations needs value"],
    [
      [{ op: 'test', path: '/name', value: 1 }],
      "Invalid input for field/attribute op. Value: 'test'. Value should be one of: add, replace, remove",
    ],
    [
      [{ op: 'add', path: 'name', value: 1 }],
      "Invalid input for field/attribute path. Value: 'name'. Value should match the pattern ^(/[\\w-]+)+$",
    ],
    [[{ op: 'add', path: '/name', value: 'x', from: '/y' }], 'Unknown attribute for argument patch: from'],
    [{}, "Invalid input for field/attribute patch. Value: '{}'. Value not a valid list: {}"],
    [['x'], `Invalid input for field/attribute patch. Value: 'x'. Value not a valid dict: x`],
    [
      [{ op: 'replace', path: '/goal', value: 'nope' }],
      "Invalid input for field/attribute patch. Value: '[{'op': 'replace', 'path': '/goal', 'value': 'nope'}]'. Goal nope is invalid",
    ],
  ])('refuses %j', async (operations, text) => {
    const { uuid } = await create();
    expect(fault(await patch(uuid, operations))).toEqual({ status: 400, text });
  });

  it('wants new default parameters with a new goal or strategy', async () => {
    const { uuid } = await create({ strategy: 'dummy', default_parameters: { para1: 2 } });
    const alone = await patch(uuid, [{ op: 'replace', path: '/strategy', value: 'dummy' }]);
    expect(fault(alone)).toEqual({
      status: 409,
      text: 'Updating goal or strategy on a template that has default_parameters requires providing updated default_parameters in the same request',
    });
    const together = await patch(uuid, [
      { op: 'remove', path: '/strategy' },
      { op: 'replace', path: '/default_parameters', value: null },
    ]);
    expect(together.json()).toMatchObject({ strategy_uuid: null, default_parameters: {} });
    const gated = await patch(uuid, [{ op: 'add', path: '/default_parameters/para1', value: 2 }], 6);
    expect(gated.statusCode).toBe(406);
  });

  it('returns 409 for a name in use, 404 for an unknown template', async () => {
    const { name } = await create();
    const { uuid } = await create();
    expect((await patch(uuid, [{ op: 'replace', path: '/name', value: name }])).statusCode).toBe(409);
    expect(fault(await patch('nope', []))).toEqual({ status: 404, text: 'AuditTemplate nope could not be found' });
    expect((await patch(uuid, [])).statusCode).toBe(200);
  });
});

describe('deleting', () => {
  it('hides the template, frees its name and shows it on request', async () => {
    const { uuid, name } = await create();
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await api.send('DELETE', `/v1/audit_templates/${encodeURIComponent(name)}`, undefined, headers);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await api.get(`/v1/audit_templates/${uuid}`)).statusCode).toBe(404);
    const shown = await api.get(`/v1/audit_templates/${uuid}`, { 'X-Show-Deleted': 'True' });
    expect(shown.json().deleted_at).not.toBeNull();
    await create({ name });
  });
});
