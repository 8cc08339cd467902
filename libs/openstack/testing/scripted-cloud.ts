import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, silentLogger } from '#libs/domain';
import type { Cloud } from '../cloud.ts';
import type { OpenStackConfig } from '../config/openstack-config.ts';
import type { CloudCallMetrics } from '../http/measure-calls.ts';
import { createOpenStackCloud } from '../openstack-cloud.ts';

/** A request as it arrived. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A response, or a fault in its place: no response ever, or the connection closed without one. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'break';

/** Decides on a request. Undefined leaves it to the well-behaved default. */
type Script = (request: SeenRequest) => Reply | undefined;

/** A local server that acts as Keystone with version documents, and returns the scripted responses of a test. */
export interface ScriptedCloud {
  url: string;
  seen: SeenRequest[];
  script: Script;
  /** Life of the tokens given from now on. */
  tokenSeconds: number;
  /** Path of the compute service in the catalogue of tokens given from now on. */
  computePath: string;
  /** Most requests in progress at one time. */
  mostAtOnce: number;
  /** Requests whose method and path match, such as `POST /v3/auth/tokens`. */
  count(request: string): number;
  close(): Promise<void>;
}

/** The scripted cloud's only valid password. */
export const goodPassword = 'right';

/** Starts a scripted cloud on a free port. */
export async function startScriptedCloud(): Promise<ScriptedCloud> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cloud: ScriptedCloud = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    script: () => undefined,
    tokenSeconds: 3600,
    computePath: '/compute/v2.1',
    mostAtOnce: 0,
    count: (wanted) => cloud.seen.filter((request) => `${request.method} ${request.path}` === wanted).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  let open = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open += 1;
    cloud.mostAtOnce = Math.max(cloud.mostAtOnce, open);
    response.once('close', () => {
      open -= 1;
    });
    const seen = await readRequest(request);
    cloud.seen.push(seen);
    const reply = cloud.script(seen) ?? wellBehaved(cloud, seen);
    if (reply === 'hang') return;
    if (reply === 'break') {
      request.socket.destroy();
      return;
    }
    const body =
      reply.body === undefined ? '' : typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body);
  }

  return cloud;
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const url = new URL(request.url ?? '/', 'http://scripted.invalid');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers, body };
}

function wellBehaved(cloud: ScriptedCloud, request: SeenRequest): Reply {
  switch (`${request.method} ${request.path}`) {
    case 'POST /v3/auth/tokens':
      return giveToken(cloud, request);
    case 'GET /compute/v2.1/':
      return { status: 200, body: { version: { id: 'v2.1', version: '2.93', min_version: '2.1' } } };
    case 'GET /placement/':
      return { status: 200, body: { versions: [{ id: 'v1.0', max_version: '1.39', min_version: '1.0' }] } };
    default:
      return { status: 404, body: { itemNotFound: { code: 404, message: 'nothing here' } } };
  }
}

function giveToken(cloud: ScriptedCloud, request: SeenRequest): Reply {
  const text = JSON.stringify(request.body);
  const unscoped = text.includes('"unscoped"');
  if (!text.includes(`"${goodPassword}"`) || (!unscoped && !text.includes('"vigil-project"'))) {
    return { status: 401, body: { error: { code: 401, message: 'requires authentication', title: 'Unauthorized' } } };
  }
  const endpoint = (type: string, path: string) => ({
    type,
    name: type,
    endpoints: ['public', 'internal'].map((name) => ({
      interface: name,
      region_id: 'RegionOne',
      region: 'RegionOne',
      url: `${cloud.url}${path}`,
    })),
  });
  const issued = Date.UTC(2026, 0, 1);
  const body = {
    token: {
      issued_at: new Date(issued).toISOString(),
      expires_at: new Date(issued + cloud.tokenSeconds * 1000).toISOString(),
      catalog: [endpoint('compute', cloud.computePath), endpoint('placement', '/placement')],
    },
  };
  const token = `token-${cloud.count('POST /v3/auth/tokens')}`;
  return { status: 201, body, headers: { 'x-subject-token': token } };
}

/**
 * The client under test, pausing 1 ms between tries, with a clock that tests may move. It is patient: a busy machine is
 * not an outage.
 */
export function connectTo(
  scripted: { url: string },
  changes: Partial<OpenStackConfig> = {},
  deps: { clock?: Clock; metrics?: CloudCallMetrics } = {},
): Cloud {
  return createOpenStackCloud(configFor(scripted, changes), {
    logger: silentLogger,
    clock: deps.clock ?? { now: Date.now },
    metrics: deps.metrics,
    random: () => 0.5,
  });
}

/** The configuration of a client of a scripted cloud, with short pauses between tries. */
export function configFor(scripted: { url: string }, changes: Partial<OpenStackConfig> = {}): OpenStackConfig {
  return {
    authUrl: scripted.url,
    credentials: passwordCredentials(goodPassword),
    region: 'RegionOne',
    timeoutMs: 60_000,
    retryDelayMs: 1,
    ...changes,
  };
}

/** Password credentials of the scripted cloud's user. */
export function passwordCredentials(password: string, project = 'vigil-project'): OpenStackConfig['credentials'] {
  const domain = { id: 'default' };
  return { kind: 'password', user: { name: 'vigil', domain }, password, project: { name: project, domain } };
}

/** The error that a call ends with. Throws when it ends well. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to fail');
}
