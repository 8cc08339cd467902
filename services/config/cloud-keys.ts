/** A variable of OpenStack that `openStackConfigFromEnv` reads. A test compares the names. */
export interface CloudKey {
  /** The common one first. */
  names: readonly string[];
  defaultText: string;
  description: string;
  secret?: boolean;
}

/** Variables of the cloud, for documentation and sample. */
export const cloudKeys: readonly CloudKey[] = [
  { names: ['OS_AUTH_URL'], defaultText: '–', description: 'Keystone v3, such as `http://controller:5000/v3`.' },
  { names: ['OS_USERNAME', 'OS_USER_ID'], defaultText: '–', description: 'User; needs the role admin.' },
  { names: ['OS_PASSWORD'], defaultText: '–', description: 'Its password.', secret: true },
  {
    names: ['OS_USER_DOMAIN_NAME', 'OS_USER_DOMAIN_ID'],
    defaultText: '`OS_DEFAULT_DOMAIN`',
    description: 'Its domain.',
  },
  {
    names: ['OS_PROJECT_NAME', 'OS_PROJECT_ID'],
    defaultText: '–',
    description: 'Project; the older `OS_TENANT_NAME` and `OS_TENANT_ID` work too.',
  },
  {
    names: ['OS_PROJECT_DOMAIN_NAME', 'OS_PROJECT_DOMAIN_ID'],
    defaultText: '`OS_DEFAULT_DOMAIN`',
    description: 'Its domain.',
  },
  { names: ['OS_DEFAULT_DOMAIN'], defaultText: '`default`', description: 'Id of the domain where none is named.' },
  {
    names: ['OS_APPLICATION_CREDENTIAL_ID', 'OS_APPLICATION_CREDENTIAL_NAME'],
    defaultText: '–',
    description: 'Application credential, instead of user and project; by name it needs the user.',
  },
  { names: ['OS_APPLICATION_CREDENTIAL_SECRET'], defaultText: '–', description: 'Its secret.', secret: true },
  {
    names: ['OS_TOKEN'],
    defaultText: '–',
    description: 'Token instead of a login; it is not renewed.',
    secret: true,
  },
  {
    names: ['OS_AUTH_TYPE'],
    defaultText: 'derived from the variables that are set',
    description: '`password`, `token` or `v3applicationcredential`, when more than one of them is set.',
  },
  { names: ['OS_REGION_NAME'], defaultText: 'any', description: 'Region of the endpoints.' },
  {
    names: ['OS_INTERFACE', 'OS_ENDPOINT_TYPE'],
    defaultText: '`public`',
    description: '`public`, `internal` or `admin` endpoints.',
  },
  {
    names: ['OS_CACERT'],
    defaultText: 'those of the system',
    description: 'PEM file of the authorities to trust.',
  },
  {
    names: ['OS_<SERVICE>_ENDPOINT_OVERRIDE'],
    defaultText: '–',
    description:
      'URL of a service instead of the one in the catalogue, such as `OS_COMPUTE_ENDPOINT_OVERRIDE` or `OS_BLOCK_STORAGE_ENDPOINT_OVERRIDE`.',
  },
  {
    names: ['VIGIL_OPENSTACK_TIMEOUT_MS'],
    defaultText: '`30000`',
    description: 'Time limit of one request to OpenStack, 100 to 600000.',
  },
];

/** Whether a variable of OpenStack holds a secret. */
export function isSecretOfCloud(name: string): boolean {
  return cloudKeys.some(({ names, secret }) => secret && names.includes(name));
}
