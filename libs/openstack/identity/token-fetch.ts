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
 * Requests a token from Keystone. Throws an OpenStackError with one line that names the setting to check: wrong URL,
 * wrong
 * user or password, project missing or closed to the user, application credential or token refused.
 */
export async function fetchToken(http: HttpClient, authUrl: string, credentials: Credentials): Promise<FetchedToken> {
  if (credentials.kind === 'token' && credentials.project === null) {
    return readTokenAsItIs(http, authUrl, credentials.token);
  }
  const answer = await post(http, authUrl, authRequest(credentials));
  if (answer.status !== 201 && answer.status !== 200) throw await refusal(http, authUrl, credentials, answer);
  const token = answer.headers['x-subject-token'];
  if (token === undefined) throw notKeystone(authUrl, answer);
  return { token, ...contentOf(authUrl, answer) };
}

async function readTokenAsItIs(http: HttpClient, authUrl: string, token: string): Promise<FetchedToken> {
  const url = new URL(`${authUrl}/auth/tokens`);
  const headers = { 'x-auth-token': token, 'x-subject-token': token };
  const answer = await http.send({ service: 'identity', method: 'GET', url, headers });
  if (answer.status === 401 || answer.status === 404) {
    throw new OpenStackError('identity', 'GET /v3/auth/tokens', 401, 'Keystone refused OS_TOKEN: unknown or expired');
  }
  if (answer.status !== 200) throw notKeystone(authUrl, answer);
  return { token, ...contentOf(authUrl, answer) };
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

function contentOf(authUrl: string, answer: HttpResponse): Omit<FetchedToken, 'token'> {
  const content = field(answer.body, 'token');
  const expires = Date.parse(String(field(content, 'expires_at')));
  const issued = Date.parse(String(field(content, 'issued_at')));
  if (Number.isNaN(expires) || Number.isNaN(issued)) throw notKeystone(authUrl, answer);
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
  answer: HttpResponse,
): Promise<OpenStackError> {
  const text = faultText(answer.body);
  if (text === null || answer.status === 404) return notKeystone(authUrl, answer);
  if (answer.status !== 401) return new OpenStackError('identity', requestName, answer.status, `Keystone: ${text}`);
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

function notKeystone(authUrl: string, answer: HttpResponse): OpenStackError {
  const detail = `${authUrl} does not respond like Keystone v3 (HTTP ${answer.status}); check OS_AUTH_URL`;
  return new OpenStackError('identity', requestName, answer.status, detail);
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
