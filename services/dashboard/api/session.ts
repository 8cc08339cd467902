import { apiUrl } from './base-url.ts';

/** Who is signed in, as the API tells. */
export interface Session {
  auth: 'keystone' | 'none';
  signed_in: boolean;
  user: string | null;
  project: string | null;
  roles: string[];
  /** Names of policy rules that allow the user, such as `audit:create`. */
  permissions: string[];
  /** Time zone in which cron text is read. */
  cron_time_zone: string;
}

/** What a person signs in with. */
export interface SignInForm {
  user: string;
  user_domain: string;
  password: string;
  project: string;
  project_domain: string;
}

const headers = { 'X-Vigil-Dashboard': '1', 'Content-Type': 'application/json' };
const url = () => `${apiUrl()}/dashboard/session`;

/** Asks who is signed in. */
export async function readSession(): Promise<Session> {
  const response = await fetch(url(), { headers, credentials: 'same-origin' });
  if (!response.ok) throw new Error(`the API answers ${response.status}`);
  return (await response.json()) as Session;
}

/** Signs in. @throws Error with the API's reason. */
export async function signIn(form: SignInForm): Promise<Session> {
  const body = JSON.stringify(form);
  const response = await fetch(url(), { method: 'POST', headers, body, credentials: 'same-origin' });
  if (response.ok) return (await response.json()) as Session;
  throw new Error(await reasonOf(response));
}

/** Ends the session. @throws Error with the API's reason, or when it can not be reached: the session then lives on. */
export async function signOut(): Promise<void> {
  const own = { 'X-Vigil-Dashboard': '1' };
  const response = await fetch(url(), { method: 'DELETE', headers: own, credentials: 'same-origin' });
  if (!response.ok) throw new Error(await reasonOf(response));
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error_message?: string };
    const inner = JSON.parse(body.error_message ?? '{}') as { faultstring?: string };
    return inner.faultstring ?? `the API answers ${response.status}`;
  } catch {
    return `the API answers ${response.status}`;
  }
}
