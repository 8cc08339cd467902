import type { Credentials } from '../config/openstack-config.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { CloudCallOptions, SignIn } from '../ports.ts';
import { authRequest } from './auth-request.ts';

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
  const detail = faultText(answer.body) ?? `HTTP ${answer.status} without explanation`;
  throw new OpenStackError('identity', requestName, answer.status, `Keystone: ${detail}`);
}
