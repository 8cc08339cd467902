import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

describe('actions on a server', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted);
    scripted.script = ({ path }) => (path === '/compute/v2.1/servers/s1/action' ? { status: 202 } : undefined);
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  it.each<[string, (compute: Cloud['compute']) => Promise<unknown>, object]>([
    ['stop', (compute) => compute.stopServer('s1'), { 'os-stop': null }],
    ['start', (compute) => compute.startServer('s1'), { 'os-start': null }],
    ['resize', (compute) => compute.resizeServer('s1', 'f2'), { resize: { flavorRef: 'f2' } }],
    ['revertResize', (compute) => compute.revertResize('s1'), { revertResize: null }],
    ['confirmResize', (compute) => compute.confirmResize('s1'), { confirmResize: null }],
  ])('%s is requested once', async (_name, act, body) => {
    await act(cloud.compute);
    expect(scripted.seen.at(-1)?.body).toEqual(body);
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('compute 2.56');
  });

  it('reports why a request failed by the details of its last event in error, null without them', async () => {
    const event = (result: string | null, details: string | null, start_time: string) => ({
      event: 'e',
      result,
      details,
      start_time,
    });
    const events = [
      event('Error', 'the last', '2026-01-01T00:00:02'),
      event('Error', 'the first', '2026-01-01T00:00:01'),
    ];
    const responses: Record<string, object[]> = {
      'req-1': [...events, event('Success', null, '2026-01-01T00:00:03')],
      'req-2': [event(null, null, '2026-01-01T00:00:01')],
      'req-3': [{ event: 'e', result: 'Error', start_time: '2026-01-01T00:00:01' }],
    };
    scripted.script = ({ path }) => {
      const found = responses[path.split('/').at(-1) ?? ''];
      return found && { status: 200, body: { instanceAction: { action: 'live-migration', events: found } } };
    };
    const faults = ['req-1', 'req-2', 'req-3', 'req-4'].map((id) => cloud.compute.getInstanceActionFault('s1', id));
    expect(await Promise.all(faults)).toEqual(['the last', null, null, null]);
  });

  it('finds a flavor and a hypervisor by id, or nothing', async () => {
    const flavor = { id: 'f1', name: 'small', vcpus: 1, ram: 512, disk: 1, swap: '', extra_specs: { a: 'b' } };
    const service = { id: 'i1', host: 'h1', disabled_reason: null };
    const hypervisor = { id: 'y1', hypervisor_hostname: 'h1.example', state: 'up', status: 'enabled', service };
    scripted.script = ({ path }) => {
      if (path === '/compute/v2.1/flavors/f1') return { status: 200, body: { flavor } };
      return path === '/compute/v2.1/os-hypervisors/y1' ? { status: 200, body: { hypervisor } } : undefined;
    };
    expect(await cloud.compute.getFlavor('f1')).toMatchObject({ id: 'f1', ramMb: 512, swapMb: 0 });
    expect(await cloud.compute.getFlavor('f2')).toBeNull();
    expect(await cloud.compute.getHypervisor('y1')).toMatchObject({ uuid: 'y1', serviceHost: 'h1' });
    expect(await cloud.compute.getHypervisor('y2')).toBeNull();
  });
});
