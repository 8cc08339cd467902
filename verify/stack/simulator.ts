import { createVigilClient, type VigilClient } from '#libs/client';
import { cloudEnv, startVigil, type VigilProcess } from '../../tests/system/index.ts';

/** The simulated cloud of a stack. */
export interface StackSimulator {
  /** Environment for processes and clients of the cloud, as the service user or another one. */
  credentials(user?: string, project?: string): NodeJS.ProcessEnv;
  /** Client of an API whose users are those of the cloud. */
  clientOf(apiUrl: string, timeoutMs: number): VigilClient;
  /** POSTs to (or with `null` GETs from) the control API. @throws Error with the response when it is not 2xx. */
  control<Result>(path: string, body: object | null, method?: string): Promise<Result>;
  stop(): Promise<void>;
}

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
  const response = await fetch(`${simulator.url}/simulator${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as Result;
}
