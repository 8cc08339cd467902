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
  const answer = await http.send({
    service: 'identity',
    method: 'POST',
    url,
    headers: {},
    body,
    signal: options?.signal,
  });
  // 403: the token cannot be exchanged for another project, as with application credentials.
  if (answer.status === 401 || answer.status === 403) return null;
  const token = answer.headers['x-subject-token'];
  if (token !== undefined && answer.status < 300) return token;
  throw refusal(requestName, answer);
}

/** The projects of the bearer of a token, by name. */
export async function projectsOf(
  http: HttpClient,
  authUrl: string,
  token: string,
  options?: CloudCallOptions,
): Promise<OwnProject[]> {
  const answer = await http.send({
    service: 'identity',
    method: 'GET',
    url: new URL(`${authUrl}/auth/projects`),
    headers: { 'x-auth-token': token },
    signal: options?.signal,
  });
  if (answer.status === 401) return [];
  if (answer.status !== 200) throw refusal(projectsRequest, answer);
  return createFieldReader(answer.body, { service: 'identity', request: projectsRequest })
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
  const answer = await http.send({
    service: 'identity',
    method: 'DELETE',
    url: new URL(`${authUrl}/auth/tokens`),
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal: options?.signal,
  });
  if (answer.status < 300 || answer.status === 401 || answer.status === 404) return;
  throw refusal('DELETE /v3/auth/tokens', answer);
}

function refusal(request: string, { status, body }: HttpResponse): OpenStackError {
  return new OpenStackError(
    'identity',
    request,
    status,
    `Keystone: ${faultText(body) ?? `HTTP ${status} without explanation`}`,
  );
}
