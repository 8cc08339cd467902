import { reloadEnvironment } from '#libs/config-file';
import { isSecretOfCloud } from './cloud-keys.ts';
import { configurationSections } from './sections.ts';

/** A key with its value and source. */
export interface ShownValue {
  key: string;
  /** Null when it is not set and has no default. Secrets show only that they are set. */
  value: string | null;
  /** Such as `/etc/vigil/vigil.conf:12`, `environment`, `running Vigil` or `default`. */
  from: string;
}

/**
 * Values in effect for a process.
 * @param process such as `api`. Undefined for the common keys.
 * @param isAll whether defaults are shown too.
 * @param own the environment without the keys of a running `vigil up`.
 */
export function showValues(
  environment: NodeJS.ProcessEnv,
  process: string | undefined,
  isAll: boolean,
  own = environment,
): ShownValue[] {
  const loaded = reloadEnvironment(environment, process ?? null) ?? { environment, variables: new Map() };
  const sections = configurationSections.filter(
    (entry) => process === undefined || [null, process].includes(entry.process),
  );
  const keys = new Map(sections.flatMap(({ schema }) => Object.entries(schema)));
  const names = new Set([
    ...keys.keys(),
    ...Object.keys(loaded.environment).filter((name) => /^(OS|VIGIL)_/.test(name)),
  ]);
  return [...names]
    .filter((name) => !/^VIGIL_CONFIG_/.test(name))
    .sort()
    .flatMap((name) => {
      const given = loaded.environment[name];
      const key = keys.get(name);
      const isSecret = key?.secret || isSecretOfCloud(name);
      if (given) {
        const from: string = loaded.variables.get(name)?.origin ?? (own[name] ? 'environment' : 'running Vigil');
        return [{ key: name, value: isSecret ? '(set)' : given, from }];
      }
      return isAll && key ? [{ key: name, value: key.defaultText ?? null, from: 'default' }] : [];
    });
}
