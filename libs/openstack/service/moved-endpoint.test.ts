import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type Reply, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

const flavor = { id: 'f1', name: 'small', vcpus: 1, ram: 512, disk: 1, extra_specs: {} };
const tokens = 'POST /v3/auth/tokens';

describe('a service whose endpoint the catalogue replaces while the token is valid', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;
  let nowMs: number;
  /** How the service at the first endpoint responds. */
  let former: Reply;

  beforeEach(async () => {
    nowMs = 1_000_000;
    former = { status: 404, body: { itemNotFound: { code: 404, message: 'no such flavor' } } };
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted, {}, { clock: { now: () => nowMs } });
    scripted.script = ({ path }) => {
      if (path === '/moved/v2.1/') {
        return { status: 200, body: { version: { id: 'v2.1', version: '2.93', min_version: '2.1' } } };
      }
      if (path === '/moved/v2.1/flavors/f1') return { status: 200, body: { flavor } };
      if (path === '/moved/v2.1/flavors/detail') return { status: 200, body: { flavors: [flavor] } };
      return path.startsWith('/compute/v2.1/flavors') ? former : undefined;
    };
    await cloud.identity.token();
  });
  afterEach(() => scripted.close());

  it('finds an element that the former endpoint does not have', async () => {
    scripted.computePath = '/moved/v2.1';
    expect(await cloud.compute.getFlavor('f1')).toMatchObject({ name: 'small' });
  });

  it('lists elements where the former endpoint is empty', async () => {
    former = { status: 200, body: { flavors: [] } };
    scripted.computePath = '/moved/v2.1';
    expect(await cloud.compute.listFlavors()).toHaveLength(1);
  });

  it('reads from the new endpoint when the former one does not respond', async () => {
    former = 'break';
    scripted.computePath = '/moved/v2.1';
    expect(await cloud.compute.getFlavor('f1')).toMatchObject({ name: 'small' });
  });

  it('reads the catalogue at most once a minute for elements that are missing', async () => {
    for (let call = 0; call < 5; call += 1) expect(await cloud.compute.getFlavor('f1')).toBeNull();
    expect(scripted.count(tokens)).toBe(2);

    nowMs += 60_000;
    expect(await cloud.compute.getFlavor('f1')).toBeNull();
    expect(scripted.count(tokens)).toBe(3);
  });
});
