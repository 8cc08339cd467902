import { parseArgs } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';
import type { GenerateWorldOptions } from './world/generate-world.ts';

const flags = {
  host: 'VIGIL_SIMULATOR_HOST',
  port: 'VIGIL_SIMULATOR_PORT',
  world: 'VIGIL_SIMULATOR_WORLD',
  generate: 'VIGIL_SIMULATOR_GENERATE',
  load: 'VIGIL_SIMULATOR_LOAD',
  speed: 'VIGIL_SIMULATOR_SPEED',
  seed: 'VIGIL_SIMULATOR_SEED',
  'token-seconds': 'VIGIL_SIMULATOR_TOKEN_SECONDS',
  'sample-seconds': 'VIGIL_SIMULATOR_SAMPLE_SECONDS',
  'backfill-minutes': 'VIGIL_SIMULATOR_BACKFILL_MINUTES',
  'public-url': 'VIGIL_SIMULATOR_PUBLIC_URL',
  'api-url': 'VIGIL_API_URL',
} as const;

/** The text of `vigil simulator --help`. */
export function usageText(): string {
  const lines = Object.entries(flags).map(([flag, key]) => `  --${`${flag} <value>`.padEnd(26)}${key}`);
  return `Usage: vigil simulator [options]\n\nRuns a simulated cloud. Options override environment variables:\n\n${lines.join('\n')}\n`;
}

/** The environment, overridden by the flags. @throws OperatorError for unknown flags */
export function withFlags(args: string[], environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false });
    const given = Object.entries(flags).flatMap(([flag, key]) => {
      const value = values[flag];
      return typeof value === 'string' ? [[key, value] as const] : [];
    });
    return { ...environment, ...Object.fromEntries(given) };
  } catch (error) {
    throw new OperatorError(`${messageOf(error)}; flags: ${Object.keys(flags).join(', ')}`, {
      cause: error,
      exitCode: 2,
    });
  }
}

const generateKeys = [
  'seed',
  'hosts',
  'instances',
  'hostVcpus',
  'cpuAllocationRatio',
  'skew',
  'zones',
  'groups',
  'volumes',
  'baremetal',
] as const;

/** Reads `hosts=8,instances=60,seed=3`. @throws OperatorError with the invalid part */
export function parseGenerateOptions(text: string): GenerateWorldOptions {
  const options: GenerateWorldOptions = {};
  for (const part of text.split(',').map((item) => item.trim())) {
    const [name, value] = part.split('=', 2);
    const key = generateKeys.find((candidate) => candidate === name);
    if (key === undefined) {
      throw new OperatorError(`generate: unknown "${part}"; known: ${generateKeys.join(', ')}`, { exitCode: 2 });
    }
    const number = Number(value);
    const limit = key === 'skew' || key === 'cpuAllocationRatio' ? Number.isFinite(number) : Number.isInteger(number);
    if (value === undefined || value === '' || !limit || number < 0) {
      throw new OperatorError(`generate: ${key} must be a number of at least 0, not "${value ?? ''}"`, {
        exitCode: 2,
      });
    }
    options[key] = number;
  }
  return options;
}
