import { type Logger, nearestName } from '#libs/domain';
import { knownKeys } from './generated/known-keys.ts';

/** A variable with the form of a configuration key that is unknown. */
export interface UnknownKey {
  key: string;
  /** The nearest known key. */
  nearest: string | null;
}

const known = new Set(knownKeys);
/** Variables of the test suite, which starts processes with its environment. */
const ofTests = /^VIGIL_(TEST|FUZZ|PROPERTY|REPLAY)_/;
/**
 * Kubernetes sets variables for the services of the namespace in every container, such as `VIGIL_API_SERVICE_HOST`.
 */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?$/;

/** Set variables that start with `VIGIL_` and that no process reads, in order. */
export function unknownKeys(environment: NodeJS.ProcessEnv): UnknownKey[] {
  return Object.keys(environment)
    .filter((key) => key.startsWith('VIGIL_') && !isKnown(key, environment[key] ?? ''))
    .sort()
    .map((key) => ({ key, nearest: nearestName(key, knownKeys) }));
}

/** Logs a warning for each of them. */
export function warnOfUnknownKeys(environment: NodeJS.ProcessEnv, logger: Logger): void {
  for (const { key, nearest } of unknownKeys(environment)) {
    logger.warn({ key, nearest }, 'unknown configuration key: no process reads it');
  }
}

function isKnown(key: string, value: string): boolean {
  return known.has(key) || ofTests.test(key) || ofKubernetes.test(key) || /^(tcp|udp):\/\//.test(value);
}
