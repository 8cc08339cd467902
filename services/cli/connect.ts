import { readFileSync } from 'node:fs';
import { createVigilClient, type KeystoneCredentials, type VigilClient } from '#libs/client';
import { type CliContext, type GlobalOptions, note } from './cli-context.ts';
import { withCloud } from './clouds-file.ts';
import { UsageError } from './errors.ts';
import { fetchWithTls } from './fetch-with-tls.ts';
import { tracedFetch } from './traced-fetch.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The API client for the command line and the environment. URL: `--url` or `VIGIL_API_URL`, else from the Keystone
 * catalogue. Login: the usual `OS_*` variables, or the cloud of `clouds.yaml` that `OS_CLOUD` or `--os-cloud` names.
 * With a URL and no credentials it sends no token. Without any of these it uses the running local stack.
 */
export function connect(
  globals: GlobalOptions,
  context: Pick<CliContext, 'env' | 'findStack' | 'signal' | 'onServerTime' | 'err' | 'verbosity'>,
): VigilClient {
  const { signal } = context;
  const environment: Env = {
    ...context.env,
    ...(isPlaceGiven(globals, context.env) ? {} : context.findStack?.((line) => note(context, `${line}\n`))),
  };
  const env: Env = {
    ...withCloud(environment, globals.osCloud ?? environment.OS_CLOUD),
    ...(globals.osCacert === undefined ? {} : { OS_CACERT: globals.osCacert }),
    ...(globals.insecure ? { OS_INSECURE: 'true' } : {}),
  };
  const url = globals.url ?? env.VIGIL_API_URL;
  const credentials = readCredentials(globals, env);
  if (!url && !credentials) {
    throw new UsageError(
      'no API configured: set VIGIL_API_URL, --url or OS_AUTH_URL; no vigil up runs with this data folder',
    );
  }
  if (url && !/^https?:\/\//.test(url)) throw new UsageError(`${url} is not an http URL`);
  const timeoutSeconds = Number(globals.timeout ?? 30);
  if (!(timeoutSeconds > 0)) throw new UsageError(`--timeout must be a number of seconds, not ${globals.timeout}`);
  return createVigilClient({
    url: url || undefined,
    credentials: credentials ?? undefined,
    microversion: globals.apiVersion ?? env.OS_INFRA_OPTIM_API_VERSION ?? '1.7',
    timeoutMs: timeoutSeconds * 1000,
    fetch: hearingServer(tracedFetch(fetchWithTls(env) ?? fetch, context), context),
    signal,
  });
}

/** Code of warnings of `Warning` headers that are shown to users. */
const personalWarning = /^299 \S+ "((?:[^"\\]|\\.)*)"/;

/**
 * Takes the server's time, since a wrong local clock must not put its times into the future, and prints the server's
 * warnings.
 */
function hearingServer(
  send: typeof fetch,
  context: Pick<CliContext, 'onServerTime' | 'err' | 'verbosity'>,
): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const millis = Date.parse(response.headers.get('X-Vigil-Time') ?? '');
    if (!Number.isNaN(millis)) context.onServerTime?.(millis);
    const warning = personalWarning.exec(response.headers.get('Warning') ?? '')?.[1];
    if (warning !== undefined) context.err(`warning: ${warning.replace(/\\(.)/g, '$1')}\n`);
    return response;
  };
}

/** Whether the command line or the environment names an API or a cloud. An empty variable names none. */
function isPlaceGiven(globals: GlobalOptions, env: Env): boolean {
  const { url, osAuthUrl, osCloud } = globals;
  return [url, osAuthUrl, osCloud, env.VIGIL_API_URL, env.OS_AUTH_URL, env.OS_CLOUD].some(Boolean);
}

function readCredentials(globals: GlobalOptions, env: Env): KeystoneCredentials | null {
  const authUrl = globals.osAuthUrl ?? env.OS_AUTH_URL;
  if (!authUrl) return null;
  const place = {
    authUrl,
    region: globals.osRegionName ?? env.OS_REGION_NAME,
    interface: readInterface(globals.osInterface ?? env.OS_INTERFACE),
  };
  const project = {
    projectName: globals.osProjectName ?? env.OS_PROJECT_NAME,
    projectId: env.OS_PROJECT_ID,
    projectDomain: { name: globals.osProjectDomainName ?? env.OS_PROJECT_DOMAIN_NAME, id: env.OS_PROJECT_DOMAIN_ID },
  };
  const userDomain = { name: globals.osUserDomainName ?? env.OS_USER_DOMAIN_NAME, id: env.OS_USER_DOMAIN_ID };
  const token = globals.osToken ?? secret(env, 'OS_TOKEN');
  if (token) return { kind: 'token', token, ...place, ...project };
  const applicationSecret = secret(env, 'OS_APPLICATION_CREDENTIAL_SECRET');
  const userName = globals.osUsername ?? env.OS_USERNAME;
  if (applicationSecret) {
    const { OS_APPLICATION_CREDENTIAL_ID: id, OS_APPLICATION_CREDENTIAL_NAME: name } = env;
    return { kind: 'application-credential', id, name, secret: applicationSecret, userName, userDomain, ...place };
  }
  const password = globals.osPassword ?? secret(env, 'OS_PASSWORD');
  if (!password || !(userName || env.OS_USER_ID)) {
    throw new UsageError(
      'OS_AUTH_URL is set without a login: set OS_USERNAME and OS_PASSWORD, OS_TOKEN, or an application credential',
    );
  }
  return { kind: 'password', userName, userId: env.OS_USER_ID, password, userDomain, ...place, ...project };
}

function secret(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  return env[name] ?? (file ? readFileSync(file, 'utf8').trim() : undefined);
}

function readInterface(text: string | undefined): 'public' | 'internal' | 'admin' {
  const word = (text ?? 'public').replace(/URL$/, '');
  if (word === 'public' || word === 'internal' || word === 'admin') return word;
  throw new UsageError(`the interface must be public, internal or admin, not ${text}`);
}
