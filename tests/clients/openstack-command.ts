import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { testServerUrl } from '../servers/test-server-url.ts';

/** Output of a command, and how it ended. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The real `openstack` command, kept running. Commands run sequentially. */
export interface OpenStackCommand {
  /** `openstack ARGS`. */
  run(args: string[]): Promise<CommandResult>;
  close(): Promise<void>;
}

const driver = fileURLToPath(new URL('./run-commands.py', import.meta.url));

/** Starts the client with the `OS_*` variables of `env` and nothing else of this process's environment. */
export function startOpenStackCommand(env: Record<string, string>): OpenStackCommand {
  const child = spawn(testServerUrl('pythonClients'), [driver], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONWARNINGS: 'ignore', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const responses = readResponses(child);
  let last: Promise<unknown> = Promise.resolve();
  const request = async (args: string[]) => {
    child.stdin?.write(`${JSON.stringify(args)}\n`);
    return responses.next(args);
  };
  return {
    run(args) {
      const response = last.then(() => request(args));
      last = response.catch(() => undefined);
      return response;
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done));
      child.stdin?.end();
      if (child.exitCode === null) await ended;
    },
  };
}

function readResponses(child: ChildProcess): { next(args: string[]): Promise<CommandResult> } {
  if (!child.stdout || !child.stderr) throw new Error('the client has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let noise = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    noise = (noise + chunk).slice(-10_000);
  });
  return {
    async next(args) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`openstack ${args.join(' ')}: the client ended: ${noise}`);
      return JSON.parse(value) as CommandResult;
    },
  };
}
