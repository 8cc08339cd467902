import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** In the order in which they are tried. */
const engines = ['docker', 'podman'];
/** Longer than any command but a build may take. */
const commandLimitMs = 400_000;
/** `npm ci` and a build of everything, on a machine that has other work. */
const buildLimitMs = 1_800_000;

/** Program that builds images and runs containers. */
export interface ContainerEngine {
  /** A command of the engine, such as `inspect`. Returns what it prints. @throws Error with what it says */
  engine(...args: string[]): Promise<string>;
  /** Builds the Dockerfile of the working directory. @throws Error with the end of what it prints */
  build(tag: string): Promise<void>;
  /** A command of Compose, with `env` over the environment. @throws Error with what it says */
  compose(args: string[], env: NodeJS.ProcessEnv): Promise<string>;
  /** Flags that make `compose up` return before the services end, where it would not by itself. */
  readonly detached: readonly string[];
  /** The commands that are used, for people. */
  readonly description: string;
}

/**
 * The engine of this machine: `VIGIL_CONTAINER_ENGINE`, otherwise the first of docker and podman that works. Compose is
 * `VIGIL_COMPOSE_COMMAND`, otherwise the engine's own. An image is built by `VIGIL_IMAGE_BUILD_COMMAND`, otherwise by
 * the engine.
 * @throws Error that says what is missing
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
    // Without the arguments of the command, which may hold passwords.
    throw new Error(said === '' ? message : `${command} ${args[0] ?? ''}: ${said}`, { cause: error });
  }
}

function wordsOf(text: string | undefined): string[] | undefined {
  return text?.trim() ? text.trim().split(/\s+/) : undefined;
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}
