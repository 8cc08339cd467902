import { OpenStackError } from '../errors.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Identity } from '../identity/identity.ts';
import { type MicroversionRange, pickMicroversion } from './microversion.ts';
import type { ServiceDefinition } from './service-definition.ts';

/** The microversions of a service, from its version document, which is read once. */
export interface ServiceVersions {
  /**
   * The microversion for a call. Null if the service has no version document and needs none.
   * @param request for errors, such as `GET /servers`
   * @throws OpenStackError when the service supports no requested microversion, or its response is not that of the
   * service
   */
  pick(endpoint: string, wanted: MicroversionRange, request: string): Promise<string | null>;
  /** Reads the document again at the next call, because the server was replaced. */
  forget(): void;
}

/** Has no document yet. */
export function createServiceVersions(
  deps: { http: HttpClient; identity: Pick<Identity, 'token'> },
  service: ServiceDefinition,
): ServiceVersions {
  let offered: Promise<MicroversionRange | null> | null = null;

  async function readVersions(endpoint: string): Promise<MicroversionRange | null> {
    const token = await deps.identity.token();
    let status = 0;
    for (const address of service.versionUrls(endpoint)) {
      const headers = { 'x-auth-token': token };
      const response = await deps.http.send({ service: service.type, method: 'GET', url: new URL(address), headers });
      const found = parseVersionDocument(response.body, service.major);
      if (found !== null && response.status < 400) return found;
      status = response.status;
      if (status >= 500) break;
    }
    if (!service.versionDocumentNeeded && status < 500) return null;
    const detail = `${endpoint} does not respond like ${service.type} (HTTP ${status} instead of a version document)`;
    throw new OpenStackError(service.type, 'GET /', status, `${detail}; check its endpoint in the catalogue`);
  }

  async function pick(endpoint: string, wanted: MicroversionRange, request: string): Promise<string | null> {
    offered ??= readVersions(endpoint).catch((error: unknown) => {
      offered = null;
      throw error;
    });
    const range = await offered;
    if (range === null) return null;
    const picked = pickMicroversion(wanted, range);
    if (picked !== null) return picked;
    const needed = `${wanted.min} to ${wanted.max}`;
    const detail = `${service.type} offers microversions ${range.min} to ${range.max}, this call needs ${needed}`;
    throw new OpenStackError(service.type, request, 406, detail);
  }

  return {
    pick,
    forget() {
      offered = null;
    },
  };
}

/**
 * The microversions in a version document: `{"version": {…}}` (Nova below `/v2.1/`) or `{"versions": [{…}]}` (roots
 * of Placement and Cinder), of the entry whose id starts with `major` such as `v2.1`. Null without microversions.
 */
export function parseVersionDocument(body: unknown, major: string): MicroversionRange | null {
  if (!isObject(body)) return null;
  const entries = Array.isArray(body.versions) ? body.versions : [body.version];
  for (const entry of entries) {
    if (!isObject(entry) || typeof entry.id !== 'string' || !entry.id.startsWith(major)) continue;
    const max = entry.max_version ?? entry.version;
    const min = entry.min_version;
    if (typeof max === 'string' && typeof min === 'string' && max !== '' && min !== '') return { min, max };
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
