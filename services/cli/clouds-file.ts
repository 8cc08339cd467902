import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { UsageError } from './errors.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Mapping = Record<string, unknown>;

/** Keys of `auth` and of the cloud itself, by the equivalent variable. */
const authKeys: Readonly<Record<string, string>> = {
  OS_AUTH_URL: 'auth_url',
  OS_USERNAME: 'username',
  OS_USER_ID: 'user_id',
  OS_PASSWORD: 'password',
  OS_USER_DOMAIN_NAME: 'user_domain_name',
  OS_USER_DOMAIN_ID: 'user_domain_id',
  OS_PROJECT_NAME: 'project_name',
  OS_PROJECT_ID: 'project_id',
  OS_PROJECT_DOMAIN_NAME: 'project_domain_name',
  OS_PROJECT_DOMAIN_ID: 'project_domain_id',
  OS_APPLICATION_CREDENTIAL_ID: 'application_credential_id',
  OS_APPLICATION_CREDENTIAL_NAME: 'application_credential_name',
  OS_APPLICATION_CREDENTIAL_SECRET: 'application_credential_secret',
  OS_TOKEN: 'token',
};
const cloudKeys: Readonly<Record<string, string>> = {
  OS_REGION_NAME: 'region_name',
  OS_INTERFACE: 'interface',
  OS_CACERT: 'cacert',
  OS_CERT: 'cert',
  OS_KEY: 'key',
};

/**
 * The environment with the values of the named cloud in `clouds.yaml`, read as by the OpenStack client: from
 * `OS_CLIENT_CONFIG_FILE`, the working directory, `~/.config/openstack` or `/etc/openstack`, with secrets from a
 * `secure.yaml` in the same places. Variables override the file. Without a cloud name, returns the environment
 * unchanged.
 * @throws UsageError when there is no such file or cloud, or the file cannot be read
 */
export function withCloud(env: Env, name: string | undefined): Env {
  if (!name) return env;
  const clouds = readClouds(env, 'OS_CLIENT_CONFIG_FILE', 'clouds');
  if (clouds === null) {
    throw new UsageError(`cloud ${name} requested, but no clouds.yaml found (${places(env, 'clouds').join(', ')})`);
  }
  const cloud = mappingOf(clouds.entries[name]);
  if (cloud === null) {
    throw new UsageError(
      `${clouds.path} has no cloud ${name}; it has ${Object.keys(clouds.entries).join(', ') || 'none'}`,
    );
  }
  const secret = mappingOf(readClouds(env, 'OS_CLIENT_SECURE_FILE', 'secure')?.entries[name]) ?? {};
  const auth = { ...mappingOf(cloud.auth), ...mappingOf(secret.auth) };
  const found: Record<string, string> = { ...textsOf(auth, authKeys), ...textsOf({ ...cloud, ...secret }, cloudKeys) };
  if (cloud.verify === false) found.OS_INSECURE = 'true';
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  return { ...found, ...given };
}

function places(env: Env, base: 'clouds' | 'secure'): string[] {
  const home = env.HOME ?? homedir();
  const folders = ['.', join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'openstack'), '/etc/openstack'];
  return folders.flatMap((folder) => [join(folder, `${base}.yaml`), join(folder, `${base}.yml`)]);
}

function readClouds(env: Env, key: string, base: 'clouds' | 'secure'): { path: string; entries: Mapping } | null {
  const path = env[key] || places(env, base).find((place) => existsSync(place));
  if (path === undefined) return null;
  try {
    const file = mappingOf(parse(readFileSync(path, 'utf8')));
    return { path, entries: mappingOf(file?.clouds) ?? {} };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

function textsOf(mapping: Mapping, keys: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([variable, key]) => {
      const value = mapping[key];
      return typeof value === 'string' || typeof value === 'number' ? [[variable, String(value)]] : [];
    }),
  );
}

function mappingOf(value: unknown): Mapping | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : null;
}
