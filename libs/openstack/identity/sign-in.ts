import type { CloudCallOptions } from '../call-options.ts';
import type { Credentials } from '../config/openstack-config.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import type { HttpAnswer, HttpClient } from '../http/http-client.ts';
import { authRequest } from './auth-request.ts';
import type { SignIn } from './types.ts';

const requestName = 'POST /v3/auth/tokens';

/** A token for a person's password, asked for once; null when Keystone refuses it. */
export async function signIn(
  http: HttpClient,
  authUrl: string,
  login: SignIn,
  options?: CloudCallOptions,
): Promise<string | null> {
  const credentials: Credentials = {
    kind: 'password',
    user: { name: login.userName, domain: { name: login.userDomain } },
    password: login.password,
    project: { name: login.projectName, domain: { name: login.projectDomain } },
  };
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
  if (answer.status === 401) return null;
  const token = answer.headers['x-subject-token'];
  if (token !== undefined && answer.status < 300) return token;
  throw refusal(requestName, answer);
}

/** Takes a token back with itself as the right to do so. Keystone no longer knowing it (401, 404) is as good. */
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

function refusal(request: string, { status, body }: HttpAnswer): OpenStackError {
  return new OpenStackError(
    'identity',
    request,
    status,
    `Keystone: ${faultText(body) ?? `HTTP ${status} without explanation`}`,
  );
}
