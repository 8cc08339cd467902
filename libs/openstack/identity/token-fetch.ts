import type { Credentials } from '../config/openstack-config.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { authRequest } from './auth-request.ts';
import { type CatalogueEntry, parseCatalogue } from './catalogue.ts';
import type { Requester } from './types.ts';

/** A token as Keystone gave it. */
export interface FetchedToken {
  token: string;
  /** Lifetime at its issue in milliseconds, by Keystone's clock. It does not depend on the local clock. */
  lifetimeMs: number;
  catalogue: CatalogueEntry[];
  /** The user and project of the token. Null when Keystone does not return them. */
  requester: Requester | null;
}

const requestName = 'POST /v3/auth/tokens';

/**
 * Requests a token from Keystone. Throws an OpenStackError with one line that names the setting to check: wrong
 * URL, wrong user or password, project missing or closed to the user, application credential or token refused.
 */
export async function fetchToken(http: HttpClient, authUrl: string, credentials: Credentials): Promise<FetchedToken> {
  if (credentials.kind === 'token' && credentials.project === null) {
    return readTokenAsItIs(http, authUrl, credentials.token);
  }
  const response = await post(http, authUrl, authRequest(credentials));
  if (response.status !== 201 && response.status !== 200) throw await refusal(http, authUrl, credentials, response);
  const token = response.headers['x-subject-token'];
  if (token === undefined) throw notKeystone(authUrl, response);
  return { token, ...contentOf(authUrl, response) };
}

async function readTokenAsItIs(http: HttpClient, authUrl: string, token: string): Promise<FetchedToken> {
  const url = new URL(`${authUrl}/auth/tokens`);
  const headers = { 'x-auth-token': token, 'x-subject-token': token };
  const response = await http.send({ service: 'identity', method: 'GET', url, headers });
  if (response.status === 401 || response.status === 404) {
    throw new OpenStackError('identity', 'GET /v3/auth/tokens', 401, 'Keystone refused OS_TOKEN: unknown or expired');
  }
  if (response.status !== 200) throw notKeystone(authUrl, response);
  return { token, ...contentOf(authUrl, response) };
}

async function post(http: HttpClient, authUrl: string, body: object): Promise<HttpResponse> {
  try {
    const url = new URL(`${authUrl}/auth/tokens`);
    return await http.send({ service: 'identity', method: 'POST', url, headers: {}, body, repeatable: true });
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error;
    const detail = `cannot reach Keystone: ${error.message}; check OS_AUTH_URL (${authUrl})`;
    throw new OpenStackError('identity', requestName, 0, detail, { cause: error });
  }
}

function contentOf(authUrl: string, response: HttpResponse): Omit<FetchedToken, 'token'> {
  const content = field(response.body, 'token');
  const expires = Date.parse(String(field(content, 'expires_at')));
  const issued = Date.parse(String(field(content, 'issued_at')));
  if (Number.isNaN(expires) || Number.isNaN(issued)) throw notKeystone(authUrl, response);
  const catalogue = parseCatalogue(field(content, 'catalog'));
  return { lifetimeMs: expires - issued, catalogue, requester: requesterOf(content) };
}

function requesterOf(content: unknown): Requester | null {
  const [userId, projectId] = ['user', 'project'].map((key) => field(field(content, key), 'id'));
  return typeof userId === 'string' ? { userId, projectId: typeof projectId === 'string' ? projectId : null } : null;
}

async function refusal(
  http: HttpClient,
  authUrl: string,
  credentials: Credentials,
  response: HttpResponse,
): Promise<OpenStackError> {
  const text = faultText(response.body);
  if (text === null || response.status === 404) return notKeystone(authUrl, response);
  if (response.status !== 401) return new OpenStackError('identity', requestName, response.status, `Keystone: ${text}`);
  return new OpenStackError('identity', requestName, 401, await explain401(http, authUrl, credentials));
}

async function explain401(http: HttpClient, authUrl: string, credentials: Credentials): Promise<string> {
  if (credentials.kind === 'application-credential') {
    return 'Keystone refused the application credential; check OS_APPLICATION_CREDENTIAL_ID and its secret and expiry';
  }
  if (credentials.kind === 'token') {
    return 'Keystone refused OS_TOKEN: unknown, expired, or not valid for the project';
  }
  const user = 'id' in credentials.user ? credentials.user.id : credentials.user.name;
  const project = 'id' in credentials.project ? credentials.project.id : credentials.project.name;
  const unscoped = await post(http, authUrl, authRequest(credentials, { unscoped: true }));
  return unscoped.status === 201
    ? `Keystone knows user ${user}, but project ${project} does not exist or gives the user no role; check OS_PROJECT_NAME and OS_PROJECT_DOMAIN_NAME`
    : `Keystone refused user ${user}: wrong name, password or domain; check OS_USERNAME, OS_PASSWORD and OS_USER_DOMAIN_NAME`;
}

function notKeystone(authUrl: string, response: HttpResponse): OpenStackError {
  const detail = `${authUrl} does not respond like Keystone v3 (HTTP ${response.status}); check OS_AUTH_URL`;
  return new OpenStackError('identity', requestName, response.status, detail);
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
