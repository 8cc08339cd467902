import { createVigilClient, type VigilClient } from '#libs/client';
import { messageOf } from '#libs/domain';
import { retry } from '#libs/service-kit';
import { cloudEnv, startVigil, type VigilProcess } from '../../tests/system/index.ts';

/** The simulated cloud of a stack. */
export interface StackSimulator {
  /** Environment for processes and clients of the cloud, as the service user or another one. */
  credentials(user?: string, project?: string): NodeJS.ProcessEnv;
  /** Client of an API whose users are those of the cloud. */
  clientOf(apiUrl: string, timeoutMs: number): VigilClient;
  /**
   * POSTs to (or with `null` GETs from) the control API. Repeats requests without a response.
   * @throws Error with the response when it is not 2xx
   */
  control<Result>(path: string, body: object | null, method?: string): Promise<Result>;
  stop(): Promise<void>;
}

const controlLimitMs = 60_000;
/** On a busy machine, the simulator may close an idle connection while `fetch` reuses it. */
const controlRetries = { tries: 5, pauses: { firstMs: 100, longestMs: 1000 } };

/** Starts the simulator on a free port. */
export async function startSimulator(args: readonly string[], env: NodeJS.ProcessEnv): Promise<StackSimulator> {
  const simulator = await startVigil(['simulator', '--port', '0', ...args], { VIGIL_LOG_LEVEL: 'error', ...env });
  return {
    credentials: (user, project) => cloudEnv(simulator.url, user, project),
    clientOf: (apiUrl, timeoutMs) => clientOf(simulator, apiUrl, timeoutMs),
    control: (path, body, method) => control(simulator, path, body, method),
    stop: async () => void (await simulator.stop()),
  };
}

function clientOf(simulator: VigilProcess, url: string, timeoutMs: number): VigilClient {
  const domain = { name: 'Default' };
  return createVigilClient({
    url,
    timeoutMs,
    credentials: {
      kind: 'password',
      authUrl: `${simulator.url}/identity`,
      userName: 'admin',
      password: 'vigil',
      userDomain: domain,
      projectName: 'admin',
      projectDomain: domain,
    },
  });
}

async function control<Result>(
  simulator: VigilProcess,
  path: string,
  body: object | null,
  method = body ? 'POST' : 'GET',
): Promise<Result> {
  const send = () =>
    fetch(`${simulator.url}/simulator${path}`, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(controlLimitMs),
    });
  const response = await retry(send, controlRetries).catch((error: Error) => {
    throw new Error(`simulator ${path}: ${messageOf(error.cause ?? error)}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as Result;
}
