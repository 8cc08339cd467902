import { apiUrl } from './base-url.ts';
import { serverClock } from './server-clock.ts';
import { withTimeLimit } from './with-time-limit.ts';

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
  /** Pages of other programs; `{host}`, `{uuid}` and `{name}` are to be filled in. */
  links: { grafana_host: string | null; grafana_instance: string | null; horizon: string | null };
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

/** Longest wait in milliseconds for an answer; Keystone has its own, shorter limits behind it. */
const limitMs = 30_000;

/** Asks who is signed in. @throws Error when the API does not tell within the time limit. */
export function readSession(): Promise<Session> {
  return send<Session>({ headers });
}

/** Signs in. @throws Error with the API's reason, or that it does not answer. */
export function signIn(form: SignInForm): Promise<Session> {
  return send<Session>({ method: 'POST', headers, body: JSON.stringify(form) });
}

/** Ends the session. @throws Error with the API's reason, or when it cannot be reached: the session then lives on. */
export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', headers: { 'X-Vigil-Dashboard': '1' } });
}

function send<Answer>(init: RequestInit): Promise<Answer> {
  return withTimeLimit(limitMs, async (signal) => {
    const sentAt = performance.now();
    const response = await fetch(url(), { ...init, credentials: 'same-origin', signal });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (!response.ok) throw new Error(await reasonOf(response));
    const text = await response.text();
    return (text === '' ? null : JSON.parse(text)) as Answer;
  });
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
