import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { testServerUrl } from '../servers/test-server-url.ts';

/** A response as the client library parsed it. */
export type HorizonResponse = { value: unknown } | { error: string; status: number | null; message: string };

/** Horizon's watcher plugin from the API's perspective: its client library with the token of a signed-in user. */
export interface HorizonPlugin {
  /** A call that must succeed. `version` is the microversion that the plugin pins for it. */
  call(version: string, manager: string, method: string, args?: unknown[], kwargs?: object): Promise<unknown>;
  /** A call that must be refused. */
  refusal(version: string, manager: string, method: string, args?: unknown[], kwargs?: object): Promise<unknown>;
  close(): Promise<void>;
}

const driver = fileURLToPath(new URL('./horizon-calls.py', import.meta.url));

/** Starts the library against `apiUrl`. Calls run sequentially. */
export async function startHorizonPlugin(apiUrl: string, token: string): Promise<HorizonPlugin> {
  // The library keeps the versions of servers below the home folder.
  const home = await mkdtemp(join(tmpdir(), 'vigil-horizon-'));
  const child = spawn(testServerUrl('pythonClients'), [driver], {
    env: { PATH: process.env.PATH, HOME: home, WATCHER_URL: apiUrl, WATCHER_TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (...[version, manager, method, args = [], kwargs = {}]: Parameters<HorizonPlugin['call']>) => {
    child.stdin.write(`${JSON.stringify({ version, manager, method, args, kwargs })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${manager}.${method}: the client library ended`);
    return JSON.parse(value) as HorizonResponse;
  };
  return {
    async call(...request) {
      const response = await ask(...request);
      if ('error' in response) throw new Error(`${request[1]}.${request[2]}: ${response.error} ${response.message}`);
      return response.value;
    },
    async refusal(...request) {
      const response = await ask(...request);
      if ('value' in response) throw new Error(`${request[1]}.${request[2]} succeeded`);
      return response;
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      if (child.exitCode === null) await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
