import { buildApp } from '../app.ts';
import type { ApiDeps } from '../http/api-deps.ts';

/**
 * The OpenAPI document of the API as text. No request is served, so no part of `deps` is used.
 */
export async function renderOpenApi(deps: ApiDeps): Promise<string> {
  const app = await buildApp(deps);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
