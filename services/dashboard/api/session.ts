import { text } from '../texts/texts.ts';
import { apiUrl } from './base-url.ts';
import type { RoutesForReading } from './closed-routes.ts';
import { serverClock } from './server-clock.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** Who is signed in, as the API tells. */
export interface Session {
  auth: 'keystone' | 'none';
  signed_in: boolean;
  user: string | null;
  /** Null while none is chosen. */
  project: string | null;
  project_id: string | null;
  roles: string[];
  /** Names of policy rules that allow the user, such as `audit:create`. */
  permissions: string[];
  /** Routes that only read, as in the OpenAPI documents: those that the policy refuses, and those that it allows. */
  routes: RoutesForReading;
  /** Time zone in which cron text is read. */
  cron_time_zone: string;
  /** Pages of other programs. `{host}`, `{uuid}` and `{name}` are to be filled in. */
  links: { grafana_host: string | null; grafana_instance: string | null; horizon: string | null };
  /** Seconds after which it ends when nobody uses it. Null: it does not. */
  seconds_left: number | null;
  /** Seconds without use after which it ends, as configured. Null: it does not. */
  idle_seconds: number | null;
  /** Seconds after which it ends in any case. */
  ends_in: number | null;
  /** Ways to sign in at Keystone's federation, while nobody is signed in. */
  web_sso?: readonly { id: string; label: string }[];
}

/** A project in which one has a role. */
export interface Project {
  id: string;
  name: string;
  domain_id: string | null;
}

/** Credentials of a person: a password, with user and project. */
export interface PasswordForm {
  user: string;
  user_domain: string;
  password: string;
  project: string;
  project_domain: string;
}

/** Credentials of a person: an application credential, which has user and project. */
export interface CredentialForm {
  application_credential_id: string;
  application_credential_secret: string;
}

const headers = { 'X-Vigil-Dashboard': '1', 'Content-Type': 'application/json' };
const url = (path = '') => `${apiUrl()}/dashboard/session${path}`;

/** Longest wait in milliseconds for a response; Keystone has its own, shorter limits behind it. */
const limitMs = 30_000;

/** Asks who is signed in. @throws Error when the API does not tell within the time limit. */
export function readSession(): Promise<Session> {
  return send<Session>({ headers });
}

/** The same, without being a sign of life of a person: for how long the session lives on. */
export function peekSession(): Promise<Session> {
  return send<Session>({ headers: { ...headers, 'X-Vigil-Dashboard': 'unattended' } });
}

/** Signs in. @throws Error with the API's reason, or that it does not answer. */
export function signIn(form: PasswordForm | CredentialForm): Promise<Session> {
  return send<Session>({ method: 'POST', headers, body: JSON.stringify(form) });
}

/** Where to sign in at Keystone. The browser then returns by itself. @throws Error as `signIn` */
export async function startWebSso(choice: string): Promise<string> {
  const init = { method: 'POST', headers, body: JSON.stringify({ choice }) };
  return (await send<{ url: string }>(init, '/websso/start')).url;
}

/** The projects of who is signed in. @throws Error as `signIn` */
export async function listProjects(): Promise<Project[]> {
  return (await send<{ projects: Project[] }>({ headers }, '/projects')).projects;
}

/** Continues in another project, with the roles that one has there. @throws Error as `signIn` */
export function switchProject(id: string): Promise<Session> {
  return send<Session>({ method: 'POST', headers, body: JSON.stringify({ project: id }) }, '/project');
}

/** Ends the session. @throws Error with the API's reason, or when it cannot be reached: the session then lives on. */
export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', headers: { 'X-Vigil-Dashboard': '1' } });
}

function send<Answer>(init: RequestInit, path?: string): Promise<Answer> {
  return withTimeLimit(limitMs, async (signal) => {
    const sentAt = performance.now();
    const response = await fetch(url(path), { ...init, credentials: 'same-origin', signal });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (!response.ok) throw new Error(await reasonOf(response));
    const body = await response.text();
    return (body === '' ? null : JSON.parse(body)) as Answer;
  });
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error_message?: string };
    const inner = JSON.parse(body.error_message ?? '{}') as { faultstring?: string };
    return inner.faultstring ?? text('session.unanswered', { status: String(response.status) });
  } catch {
    return text('session.unanswered', { status: String(response.status) });
  }
}
