import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cloudEnv } from '../system/cloud-env.ts';
import { runVigil } from '../system/vigil-process.ts';
import { type ClientStack, startClientStack } from './client-stack.ts';

/** Commands that print the same with `vigil` as with `openstack optimize` of Debian's unchanged client. */
let cloud: ClientStack;
/** Uuids that commands name. */
const uuids: Record<string, string> = {};

beforeAll(async () => {
  cloud = await startClientStack(['--generate', 'hosts=4,instances=12,seed=7', '--speed', '200']);
  const create = ['audit', 'create', '-g', 'dummy', '-s', 'dummy', '--name'];
  for (const name of ['first', 'second']) await cloud.show(...create, name);
  await cloud.show('audittemplate', 'create', 'nightly', 'dummy', '-d', 'every night, at "two"');
  const audit = await cloud.show('audit', 'show', 'first');
  uuids.AUDIT = String(audit.UUID);
  const plans = async () => expect(await cloud.list('actionplan', 'list')).toHaveLength(2);
  await vi.waitFor(plans, { timeout: 60_000, interval: 500 });
  const [plan] = await cloud.list('actionplan', 'list', '--audit', uuids.AUDIT);
  uuids.PLAN = String(plan?.UUID);
  const [action] = await cloud.list('action', 'list', '--action-plan', uuids.PLAN);
  uuids.ACTION = String(action?.UUID);
}, 240_000);
afterAll(() => cloud?.stop());

async function both(line: string) {
  const words = line.match(/"[^"]*"|\S+/g)!.map((word) => uuids[word] ?? word.replaceAll('"', ''));
  const env = { ...cloudEnv(null, 'admin', 'admin'), OS_AUTH_URL: `${cloud.stack.simulator.url}/identity/v3` };
  const [theirs, ours] = [await cloud.optimize(...words), await runVigil(words, env)];
  return { theirs, ours: { code: ours.exitCode, stdout: ours.stdout, stderr: ours.stderr } };
}

describe('the same text', () => {
  it.each([
    'goal list -f value -c Name',
    'goal list -f value -c UUID -c Name',
    'goal list -f csv',
    'goal list -f csv --quote all -c Name',
    'goal list -f csv --quote minimal -c Name -c "Display name"',
    'goal list -f value -c Name --sort-key name --sort-dir desc --limit 2',
    'goal list -f value -c Name --sort-column Name',
    'goal list -f value -c Name --sort-column Name --sort-descending',
    'goal show dummy -f value -c "Display name"',
    'goal show dummy -f yaml -c Name',
    'strategy list -f csv -c Name -c Goal',
    'strategy list -f value -c Name --goal dummy',
    'strategy show dummy -f value -c Goal',
    'strategy state workload_stabilization -f value -c Type',
    'scoringengine list -f csv',
    'scoringengine show dummy_scorer -f value -c Name',
    'service list -f value -c Name -c Host -c Status',
    'audittemplate list -f csv',
    'audittemplate show nightly -f value -c UUID -c Description -c Strategy',
    'audit list -f value -c UUID -c State --goal dummy',
    'audit list -f csv -c Name -c State -c Goal -c "Auto Trigger"',
    'audit list -f value -c Name --sort-column Name',
    'audit show first -f value -c State',
    'audit show first -f value -c Interval -c "Auto Trigger"',
    'actionplan list -f value -c UUID -c State --audit AUDIT',
    'actionplan show PLAN -f value -c Audit -c State',
    'action list -f csv -c UUID -c State --action-plan PLAN',
    'action list -f value -c Action --action-plan PLAN',
    'action show ACTION -f json -c Action -c Parameters',
    'datamodel list -f csv',
  ])('%s', async (line) => {
    const { theirs, ours } = await both(line);
    expect(theirs.code, theirs.stderr).toBe(0);
    expect({ code: ours.code, stdout: ours.stdout }, ours.stderr).toEqual({ code: 0, stdout: theirs.stdout });
  });
});

describe('every value, under the same title', () => {
  it.each([
    'goal list -f json --detail',
    'goal show dummy -f json',
    'strategy list -f json',
    'strategy show dummy -f json -c UUID -c Name -c Goal',
    'strategy state dummy -f json -c Type -c Mandatory -c Comment',
    'service list -f json',
    'scoringengine list -f json --detail',
    'audittemplate list -f json --detail',
    'audit list -f json',
    'audit list -f json --detail',
    'audit show first -f json',
    'audit show AUDIT -f json --noindent -c UUID -c Goal',
    'actionplan list -f json',
    'actionplan show PLAN -f json',
    'action list -f json --action-plan PLAN',
    'action show ACTION -f json',
    'datamodel list -f json --detail -c "Server Name" -c "Node Vcpus" -c "Node State"',
  ])('%s', async (line) => {
    const { theirs, ours } = await both(line);
    expect(theirs.code, theirs.stderr).toBe(0);
    expect(ours.code, ours.stderr).toBe(0);
    expect(JSON.parse(ours.stdout)).toMatchObject(JSON.parse(theirs.stdout));
  });
});

describe('both refuse', () => {
  it.each(['goal show nothing', 'goal list -f jsn', 'goal list -c nothing', 'audit show', 'actionplan start nothing'])(
    '%s',
    async (line) => {
      const { theirs, ours } = await both(line);
      expect(theirs.code).not.toBe(0);
      expect(ours.code).not.toBe(0);
      expect(ours.stdout).toBe('');
    },
  );
});
