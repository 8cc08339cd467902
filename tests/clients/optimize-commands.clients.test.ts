import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClientStack, type Printed, startClientStack } from './client-stack.ts';

/** Every `openstack optimize` command of Debian's unchanged client, with its options, against the running stack. */
// Each command is a Python process, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let cloud: ClientStack;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-clients-'));
  cloud = await startClientStack(['--generate', 'hosts=4,instances=12,seed=7', '--speed', '200']);
}, 240_000);
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true });
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);
const text = (row: Printed | undefined, label: string): string => String(row?.[label]);

/** Shows an object repeatedly until `label` has the value. */
async function until(value: string, label: string, ...args: string[]): Promise<Printed> {
  let shown: Printed = {};
  await expect
    .poll(
      async () => {
        shown = await cloud.show(...args);
        return shown[label];
      },
      { interval: 200 },
    )
    .toBe(value);
  return shown;
}

async function newAudit(...options: string[]): Promise<Printed> {
  return cloud.show('audit', 'create', '-g', 'dummy', '-s', 'dummy', ...options);
}

/** A RECOMMENDED plan of an audit with the strategy `dummy`. */
async function newPlan(): Promise<string> {
  const audit = text(await newAudit(), 'UUID');
  await until('SUCCEEDED', 'State', 'audit', 'show', audit);
  const [plan] = await cloud.list('actionplan', 'list', '--audit', audit);
  return text(plan, 'UUID');
}

describe('goals', () => {
  it('list, by pages, sorted and in detail', async () => {
    const goals = await cloud.list('goal', 'list');
    expect(goals).toContainEqual({ UUID: uuid, Name: 'server_consolidation', 'Display name': 'Server Consolidation' });
    const names = goals.map(({ Name }) => Name);
    const sorted = await cloud.list('goal', 'list', '--sort-key', 'name', '--sort-dir', 'desc', '--limit', '3');
    expect(sorted.map(({ Name }) => Name)).toEqual([...names].sort().reverse().slice(0, 3));
    const rest = await cloud.list('goal', 'list', '--sort-key', 'name', '--marker', text(sorted[2], 'UUID'));
    expect(rest.map(({ Name }) => Name)).toEqual([...names].sort().slice(-2));
    expect(await cloud.list('goal', 'list', '--limit', '0')).toHaveLength(goals.length);
    const [detail] = await cloud.list('goal', 'list', '--detail', '--limit', '1');
    expect(Object.keys(detail ?? {})).toEqual(['UUID', 'Name', 'Display name', 'Efficacy specification']);
    expect((await cloud.table('goal', 'list'))[0]).toEqual(['UUID', 'Name', 'Display name']);
  });

  it('show by name and by uuid', async () => {
    const byName = await cloud.show('goal', 'show', 'server_consolidation');
    expect(byName).toMatchObject({ Name: 'server_consolidation', 'Display name': 'Server Consolidation' });
    expect(byName['Efficacy specification']).not.toHaveLength(0);
    expect(await cloud.show('goal', 'show', text(byName, 'UUID'))).toEqual(byName);
    const rows = await cloud.table('goal', 'show', 'server_consolidation');
    expect(rows).toContainEqual(['Name', 'server_consolidation']);
    expect(await cloud.refusal('goal', 'show', 'nothing')).toContain('Goal nothing could not be found');
    expect(await cloud.refusal('goal', 'list', '--sort-key', 'nothing')).toContain('nothing');
  });
});

describe('strategies', () => {
  it('list, by goal and in detail', async () => {
    const strategies = await cloud.list('strategy', 'list');
    expect(strategies).toContainEqual({
      UUID: uuid,
      Name: 'dummy',
      'Display name': 'Dummy strategy',
      Goal: 'dummy',
    });
    const ofGoal = await cloud.list('strategy', 'list', '--goal', 'cluster_maintaining', '--detail');
    expect(new Set(ofGoal.map(({ Goal }) => Goal))).toEqual(new Set(['cluster_maintaining']));
    const maintenance = ofGoal.find(({ Name }) => Name === 'host_maintenance');
    expect(maintenance?.['Parameters spec']).toHaveProperty('properties.maintenance_node');
    expect(await cloud.list('strategy', 'list', '--sort-key', 'goal_name', '--limit', '2')).toHaveLength(2);
  });

  it('show and state', async () => {
    const shown = await cloud.show('strategy', 'show', 'dummy');
    expect(shown).toMatchObject({ Name: 'dummy', Goal: 'dummy' });
    expect(JSON.stringify(shown['Parameters spec'])).toContain('para1');
    const state = await cloud.list('strategy', 'state', 'workload_stabilization');
    for (const row of state) expect(Object.keys(row)).toEqual(['Type', 'State', 'Mandatory', 'Comment']);
    expect(new Set(state.map(({ Type }) => Type))).toEqual(new Set(['Datasource', 'Metrics', 'CDM', 'Name']));
  });
});

describe('audit templates', () => {
  const labels = ['UUID', 'Created At', 'Updated At', 'Deleted At', 'Description', 'Name', 'Goal', 'Strategy'];

  it('create with every option, list with every filter, update, show and delete', async () => {
    const scope = join(folder, 'scope.yaml');
    writeFileSync(scope, '- compute:\n  - host_aggregates:\n    - id: 1\n');
    const created = await cloud.show(
      ...['audittemplate', 'create', 'first', 'server_consolidation', '-s', 'vm_workload_consolidation'],
      ...['-d', 'Free hosts at night', '--scope', scope],
    );
    expect(Object.keys(created)).toEqual([...labels, 'Audit Scope']);
    expect(created).toMatchObject({
      UUID: uuid,
      'Created At': time,
      'Updated At': null,
      Description: 'Free hosts at night',
      Name: 'first',
      Goal: 'server_consolidation',
      Strategy: 'vm_workload_consolidation',
      'Audit Scope': [{ compute: [{ host_aggregates: [{ id: 1 }] }] }],
    });
    expect(await cloud.show('audittemplate', 'show', 'first')).toEqual(created);
    const second = await cloud.show('audittemplate', 'create', 'second', 'dummy');
    expect(second).toMatchObject({ Strategy: null, Description: null, 'Audit Scope': [] });

    const names = async (...options: string[]) =>
      (await cloud.list('audittemplate', 'list', ...options)).map(({ Name }) => Name);
    expect(await names()).toEqual(['first', 'second']);
    expect(await names('--goal', 'dummy')).toEqual(['second']);
    expect(await names('--strategy', 'vm_workload_consolidation')).toEqual(['first']);
    expect(await names('--sort-key', 'goal_name', '--limit', '1')).toEqual(['second']);
    expect(await names('--marker', text(created, 'UUID'))).toEqual(['second']);
    const [detail] = await cloud.list('audittemplate', 'list', '--detail');
    expect(detail).toEqual(created);

    const replaced = await cloud.show(
      'audittemplate',
      'update',
      'first',
      'replace',
      'description=By day',
      'name=third',
    );
    expect(replaced).toMatchObject({ Description: 'By day', Name: 'third', 'Updated At': time });
    expect(await cloud.show('audittemplate', 'update', 'third', 'remove', 'description')).toMatchObject({
      Description: null,
    });
    expect(await cloud.show('audittemplate', 'update', 'third', 'add', 'description=Again')).toMatchObject({
      Description: 'Again',
    });
    expect(await cloud.refusal('audittemplate', 'create', 'second', 'dummy')).toContain('(HTTP 409)');

    const audit = await cloud.show('audit', 'create', '-a', 'second');
    expect(audit).toMatchObject({ Goal: 'dummy', Strategy: 'auto' });

    const { code, stdout } = await cloud.optimize('audittemplate', 'delete', 'second', 'third');
    expect([code, stdout]).toEqual([0, '']);
    expect(await names()).toEqual([]);
    expect(await cloud.refusal('audittemplate', 'show', 'first')).toContain('AuditTemplate first could not be found');
  });
});

describe('audits', () => {
  it('ONESHOT: create with parameters, follow, list and delete', async () => {
    const created = await newAudit('--name', 'once', '-p', 'para1=4.5', '-p', 'para2=hi', '--force');
    expect(created).toMatchObject({
      UUID: uuid,
      Name: 'once',
      'Created At': time,
      State: 'PENDING',
      'Audit Type': 'ONESHOT',
      Parameters: { para1: 4.5, para2: 'hi' },
      Interval: null,
      Goal: 'dummy',
      Strategy: 'dummy',
      'Audit Scope': [],
      'Auto Trigger': false,
      'Next Run Time': null,
      Force: true,
    });
    const ended = await until('SUCCEEDED', 'State', 'audit', 'show', 'once');
    expect(ended).toMatchObject({ Name: 'once', Hostname: expect.any(String), 'Updated At': time });

    const rows = await cloud.list('audit', 'list', '--goal', 'dummy', '--strategy', 'dummy', '--sort-key', 'name');
    expect(rows).toContainEqual({
      UUID: created.UUID,
      Name: 'once',
      'Audit Type': 'ONESHOT',
      State: 'SUCCEEDED',
      Goal: 'dummy',
      Strategy: 'dummy',
      'Auto Trigger': false,
    });
    expect(await cloud.list('audit', 'list', '--detail')).toContainEqual(ended);
    expect(await cloud.list('audit', 'list', '--goal', 'cluster_maintaining')).toEqual([]);
    expect((await cloud.table('audit', 'list', '--limit', '1', '--sort-dir', 'desc')).length).toBe(2);

    expect(await cloud.optimize('audit', 'delete', 'once')).toMatchObject({ code: 0, stdout: '' });
    expect(await cloud.refusal('audit', 'show', 'once')).toContain('Audit once could not be found');
  });

  it('CONTINUOUS: interval, times and their change, cancel', async () => {
    const created = await newAudit(
      ...['-t', 'CONTINUOUS', '-i', '*/5 * * * *', '--name', 'often', '--auto-trigger'],
      ...['--start-time', '2099-01-01T00:00:00', '--end-time', '2099-02-01T00:00:00'],
    );
    expect(created).toMatchObject({
      'Audit Type': 'CONTINUOUS',
      Interval: '*/5 * * * *',
      'Auto Trigger': true,
      'Start Time': expect.stringMatching(/^(2098-12-31|2099-01-01)T/),
      'End Time': expect.stringMatching(/^2099-0(1-31|2-01)T/),
    });
    expect(await cloud.show('audit', 'update', 'often', 'replace', 'interval=600')).toMatchObject({ Interval: '600' });
    expect(await cloud.show('audit', 'update', 'often', 'replace', 'end_time=2099-03-01T00:00:00')).toMatchObject({
      'End Time': expect.stringMatching(/^2099-0(2-28|3-01)T/),
    });
    expect(await cloud.show('audit', 'update', 'often', 'replace', 'state=CANCELLED')).toMatchObject({
      State: 'CANCELLED',
    });
    expect(await cloud.optimize('audit', 'delete', 'often')).toMatchObject({ code: 0, stdout: '' });

    const running = await newAudit('-t', 'CONTINUOUS', '-i', '3600', '--name', 'hourly');
    expect(running.Interval).toBe('3600');
    await until('ONGOING', 'State', 'audit', 'show', 'hourly');
    expect(await cloud.refusal('audit', 'delete', 'hourly')).toContain('(HTTP 400)');
    expect(await cloud.show('audit', 'update', 'hourly', 'replace', 'state=CANCELLED')).toMatchObject({
      State: 'CANCELLED',
    });
  });

  it('EVENT: waits, is cancelled', async () => {
    const event = await newAudit('-t', 'EVENT', '--name', 'event');
    expect(event).toMatchObject({ 'Audit Type': 'EVENT', State: 'PENDING', Interval: null });
    expect(await cloud.show('audit', 'show', 'event')).toMatchObject({ State: 'PENDING' });
    expect(await cloud.show('audit', 'update', 'event', 'replace', 'state=CANCELLED')).toMatchObject({
      State: 'CANCELLED',
    });
  });

  it('refusals in the words of the API', async () => {
    expect(await cloud.refusal('audit', 'create', '-t', 'CONTINUOUS', '-g', 'dummy')).toContain('(HTTP 400)');
    expect(await newAudit('--name', 'taken')).toMatchObject({ Name: 'taken' });
    expect(await cloud.refusal('audit', 'create', '-g', 'dummy', '--name', 'taken')).toContain('(HTTP 409)');
    expect(await cloud.refusal('audit', 'create', '-g', 'dummy', '-s', 'dummy', '-p', 'para1=900')).toContain('para1');
    expect(await cloud.refusal('audit', 'create', '-g', 'nothing')).toContain('(HTTP 404)');
  });

  it('microversions: columns that the chosen version does not have', async () => {
    const at = async (version: string) => {
      const args = ['--os-infra-optim-api-version', version, 'optimize', 'audit', 'show', 'taken', '-f', 'json'];
      return JSON.parse((await cloud.openstack.run(args)).stdout) as Printed;
    };
    expect(Object.keys(await at('1.0'))).not.toContain('Start Time');
    expect(Object.keys(await at('1.1'))).toEqual(expect.arrayContaining(['Start Time', 'End Time']));
    expect(Object.keys(await at('1.1'))).not.toContain('Force');
    expect(Object.keys(await at('1.2'))).toContain('Force');
  });
});

describe('action plans and actions', () => {
  it('list, show, start, and the actions of the plan', async () => {
    const plan = await newPlan();
    const shown = await cloud.show('actionplan', 'show', plan);
    expect(Object.keys(shown)).toEqual([
      ...['UUID', 'Created At', 'Updated At', 'Deleted At', 'Audit', 'Strategy', 'State'],
      ...['Efficacy indicators', 'Global efficacy', 'Hostname'],
    ]);
    expect(shown).toMatchObject({ UUID: plan, Strategy: 'dummy', State: 'RECOMMENDED', 'Updated At': null });
    expect(await cloud.list('actionplan', 'list', '--detail', '--audit', text(shown, 'Audit'))).toEqual([shown]);
    expect(await cloud.table('actionplan', 'show', plan)).toContainEqual(['State', 'RECOMMENDED']);
    expect((await cloud.table('actionplan', 'list'))[0]).toEqual([
      ...['UUID', 'Audit', 'State', 'Updated At', 'Global efficacy'],
    ]);

    const actions = await cloud.list('action', 'list', '--action-plan', plan);
    expect(actions).toHaveLength(3);
    expect(actions.map(({ Action }) => Action).sort()).toEqual(['nop', 'nop', 'sleep']);
    expect(actions[0]).toEqual({
      UUID: uuid,
      Parents: expect.any(Array),
      State: 'PENDING',
      'Action Plan': plan,
      Action: expect.any(String),
    });
    const [first] = await cloud.list('action', 'list', '--audit', text(shown, 'Audit'), '--detail', '--limit', '1');
    expect(first).toMatchObject({
      'Created At': time,
      Parameters: expect.any(Object),
      Description: expect.any(String),
    });
    expect(await cloud.show('action', 'show', text(first, 'UUID'))).toEqual(first);
    const rest = await cloud.list('action', 'list', '--action-plan', plan, '--marker', text(first, 'UUID'));
    expect(rest).toHaveLength(2);
    expect(await cloud.list('action', 'list', '--sort-key', 'action_type', '--sort-dir', 'desc')).not.toHaveLength(0);

    expect(await cloud.show('actionplan', 'start', plan)).toMatchObject({
      State: expect.stringMatching(/^(PENDING|ONGOING)$/),
    });
    expect(await until('SUCCEEDED', 'State', 'actionplan', 'show', plan)).toMatchObject({
      Hostname: expect.any(String),
    });
    const ended = await cloud.list('action', 'list', '--action-plan', plan);
    expect(ended.map(({ State }) => State)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await cloud.optimize('actionplan', 'delete', plan)).toMatchObject({ code: 0, stdout: '' });
    expect(await cloud.refusal('actionplan', 'show', plan)).toContain('could not be found');
    expect(await cloud.list('action', 'list', '--action-plan', plan)).toEqual([]);
  });

  it('cancel and update', async () => {
    const cancelled = await newPlan();
    expect(await cloud.show('actionplan', 'cancel', cancelled)).toMatchObject({ State: 'CANCELLED' });
    expect(await cloud.refusal('actionplan', 'start', cancelled)).toContain('(HTTP 400)');
    const updated = await newPlan();
    expect(await cloud.show('actionplan', 'update', updated, 'replace', 'state=CANCELLED')).toMatchObject({
      UUID: updated,
      State: 'CANCELLED',
    });
    expect(await cloud.refusal('actionplan', 'update', updated, 'replace', 'state=SUCCEEDED')).toContain('(HTTP 400)');
    expect(await cloud.optimize('actionplan', 'delete', cancelled, updated)).toMatchObject({ code: 0, stdout: '' });
  });

  it('a running plan is cancelled', async () => {
    // It runs longer than a command takes on a busy machine.
    const actions = JSON.stringify([{ action_type: 'sleep', input_parameters: { duration: 60 } }]);
    const chosen = ['-g', 'unclassified', '-s', 'actuator', '-p', `actions=${actions}`];
    const audit = text(await cloud.show('audit', 'create', ...chosen), 'UUID');
    await until('SUCCEEDED', 'State', 'audit', 'show', audit);
    const plan = text((await cloud.list('actionplan', 'list', '--audit', audit))[0], 'UUID');
    await cloud.show('actionplan', 'start', plan);
    await until('ONGOING', 'State', 'actionplan', 'show', plan);
    expect(await cloud.show('actionplan', 'cancel', plan)).toMatchObject({
      State: expect.stringMatching(/^CANCELL(ING|ED)$/),
    });
    await until('CANCELLED', 'State', 'actionplan', 'show', plan);
  });
});

describe('the rest', () => {
  it('scoring engines', async () => {
    const engines = await cloud.list('scoringengine', 'list');
    expect(engines).toContainEqual({ UUID: uuid, Name: 'dummy_scorer', Description: expect.any(String) });
    const shown = await cloud.show('scoringengine', 'show', 'dummy_scorer');
    expect(Object.keys(shown)).toEqual(['UUID', 'Name', 'Description', 'Metainfo']);
    expect(await cloud.list('scoringengine', 'list', '--detail', '--sort-key', 'name')).toContainEqual(shown);
    expect(await cloud.list('scoringengine', 'list', '--limit', '1')).toHaveLength(1);
  });

  it('services', async () => {
    const services = await cloud.list('service', 'list');
    const names = services.map(({ Name }) => Name);
    expect(names).toEqual(expect.arrayContaining(['watcher-decision-engine', 'watcher-applier']));
    const shown = await cloud.show('service', 'show', 'watcher-applier');
    expect(shown).toMatchObject({ Status: 'ACTIVE', Host: expect.any(String), 'Last seen up': expect.any(String) });
    expect(await cloud.show('service', 'show', text(shown, 'ID'))).toMatchObject({ Name: 'watcher-applier' });
    const detail = await cloud.list('service', 'list', '--detail', '--sort-key', 'name', '--limit', '1');
    expect(Object.keys(detail[0] ?? {})).toEqual(['ID', 'Name', 'Host', 'Status', 'Last seen up']);
  });

  it('the data model', async () => {
    const rows = await cloud.list('datamodel', 'list');
    const { hosts } = await cloud.stack.control<{ hosts: { name: string; servers: number }[] }>('/state');
    const counts = new Map<unknown, number>();
    for (const row of rows) {
      const servers = row['Server UUID'] ? 1 : 0;
      counts.set(row['Node Host Name'], (counts.get(row['Node Host Name']) ?? 0) + servers);
    }
    expect(counts).toEqual(new Map(hosts.map(({ name, servers }) => [name, servers])));
    const detail = await cloud.list('datamodel', 'list', '--type', 'compute', '--detail');
    expect(detail).toHaveLength(rows.length);
    expect(detail[0]).toMatchObject({ 'Node Vcpus': expect.any(Number), 'Node State': expect.any(String) });
    expect(await cloud.refusal('datamodel', 'list', '--type', 'storage')).toContain('(HTTP 404)');
  });

  it('a user without the right gets a clear refusal', async () => {
    const reader = ['--os-username', 'reader', '--os-project-name', 'demo'];
    const refused = await cloud.openstack.run([...reader, 'optimize', 'audit', 'create', '-g', 'dummy']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('(HTTP 403)');
  });
});
