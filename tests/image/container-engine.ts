import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Tried in this order. */
const engines = ['docker', 'podman'];
/** Longest time of any command except a build. */
const commandLimitMs = 400_000;
/** Longest time of `npm ci` and a full build on a busy machine. */
const buildLimitMs = 1_800_000;

/** Program that builds images and runs containers. */
export interface ContainerEngine {
  /** Runs a command of the engine, such as `inspect`. Returns its output. @throws Error with its error output */
  engine(...args: string[]): Promise<string>;
  /** Builds the Dockerfile of the working directory. @throws Error with the end of the output */
  build(tag: string): Promise<void>;
  /** Runs a command of Compose, with `env` over the environment. @throws Error with its error output */
  compose(args: string[], env: NodeJS.ProcessEnv): Promise<string>;
  /** Flags with which `compose up` returns before the services end, if it does not by default. */
  readonly detached: readonly string[];
  /** Names of the commands, for messages. */
  readonly description: string;
}

/**
 * The engine of this machine: `VIGIL_CONTAINER_ENGINE`, otherwise the first of docker and podman that works. Compose is
 * `VIGIL_COMPOSE_COMMAND`, otherwise the engine's `compose`. `VIGIL_IMAGE_BUILD_COMMAND` builds the image, otherwise
 * the engine does.
 * @throws Error that names the missing part
 */
export async function findContainerEngine(environment: NodeJS.ProcessEnv = process.env): Promise<ContainerEngine> {
  const given = wordsOf(environment.VIGIL_CONTAINER_ENGINE);
  const faults: string[] = [];
  for (const words of given ? [given] : engines.map((name) => [name])) {
    try {
      await call([...words, 'info'], { environment });
      return await engineOf(words, environment);
    } catch (error) {
      faults.push(`${words.join(' ')}: ${firstLine(error)}`);
    }
  }
  throw new Error(
    `npm run test:image needs a container engine that works: Docker or Podman with Compose, or what VIGIL_CONTAINER_ENGINE, VIGIL_COMPOSE_COMMAND and VIGIL_IMAGE_BUILD_COMMAND name (${faults.join('; ')})`,
  );
}

async function engineOf(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<ContainerEngine> {
  const composing = wordsOf(environment.VIGIL_COMPOSE_COMMAND) ?? [...words, 'compose'];
  const building = wordsOf(environment.VIGIL_IMAGE_BUILD_COMMAND) ?? [...words, 'build'];
  const help = await call([...composing, 'up', '--help'], { environment });
  return {
    engine: (...args) => call([...words, ...args], { environment }),
    async build(tag) {
      await call([...building, '-t', tag, '.'], { environment, limitMs: buildLimitMs });
    },
    compose: (args, env) => call([...composing, ...args], { environment: { ...environment, ...env } }),
    detached: help.includes('--detach') ? ['--detach'] : [],
    description: `${words.join(' ')}, ${composing.join(' ')}, ${building.join(' ')}`,
  };
}

async function call(
  [command = '', ...args]: readonly string[],
  { environment, limitMs = commandLimitMs }: { environment: NodeJS.ProcessEnv; limitMs?: number },
): Promise<string> {
  try {
    const { stdout } = await run(command, args, { env: environment, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n');
    // Without the arguments, which may hold passwords.
    throw new Error(said === '' ? message : `${command} ${args[0] ?? ''}: ${said}`, { cause: error });
  }
}

function wordsOf(text: string | undefined): string[] | undefined {
  return text?.trim() ? text.trim().split(/\s+/) : undefined;
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}
