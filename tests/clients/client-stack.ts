import { findFreePorts } from '#libs/service-kit/embedded';
import { cloudEnv } from '../system/cloud-env.ts';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import { type CommandResult, type OpenStackCommand, startOpenStackCommand } from './openstack-command.ts';

/** A row or an object as `-f json` prints it: values by column label. */
export type Printed = Record<string, unknown>;

/** Vigil with every process, a simulated cloud whose catalogue lists it, and the real client logged in as admin. */
export interface ClientStack {
  stack: TestStack;
  /** The API, as the catalogue lists it. */
  apiUrl: string;
  openstack: OpenStackCommand;
  /** Runs `openstack optimize ARGS` and returns its result, even if it fails. */
  optimize(...args: string[]): Promise<CommandResult>;
  /** `openstack optimize ARGS -f json`, which must succeed. */
  show(...args: string[]): Promise<Printed>;
  /** The same for commands that print rows. */
  list(...args: string[]): Promise<Printed[]>;
  /**
   * Runs `openstack optimize ARGS` as a user does. Returns the cells of each line of the table, starting with the
   * heading.
   */
  table(...args: string[]): Promise<string[][]>;
  /** Message of a command that must fail. */
  refusal(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything. `world` are arguments of the simulator. */
export async function startClientStack(world: string[]): Promise<ClientStack> {
  const port = await findPort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const stack = await startTestStack({ simulator: [...world, '--api-url', apiUrl], env: { VIGIL_PORT: String(port) } });
  let openstack: OpenStackCommand | undefined;
  const stop = async () => {
    await openstack?.close();
    await stack.stop();
  };
  try {
    openstack = startOpenStackCommand(adminEnvironment(`${stack.simulator.url}/identity/v3`));
    await Promise.all([stack.start(['decision-engine']), stack.start(['applier'])]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stack, apiUrl, openstack, ...commands(openstack), stop };
}

/** A free port. Watcher's client cuts every 1 and v off the end of an endpoint, as if they were its version. */
async function findPort(): Promise<number> {
  const ports = await findFreePorts(8);
  const usable = ports.find((port) => port % 10 !== 1);
  return usable ?? findPort();
}

function adminEnvironment(authUrl: string): Record<string, string> {
  return {
    ...cloudEnv(null, 'admin', 'admin'),
    OS_AUTH_URL: authUrl,
    OS_AUTH_TYPE: 'password',
    OS_IDENTITY_API_VERSION: '3',
  };
}

function commands(openstack: OpenStackCommand) {
  const optimize = (...args: string[]) => openstack.run(['optimize', ...args]);
  const succeed = async (args: string[]) => {
    const { code, stdout, stderr } = await optimize(...args);
    if (code !== 0) throw new Error(`openstack optimize ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  };
  return {
    optimize,
    show: async (...args: string[]) => JSON.parse(await succeed([...args, '-f', 'json'])) as Printed,
    list: async (...args: string[]) => JSON.parse(await succeed([...args, '-f', 'json'])) as Printed[],
    table: async (...args: string[]) => cellsOf(await succeed(args)),
    refusal: async (...args: string[]) => {
      const { code, stdout, stderr } = await optimize(...args);
      if (code === 0) throw new Error(`openstack optimize ${args.join(' ')} succeeded: ${stdout}`);
      return stderr;
    },
  };
}

function cellsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
