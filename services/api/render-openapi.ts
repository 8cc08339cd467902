import type { ApiDeps } from './api-deps.ts';
import { buildApp } from './app.ts';

/** The OpenAPI documents of the two surfaces as text. */
export interface RenderedDocuments {
  /** `openapi/vigil.json`. */
  public: string;
  /** `openapi/internal.json`. */
  internal: string;
}

/** Renders the documents of a build. Only the clock of `deps` is used. */
export async function renderOpenApi(deps: ApiDeps): Promise<RenderedDocuments> {
  const app = await buildApp({ ...deps, identity: null, authMode: 'none' });
  try {
    await app.ready();
    const internal = await app.inject({ url: '/internal/openapi.json' });
    return { public: textOf(app.swagger()), internal: textOf(internal.json()) };
  } finally {
    await app.close();
  }
}

function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
