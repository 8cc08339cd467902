import { type Ask, type GroupRules, isTrue, notNeeded, type OptionRule, renamed } from './rule.ts';

const clientsGroup = 'watcher_clients_auth';

/**
 * Options of Keystone's authentication plug-ins. Includes the names that keystoneauth has deprecated.
 */
const credentialVariables: Readonly<Record<string, string>> = {
  auth_url: 'OS_AUTH_URL',
  auth_type: 'OS_AUTH_TYPE',
  auth_plugin: 'OS_AUTH_TYPE',
  username: 'OS_USERNAME',
  user_name: 'OS_USERNAME',
  user: 'OS_USERNAME',
  user_id: 'OS_USER_ID',
  password: 'OS_PASSWORD',
  project_name: 'OS_PROJECT_NAME',
  tenant_name: 'OS_PROJECT_NAME',
  project_id: 'OS_PROJECT_ID',
  tenant_id: 'OS_PROJECT_ID',
  user_domain_name: 'OS_USER_DOMAIN_NAME',
  user_domain_id: 'OS_USER_DOMAIN_ID',
  project_domain_name: 'OS_PROJECT_DOMAIN_NAME',
  project_domain_id: 'OS_PROJECT_DOMAIN_ID',
  default_domain_id: 'OS_DEFAULT_DOMAIN',
  application_credential_id: 'OS_APPLICATION_CREDENTIAL_ID',
  application_credential_name: 'OS_APPLICATION_CREDENTIAL_NAME',
  application_credential_secret: 'OS_APPLICATION_CREDENTIAL_SECRET',
  token: 'OS_TOKEN',
  cafile: 'OS_CACERT',
};

const insecure: OptionRule = {
  toDo: (value) =>
    isTrue(value) ? 'Vigil always checks certificates: name the authority to trust with [openstack] cacert' : null,
};

function credentialRules(isUsed: (request: Ask) => boolean): GroupRules {
  const rules = Object.entries(credentialVariables).map(([name, variable]): [string, OptionRule] => [
    name,
    { variables: (value, request) => (isUsed(request) ? readCredential(variable, value) : {}) },
  ]);
  return {
    ...Object.fromEntries(rules),
    insecure,
    certfile: notNeeded('Vigil has no client certificate for Keystone'),
    keyfile: notNeeded('Vigil has no client certificate for Keystone'),
    timeout: notNeeded('VIGIL_OPENSTACK_TIMEOUT_MS is the time limit of one request'),
  };
}

/** `auth_url` of Watcher may lack the version of Keystone. */
function readCredential(variable: string, value: string): Record<string, string> {
  const isVersioned = /\/v[23](\.0)?\/?$/.test(value);
  return { [variable]: variable === 'OS_AUTH_URL' && !isVersioned ? `${value.replace(/\/+$/, '')}/v3` : value };
}

const ofTokens = notNeeded('it is of [keystone_authtoken]; Watcher ignores it here');

/** The user of Watcher in the cloud, and the settings that deployment tools write with it. */
export const clientsAuth: GroupRules = {
  ...credentialRules(() => true),
  auth_uri: ofTokens,
  interface: ofTokens,
  memcached_servers: ofTokens,
};

/** Options of the middleware that checks tokens. Clients without a user use that of the middleware. */
export const authToken: GroupRules = {
  ...credentialRules((request) => request(clientsGroup, 'auth_url') === undefined),
  www_authenticate_uri: renamed('VIGIL_WWW_AUTHENTICATE_URI'),
  auth_uri: renamed('VIGIL_WWW_AUTHENTICATE_URI'),
  memcached_servers: notNeeded(
    'validated tokens are kept in the process; VIGIL_MEMCACHED_URL is for properties of the cloud',
  ),
  region_name: renamed('OS_REGION_NAME'),
  service_type: notNeeded('Vigil requests no service tokens'),
  auth_version: notNeeded('Keystone has version 3 only'),
  interface: notNeeded('the interface of the clients counts'),
  service_token_roles: notNeeded('Vigil requests no service tokens'),
  service_token_roles_required: notNeeded('Vigil requests no service tokens'),
  memcache_security_strategy: notNeeded('validated tokens are kept in the process'),
  memcache_secret_key: notNeeded('validated tokens are kept in the process'),
  token_cache_time: {
    variables: (value) => ({ VIGIL_TOKEN_CACHE_SECONDS: String(Math.min(300, Math.max(0, Number(value) || 0))) }),
  },
};
