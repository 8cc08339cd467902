import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

let scripted: ScriptedCloud;
let cloud: Cloud;

beforeEach(async () => {
  scripted = await startScriptedCloud();
  cloud = connectTo(scripted, { endpointOverrides: { image: `${scripted.url}/image` } });
});

afterEach(async () => {
  await cloud.close();
  await scripted.close();
});

it('images of all projects are read page by page, with their text properties', async () => {
  const requested: string[] = [];
  scripted.script = ({ path, query }) => {
    if (path !== '/image/v2/images') return undefined;
    const marker = query.get('marker');
    requested.push(`${query.get('visibility')} after ${marker}`);
    const image = {
      id: marker === null ? 'i1' : 'i2',
      hw_cpu_policy: 'dedicated',
      protected: false,
      size: 1,
      tags: [],
    };
    const next = marker === null ? { next: '/v2/images?marker=i1' } : {};
    return { status: 200, body: { images: [image], first: '/v2/images', ...next } };
  };
  expect(await cloud.hasImageService?.()).toBe(true);
  expect(await cloud.image?.listImages()).toEqual(
    ['i1', 'i2'].map((uuid) => ({ uuid, properties: { id: uuid, hw_cpu_policy: 'dedicated' } })),
  );
  expect(requested).toEqual(['all after null', 'all after i1']);
});
