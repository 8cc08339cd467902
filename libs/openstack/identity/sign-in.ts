import type { CloudCallOptions } from '../call-options.ts';
import type { Credentials } from '../config/openstack-config.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import { createFieldReader } from '../http/field-reader.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { authRequest } from './auth-request.ts';
import type { OwnProject } from './types.ts';

const requestName = 'POST /v3/auth/tokens';
const projectsRequest = 'GET /v3/auth/projects';

/** A token for a user, requested once. Null when Keystone refuses it. */
export async function signIn(
  http: HttpClient,
  authUrl: string,
  credentials: Credentials,
  options?: CloudCallOptions,
): Promise<string | null> {
  const url = new URL(`${authUrl}/auth/tokens`);
  const body = authRequest(credentials);
  const response = await http.send({
    service: 'identity',
    method: 'POST',
    url,
    headers: {},
    body,
    signal: options?.signal,
  });
  // 403: the token cannot be exchanged for another project, as with application credentials.
  if (response.status === 401 || response.status === 403) return null;
  const token = response.headers['x-subject-token'];
  if (token !== undefined && response.status < 300) return token;
  throw refusal(requestName, response);
}

/** The projects of the bearer of a token, by name. */
export async function projectsOf(
  http: HttpClient,
  authUrl: string,
  token: string,
  options?: CloudCallOptions,
): Promise<OwnProject[]> {
  const response = await http.send({
    service: 'identity',
    method: 'GET',
    url: new URL(`${authUrl}/auth/projects`),
    headers: { 'x-auth-token': token },
    signal: options?.signal,
  });
  if (response.status === 401) return [];
  if (response.status !== 200) throw refusal(projectsRequest, response);
  return createFieldReader(response.body, { service: 'identity', request: projectsRequest })
    .list('projects')
    .filter((project) => project.booleanOr('enabled', true))
    .map((project) => ({
      id: project.text('id'),
      name: project.text('name'),
      domainId: project.optionalText('domain_id'),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Revokes a token with its own rights. An unknown token (401, 404) counts as revoked. */
export async function revokeToken(
  http: HttpClient,
  authUrl: string,
  token: string,
  options?: CloudCallOptions,
): Promise<void> {
  const response = await http.send({
    service: 'identity',
    method: 'DELETE',
    url: new URL(`${authUrl}/auth/tokens`),
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal: options?.signal,
  });
  if (response.status < 300 || response.status === 401 || response.status === 404) return;
  throw refusal('DELETE /v3/auth/tokens', response);
}

function refusal(request: string, { status, body }: HttpResponse): OpenStackError {
  return new OpenStackError(
    'identity',
    request,
    status,
    `Keystone: ${faultText(body) ?? `HTTP ${status} without explanation`}`,
  );
}
