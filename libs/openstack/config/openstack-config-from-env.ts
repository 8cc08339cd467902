import { ConfigurationError } from '#libs/domain';
import { createEnvReader, type EnvReader } from './env-reader.ts';
import {
  type Credentials,
  type DomainRef,
  type EndpointInterface,
  keystoneUrl,
  type OpenStackConfig,
  type ProjectRef,
} from './openstack-config.ts';

const authTypes: Readonly<Record<string, Credentials['kind']>> = {
  password: 'password',
  v3password: 'password',
  token: 'token',
  v3token: 'token',
  v3applicationcredential: 'application-credential',
};

const overrideSuffix = '_ENDPOINT_OVERRIDE';

/**
 * Reads the configuration from the usual `OS_*` variables: `OS_AUTH_URL`. Password (`OS_USERNAME` or `OS_USER_ID`,
 * `OS_PASSWORD`, `OS_USER_DOMAIN_NAME|ID`, `OS_PROJECT_NAME` or `OS_PROJECT_ID`, `OS_PROJECT_DOMAIN_NAME|ID`),
 * application credential (`OS_APPLICATION_CREDENTIAL_ID|NAME|SECRET`) or token (`OS_TOKEN`). `OS_AUTH_TYPE` when more
 * than one is given. `OS_REGION_NAME`, `OS_INTERFACE` (default public), `OS_CACERT`. `OS_<SERVICE>_ENDPOINT_OVERRIDE`
 * such as `OS_COMPUTE_ENDPOINT_OVERRIDE`. And `VIGIL_OPENSTACK_TIMEOUT_MS`. Domains default to the id `default`.
 * Secrets may be in a file: `OS_PASSWORD_FILE`, `OS_APPLICATION_CREDENTIAL_SECRET_FILE`, `OS_TOKEN_FILE`.
 *
 * Throws one ConfigurationError that lists every fault.
 */
export function openStackConfigFromEnv(env: Readonly<Record<string, string | undefined>>): OpenStackConfig {
  const reader = createEnvReader(env);
  const authUrl = readAuthUrl(reader);
  const credentials = readCredentials(reader);
  const config: OpenStackConfig = {
    authUrl,
    credentials,
    region: reader.text('OS_REGION_NAME'),
    interface: readInterface(reader),
    caCertificate: reader.fileContent('OS_CACERT'),
    endpointOverrides: readOverrides(env, reader),
    timeoutMs: reader.integer('VIGIL_OPENSTACK_TIMEOUT_MS', { min: 100, max: 600_000, default: 30_000 }),
  };
  if (reader.faults.length > 0) {
    throw new ConfigurationError(reader.faults);
  }
  return config;
}

function readAuthUrl(reader: EnvReader): string {
  const url = reader.url('OS_AUTH_URL');
  if (url === null) {
    if (reader.text('OS_AUTH_URL') === null) {
      reader.faults.push('OS_AUTH_URL: not set (URL of Keystone, such as http://controller:5000/v3)');
    }
    return '';
  }
  if (/\/v2(\.0)?$/.test(url)) reader.faults.push('OS_AUTH_URL: Keystone v2 is not supported, use its /v3 URL');
  return keystoneUrl(url);
}

function readInterface(reader: EnvReader): EndpointInterface {
  const value = (reader.text('OS_INTERFACE') ?? reader.text('OS_ENDPOINT_TYPE') ?? 'public').replace(/URL$/, '');
  if (value === 'public' || value === 'internal' || value === 'admin') return value;
  reader.faults.push(`OS_INTERFACE: ${JSON.stringify(value)} is none of public, internal, admin`);
  return 'public';
}

function readOverrides(
  env: Readonly<Record<string, string | undefined>>,
  reader: EnvReader,
): Readonly<Record<string, string>> {
  const overrides: Record<string, string> = {};
  for (const name of Object.keys(env)) {
    if (!name.startsWith('OS_') || !name.endsWith(overrideSuffix)) continue;
    const url = reader.url(name);
    const type = name.slice('OS_'.length, -overrideSuffix.length).toLowerCase().replaceAll('_', '-');
    if (url !== null && type !== '') overrides[type] = url;
  }
  return overrides;
}

function readCredentials(reader: EnvReader): Credentials {
  switch (credentialKind(reader)) {
    case 'application-credential':
      return readApplicationCredential(reader);
    case 'token':
      return readToken(reader);
    default:
      return readPassword(reader);
  }
}

function credentialKind(reader: EnvReader): Credentials['kind'] {
  const type = reader.text('OS_AUTH_TYPE');
  if (type !== null) {
    const kind = authTypes[type];
    if (kind !== undefined) return kind;
    reader.faults.push(`OS_AUTH_TYPE: ${JSON.stringify(type)} is none of ${Object.keys(authTypes).join(', ')}`);
  }
  if (reader.text('OS_APPLICATION_CREDENTIAL_ID') ?? reader.text('OS_APPLICATION_CREDENTIAL_NAME')) {
    return 'application-credential';
  }
  const hasToken = (reader.text('OS_TOKEN') ?? reader.text('OS_TOKEN_FILE')) !== null;
  const hasUser = (reader.text('OS_USERNAME') ?? reader.text('OS_USER_ID')) !== null;
  return hasToken && !hasUser ? 'token' : 'password';
}

function readPassword(reader: EnvReader): Credentials {
  const password = reader.secret('OS_PASSWORD');
  if (password === null) reader.faults.push('OS_PASSWORD: not set (nor OS_PASSWORD_FILE)');
  const project = readProject(reader);
  if (project === null) reader.faults.push('OS_PROJECT_NAME: not set (nor OS_PROJECT_ID)');
  return {
    kind: 'password',
    user: readUser(reader),
    password: password ?? '',
    project: project ?? { id: '' },
  };
}

function readApplicationCredential(reader: EnvReader): Credentials {
  const id = reader.text('OS_APPLICATION_CREDENTIAL_ID');
  const secret = reader.secret('OS_APPLICATION_CREDENTIAL_SECRET');
  if (secret === null) {
    reader.faults.push(
      'OS_APPLICATION_CREDENTIAL_SECRET: not set (nor OS_APPLICATION_CREDENTIAL_SECRET_FILE); it goes with the id or name',
    );
  }
  if (id !== null) return { kind: 'application-credential', credential: { id }, secret: secret ?? '' };
  const name = reader.required('OS_APPLICATION_CREDENTIAL_NAME', 'nor OS_APPLICATION_CREDENTIAL_ID');
  return { kind: 'application-credential', credential: { name, user: readUser(reader) }, secret: secret ?? '' };
}

function readToken(reader: EnvReader): Credentials {
  const token = reader.secret('OS_TOKEN');
  if (token === null) reader.faults.push('OS_TOKEN: not set (nor OS_TOKEN_FILE)');
  return { kind: 'token', token: token ?? '', project: readProject(reader) };
}

function readUser(reader: EnvReader): { id: string } | { name: string; domain: DomainRef } {
  const id = reader.text('OS_USER_ID');
  if (id !== null) return { id };
  return { name: reader.required('OS_USERNAME', 'nor OS_USER_ID'), domain: readDomain(reader, 'OS_USER_DOMAIN') };
}

function readProject(reader: EnvReader): ProjectRef | null {
  const id = reader.text('OS_PROJECT_ID') ?? reader.text('OS_TENANT_ID');
  if (id !== null) return { id };
  const name = reader.text('OS_PROJECT_NAME') ?? reader.text('OS_TENANT_NAME');
  return name === null ? null : { name, domain: readDomain(reader, 'OS_PROJECT_DOMAIN') };
}

function readDomain(reader: EnvReader, prefix: 'OS_USER_DOMAIN' | 'OS_PROJECT_DOMAIN'): DomainRef {
  const id = reader.text(`${prefix}_ID`);
  if (id !== null) return { id };
  const name = reader.text(`${prefix}_NAME`);
  if (name !== null) return { name };
  return { id: reader.text('OS_DEFAULT_DOMAIN') ?? 'default' };
}
