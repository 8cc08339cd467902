import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type ConnectedWatcher, connectWatcher } from '../openstack-cloud.ts';
import { configFor, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

let scripted: ScriptedCloud;
let watcher: ConnectedWatcher;

beforeEach(async () => {
  scripted = await startScriptedCloud();
  const endpointOverrides = { 'infra-optim': `${scripted.url}/infra-optim` };
  watcher = connectWatcher(configFor(scripted, { endpointOverrides }), {
    logger: silentLogger,
    clock: { now: Date.now },
  });
});

afterEach(async () => {
  await watcher.close();
  await scripted.close();
});

const plan = (uuid: string, state = 'RECOMMENDED') => ({ uuid, state, links: [], efficacy_indicators: [] });

it('are listed over all pages by the marker of the link, regardless of its address', async () => {
  const pages: Record<string, object> = {
    first: { action_plans: [plan('a'), plan('b')], next: 'http://10.0.0.7:9322/v1/action_plans?limit=2&marker=b' },
    b: { action_plans: [plan('c', 'SUCCEEDED')] },
  };
  scripted.script = ({ path, query }) =>
    path === '/infra-optim/v1/action_plans' ? { status: 200, body: pages[query.get('marker') ?? 'first'] } : undefined;

  expect(await watcher.plans.list()).toEqual([
    { uuid: 'a', state: 'RECOMMENDED' },
    { uuid: 'b', state: 'RECOMMENDED' },
    { uuid: 'c', state: 'SUCCEEDED' },
  ]);
  expect(scripted.seen.at(-1)?.headers).not.toHaveProperty('openstack-api-version');
});

it('end where a page repeats the one before it', async () => {
  const body = { action_plans: [plan('a')], next: 'http://10.0.0.7:9322/v1/action_plans?marker=a' };
  scripted.script = ({ path }) => (path.endsWith('/action_plans') ? { status: 200, body } : undefined);
  expect(await watcher.plans.list()).toHaveLength(1);
});

it('are cancelled by a change of their state; a refusal has the text of Watcher', async () => {
  const text = "Couldn't apply patch. Reason: State transition not allowed: (ONGOING -> CANCELLED)";
  scripted.script = ({ path }) => {
    if (path.endsWith('/a')) return { status: 200, body: plan('a', 'CANCELLED') };
    const error_message = JSON.stringify({ debuginfo: null, faultcode: 'Client', faultstring: text });
    return path.endsWith('/b') ? { status: 400, body: { error_message } } : undefined;
  };
  await watcher.plans.cancel('a');
  expect(scripted.seen.at(-1)).toMatchObject({
    method: 'PATCH',
    path: '/infra-optim/v1/action_plans/a',
    body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
  });
  await expect(watcher.plans.cancel('b')).rejects.toMatchObject({ status: 400, message: text });
});
