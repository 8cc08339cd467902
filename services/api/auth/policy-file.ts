import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { ConfigurationError, InvalidInputError, type Logger, messageOf } from '#libs/domain';
import { fileVersion } from '#libs/service-kit';
import { createPolicy, type Policy } from './policy.ts';

/** A policy that follows its file. */
export interface FilePolicy extends Policy {
  /**
   * Reloads the file when it has changed. An invalid file is logged and the previous rules stay in force.
   * @returns whether other rules are in force now
   */
  refresh(): Promise<boolean>;
}

/** Version of a file that does not exist. */
const absent = 'absent';

/**
 * Reads a policy file: a YAML or JSON mapping of rule names to checks in oslo.policy's language. It overrides the
 * defaults by name.
 * @param isRequired whether the file must exist. If not, the defaults are in force until it does, with one warning.
 * Default true.
 * @throws ConfigurationError when it cannot be read or a rule cannot be understood.
 */
export async function loadPolicyFile(
  path: string,
  logger: Logger,
  { isRequired = true }: { isRequired?: boolean } = {},
): Promise<FilePolicy> {
  const isAbsent = !(isRequired || existsSync(path));
  if (isAbsent) logger.warn({ path }, 'policy file does not exist; using default rules');
  let current: Pick<Awaited<ReturnType<typeof readPolicy>>, 'policy' | 'version'> = isAbsent
    ? { policy: createPolicy(), version: absent }
    : await readPolicy(path);
  return {
    allows: (rule, caller) => current.policy.allows(rule, caller),
    async refresh() {
      if (current.version === absent && !existsSync(path)) return false;
      try {
        if ((await fileVersion(path)) === current.version) return false;
        current = await readPolicy(path);
        logger.info({ path }, 'policy file reloaded');
        return true;
      } catch (error) {
        logger.error({ path, error: messageOf(error) }, 'cannot use policy file; the previous rules stay in force');
        return false;
      }
    },
  };
}

/**
 * The rules of a policy file, and the policy that they make of the defaults.
 * @throws ConfigurationError when it cannot be read or a rule cannot be understood.
 */
export async function readPolicy(
  path: string,
): Promise<{ policy: Policy; version: string; overrides: Record<string, string> }> {
  try {
    const version = await fileVersion(path);
    const overrides = rulesOf(parse(await readFile(path, 'utf8')));
    return { policy: createPolicy(overrides), version, overrides };
  } catch (error) {
    throw new ConfigurationError([`VIGIL_POLICY_FILE: invalid policy file ${path}: ${messageOf(error)}`], {
      cause: error,
    });
  }
}

function rulesOf(document: unknown): Record<string, string> {
  if (document === null || document === undefined) return {};
  if (typeof document !== 'object' || Array.isArray(document)) {
    throw new InvalidInputError('the file', 'must be a mapping of rule names to checks');
  }
  const entries = Object.entries(document).map(([rule, check]): [string, string] => {
    if (typeof check !== 'string') throw new InvalidInputError(rule, 'must be a text such as "role:admin"');
    return [rule, check];
  });
  return Object.fromEntries(entries);
}
