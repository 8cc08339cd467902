import { writeFile } from 'node:fs/promises';
import { createLogger, createMetrics, createReadiness, newUuid, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { renderOpenApi } from './render-openapi.ts';

/**
 * Writes `openapi/vigil.json` and `openapi/internal.json`. Run it after every change of a route or schema. A test
 * compares the files.
 */
const folder = process.argv[2] ?? 'openapi';
const documents = await renderOpenApi({
  store: { db: {} } as Store,
  identity: null,
  authMode: 'none',
  logger: createLogger({ service: 'export-openapi', level: 'error', pretty: true }),
  metrics: createMetrics('export-openapi'),
  clock: systemClock,
  newUuid,
  readiness: createReadiness(),
});
await writeFile(`${folder}/vigil.json`, documents.public);
await writeFile(`${folder}/internal.json`, documents.internal);
