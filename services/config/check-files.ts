import { filesOf, readFiles, reloadEnvironment, translateWatcher } from '#libs/config-file';
import { ConfigurationError } from '#libs/domain';
import { checkConfiguration, commonEnv, unknownKeys } from '#libs/service-kit/env';
import { configurationSections } from './sections.ts';

/** Faults of a configuration. */
export interface ConfigurationFindings {
  /** Faults that prevent a process from starting, with the affected processes. */
  faults: { fault: string; processes: string[] }[];
  /** Keys that no process reads. */
  warnings: string[];
}

/**
 * Checks a configuration as each production process would, or as one of them.
 * @param process such as `api`. Undefined for all.
 */
export async function checkFiles(
  environment: NodeJS.ProcessEnv,
  process: string | undefined,
): Promise<ConfigurationFindings> {
  const sections = configurationSections.filter(
    (entry) => entry.checks && (process ?? entry.process) === entry.process,
  );
  const faults = new Map<string, string[]>();
  for (const { process: name, schema, checks = [] } of sections) {
    const given = reloadEnvironment(environment, name)?.environment ?? environment;
    for (const fault of await faultsOf(() => checkConfiguration({ ...schema, ...commonEnv }, checks, given))) {
      faults.set(fault, [...(faults.get(fault) ?? []), name ?? '']);
    }
  }
  return {
    faults: [...faults].map(([fault, processes]) => ({ fault, processes })),
    warnings: warningsOf(environment),
  };
}

async function faultsOf(check: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

function warningsOf(environment: NodeJS.ProcessEnv): string[] {
  const unknown = unknownKeys(environment).map(
    ({ key, nearest }) => `${key}: no process reads it${nearest ? `; ${nearest}?` : ''}`,
  );
  const entries = readFiles(filesOf(environment, { files: [], folders: [] }));
  const ofWatcher = translateWatcher(entries)
    .filter(({ verdict }) => verdict === 'unknown' || verdict === 'to do')
    .map(({ entry, note }) => `${entry.file}:${entry.line}: [${entry.section}] ${entry.key}: ${note}`);
  return [...unknown, ...ofWatcher];
}
