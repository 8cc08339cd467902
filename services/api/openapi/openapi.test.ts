import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { createLogger, createMetrics, createReadiness, newUuid, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { renderOpenApi } from '../render-openapi.ts';

const root = new URL('../../../', import.meta.url);
const committed = await readFile(new URL('openapi/vigil.json', root), 'utf8');
const committedInternal = await readFile(new URL('openapi/internal.json', root), 'utf8');

describe('generated files', () => {
  it('openapi/vigil.json and internal.json match the routes (npm run openapi)', async () => {
    const rendered = await renderOpenApi({
      store: { db: {} } as Store,
      identity: null,
      authMode: 'none',
      logger: createLogger({ service: 'test', level: 'error', pretty: true }),
      metrics: createMetrics('test'),
      clock: systemClock,
      newUuid,
      readiness: createReadiness(),
    });
    expect(rendered.public === committed, 'openapi/vigil.json is out of date').toBe(true);
    expect(rendered.internal === committedInternal, 'openapi/internal.json is out of date').toBe(true);
    const paths = Object.keys(JSON.parse(committed).paths);
    const internal = Object.keys(JSON.parse(committedInternal).paths);
    expect(paths.length).toBeGreaterThan(25);
    expect(internal.length).toBeGreaterThan(0);
    expect(paths.filter((path) => path.startsWith('/internal'))).toEqual([]);
    expect(internal.filter((path) => !path.startsWith('/internal/'))).toEqual([]);
  });

  it('the client types match openapi/vigil.json (npm run openapi)', async () => {
    const types = astToString(await openapiTypescript(JSON.parse(committed), { defaultNonNullable: false }));
    const generated = await readFile(new URL('libs/client/generated/schema.ts', root), 'utf8');
    const bare = (text: string) => text.slice(text.indexOf('export interface paths'));
    expect(bare(types).length).toBeGreaterThan(1000);
    expect(bare(generated) === bare(types), 'libs/client/generated/schema.ts is out of date').toBe(true);
  });
});
