import { text } from '../texts/texts.ts';
import { apiUrl } from './base-url.ts';
import type { RoutesForReading } from './closed-routes.ts';
import { serverClock } from './server-clock.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** The signed-in user, as reported by the API. */
export interface Session {
  auth: 'keystone' | 'none';
  signed_in: boolean;
  user: string | null;
  /** Null until a project is selected. */
  project: string | null;
  project_id: string | null;
  roles: string[];
  /** Names of the policy rules that allow the user, such as `audit:create`. */
  permissions: string[];
  /** Read-only routes as in the OpenAPI documents: those that the policy refuses, and those that it allows. */
  routes: RoutesForReading;
  /** Time zone of cron expressions. */
  cron_time_zone: string;
  /** Pages of other programs with the placeholders `{host}`, `{uuid}` and `{name}`. */
  links: { grafana_host: string | null; grafana_instance: string | null; horizon: string | null };
  /** Seconds until the session ends without use. Null: it has no idle timeout. */
  seconds_left: number | null;
  /** Configured idle timeout in seconds. Null: none. */
  idle_seconds: number | null;
  /** Seconds until the session ends in any case. */
  ends_in: number | null;
  /** Sign-in methods of Keystone's federation, while no user is signed in. */
  web_sso?: readonly { id: string; label: string }[];
}

/** Whether the session is in a project: without one, it reads nothing. */
export function hasProject({ auth, project_id: id }: Session): boolean {
  return auth !== 'keystone' || id !== null;
}

/** A project in which the user has a role. */
export interface Project {
  id: string;
  name: string;
  domain_id: string | null;
}

/** Password credentials with user and project. */
export interface PasswordForm {
  user: string;
  user_domain: string;
  password: string;
  project: string;
  project_domain: string;
}

/** Application credential, which determines user and project. */
export interface CredentialForm {
  application_credential_id: string;
  application_credential_secret: string;
}

const headers = { 'X-Vigil-Dashboard': '1', 'Content-Type': 'application/json' };
const url = (path = '') => `${apiUrl()}/dashboard/session${path}`;

/** Longest wait for a response in milliseconds. Keystone has its own, shorter limits. */
const limitMs = 30_000;

/** Reads the signed-in user. @throws Error if the API does not respond within the time limit. */
export function readSession(): Promise<Session> {
  return send<Session>({ headers });
}

/** Reads the session without extending it: the remaining lifetime. */
export function peekSession(): Promise<Session> {
  return send<Session>({ headers: { ...headers, 'X-Vigil-Dashboard': 'unattended' } });
}

/** Signs in. @throws Error with the API's reason, or if it does not respond. */
export function signIn(form: PasswordForm | CredentialForm): Promise<Session> {
  return send<Session>({ method: 'POST', headers, body: JSON.stringify(form) });
}

/** URL of the sign-in at Keystone. The browser then returns automatically. @throws Error as `signIn` */
export async function startWebSso(choice: string): Promise<string> {
  const init = { method: 'POST', headers, body: JSON.stringify({ choice }) };
  return (await send<{ url: string }>(init, '/websso/start')).url;
}

/** The projects of the signed-in user. @throws Error as `signIn` */
export async function listProjects(): Promise<Project[]> {
  return (await send<{ projects: Project[] }>({ headers }, '/projects')).projects;
}

/** Continues in another project, with the user's roles there. @throws Error as `signIn` */
export function switchProject(id: string): Promise<Session> {
  return send<Session>({ method: 'POST', headers, body: JSON.stringify({ project: id }) }, '/project');
}

/** Ends the session. @throws Error with the API's reason, or if it is unreachable: the session then stays. */
export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', headers: { 'X-Vigil-Dashboard': '1' } });
}

function send<Result>(init: RequestInit, path?: string): Promise<Result> {
  return withTimeLimit(limitMs, async (signal) => {
    const sentAt = performance.now();
    const response = await fetch(url(path), { ...init, credentials: 'same-origin', signal });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (!response.ok) throw new Error(await reasonOf(response));
    const body = await response.text();
    return (body === '' ? null : JSON.parse(body)) as Result;
  });
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error_message?: string };
    const inner = JSON.parse(body.error_message ?? '{}') as { faultstring?: string };
    return inner.faultstring ?? text('session.apiReturned', { status: String(response.status) });
  } catch {
    return text('session.apiReturned', { status: String(response.status) });
  }
}
