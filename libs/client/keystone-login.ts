import { authRequest, type KeystoneCredentials } from './credentials.ts';
import { faultTextOf, retryAfterOf, VigilApiError } from './errors.ts';
import { fetchWithLimit } from './fetch-with-limit.ts';

/** A token and the URL of the API that the catalogue names. */
export interface KeystoneSession {
  token: string;
  /** Null when the catalogue has no `infra-optim` service. */
  endpoint: string | null;
}

interface CatalogueService {
  type: string;
  endpoints: { interface: string; region?: string; region_id?: string; url: string }[];
}

/** Service type of the API in the Keystone catalogue. */
const serviceType = 'infra-optim';

/**
 * Logs in to Keystone.
 * @throws VigilApiError when Keystone refuses or cannot be reached.
 */
export async function logIn(
  credentials: KeystoneCredentials,
  options: { fetch: typeof fetch; timeoutMs: number },
): Promise<KeystoneSession> {
  const base = credentials.authUrl.replace(/\/+$/, '').replace(/\/v3$/, '');
  const url = `${base}/v3/auth/tokens`;
  const response = await fetchWithLimit(options, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(authRequest(credentials)),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw new VigilApiError(
      response.status === 401 ? 'unauthorized' : 'refused',
      response.status,
      `Keystone at ${base} refused the login: ${faultTextOf(body, response.status)}`,
      { retryAfterMs: retryAfterOf(response) },
    );
  }
  const token = response.headers.get('x-subject-token');
  if (!token) throw new VigilApiError('refused', response.status, `${url} gave no token; is it a Keystone v3?`);
  return { token, endpoint: endpointOf(body, credentials) };
}

function endpointOf(body: unknown, credentials: KeystoneCredentials): string | null {
  const catalogue = (body as { token?: { catalog?: CatalogueService[] } } | null)?.token?.catalog ?? [];
  const endpoints = catalogue.filter(({ type }) => type === serviceType).flatMap((service) => service.endpoints);
  const wanted = credentials.interface ?? 'public';
  const found = endpoints.find(
    (endpoint) =>
      endpoint.interface === wanted &&
      (!credentials.region || [endpoint.region, endpoint.region_id].includes(credentials.region)),
  );
  return found?.url ?? null;
}
