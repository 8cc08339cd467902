import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

describe('shares of a server', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;
  let newest: string;

  beforeEach(async () => {
    newest = '2.104';
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted);
    scripted.script = ({ path }) => {
      if (path === '/compute/v2.1/')
        return { status: 200, body: { version: { id: 'v2.1', version: newest, min_version: '2.1' } } };
      if (path === '/compute/v2.1/servers/there/shares')
        return { status: 200, body: { shares: [{ share_id: 's', status: 'active', tag: 's' }] } };
      return path.includes('/servers/') ? { status: 404, body: { itemNotFound: { message: 'no' } } } : undefined;
    };
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  it('are listed with 2.97', async () => {
    expect(await cloud.compute.listServerShares('there')).toEqual([{ shareId: 's', status: 'active' }]);
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('compute 2.97');
    expect(await cloud.compute.listServerShares('elsewhere')).toBeNull();
  });

  it('are none where Nova is older', async () => {
    newest = '2.96';
    expect(await cloud.compute.listServerShares('there')).toEqual([]);
    expect(scripted.count('GET /compute/v2.1/servers/there/shares')).toBe(0);
  });

  it('exist only where the catalogue has the service', async () => {
    expect(await cloud.hasShareService?.()).toBe(false);
  });
});
