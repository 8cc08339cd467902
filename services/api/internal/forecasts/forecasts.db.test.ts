import { describe, expect, it } from 'vitest';
import { readBuildVersion } from '#libs/service-kit';
import { createFakeEngine, usualResponses } from '../../testing/fake-engine.ts';
import { fault, useTestApi } from '../../testing/test-api.ts';

const engine = createFakeEngine();
const api = await useTestApi({ bus: engine });
const header = { 'X-Vigil-Internal-Version': readBuildVersion().split('.')[0] ?? '' };
const get = (path: string, headers: Record<string, string> = {}) =>
  api.get(`/internal/forecasts/${path}`, { ...header, ...headers });

describe('a forecast', () => {
  it('is requested from the engine with its defaults, and never stored by clients', async () => {
    const response = await get('hosts/h1');
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(engine.requests.at(-1)).toEqual({
      topic: 'load.forecast',
      body: { kind: 'host', id: 'h1', load: 'cpu', hours: 24, full_at: 80 },
    });
    await get('instances/s1?load=memory&hours=168&full_at=90');
    const instance = { kind: 'instance', id: 's1', load: 'memory', hours: 168, full_at: 90 };
    expect(engine.requests.at(-1)?.body).toEqual(instance);
    expect((await get('aggregates/fast?full_at=70')).json()).toMatchObject({ places: null, full: { days: 37 } });
    const aggregate = { kind: 'aggregate', id: 'fast', full_at: 70 };
    expect(engine.requests.at(-1)).toEqual({ topic: 'capacity.forecast', body: aggregate });
    expect((await get('flavors/m1.small')).json()).toMatchObject({ places: 12 });
  });

  it.each([
    ['hosts/h1?hours=0', 'hours'],
    ['hosts/h1?hours=169', 'hours'],
    ['hosts/h1?hours=1.5', 'hours'],
    ['hosts/h1?hours=9223372036854775808', 'hours'],
    ['hosts/h1?load=disk', 'load'],
    ['hosts/h1?step=5', 'step'],
    ['hosts/h1?full_at=101', 'full_at'],
    ['aggregates/fast?full_at=0', 'full_at'],
    ['flavors/m1.small?full_at=80', 'full_at'],
    ['flavors/%0A', 'flavor'],
    ['hosts/%00', 'hostname'],
    [`instances/${'a'.repeat(256)}`, 'uuid'],
  ])('of %s is refused with 400', async (path, field) => {
    const before = engine.requests.length;
    const response = await get(path);
    expect(fault(response)).toEqual({ status: 400, text: expect.stringContaining(field) });
    expect(engine.requests).toHaveLength(before);
  });

  it('of an unknown host is a 404 that names the nearest one', async () => {
    expect(fault(await get('hosts/h2'))).toEqual({ status: 404, text: expect.stringContaining('did you mean h1?') });
    for (const path of ['instances/nothing', 'aggregates/fat', 'flavors/nothing'])
      expect((await get(path)).statusCode, path).toBe(404);
  });

  it('is for callers with internal:read', async () => {
    expect((await get('hosts/h1', { 'X-Roles': 'reader' })).statusCode).toBe(403);
  });

  it.each(['model_not_available', 'history_not_available'])('is a 503 for %s', async (code) => {
    const down = { ...usualResponses, 'load.forecast': { error: { code, message: 'influxdb is down' } } };
    const alone = await useTestApi({ bus: createFakeEngine(down) });
    const response = await alone.get('/internal/forecasts/hosts/h1', header);
    expect(fault(response)).toEqual({ status: 503, text: expect.stringContaining('influxdb is down') });
  });
});
