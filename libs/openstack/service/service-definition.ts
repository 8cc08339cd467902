/** The differences between the services of OpenStack that have microversions. */
export interface ServiceDefinition {
  /** Official service type, for catalogue, errors and metrics. */
  type: string;
  /** First part of the `OpenStack-API-Version` header's value. */
  versionName: string;
  /** Additional older header, or null. */
  legacyVersionHeader: string | null;
  /** Id of the API in the version document, such as `v2.1`. */
  major: string;
  /** Base URL of calls, from the catalogue's URL. */
  baseUrl(endpoint: string): string;
  /** Possible URLs of version documents, the most likely first. */
  versionUrls(endpoint: string): string[];
  /** Whether the service can be used when it has no version document. */
  versionDocumentNeeded: boolean;
}

/** Nova. The frozen API of `/v2` is never used. */
export const computeService: ServiceDefinition = {
  type: 'compute',
  versionName: 'compute',
  legacyVersionHeader: 'X-OpenStack-Nova-API-Version',
  major: 'v2.1',
  baseUrl: (endpoint) => novaBase(endpoint),
  versionUrls: (endpoint) => [`${novaBase(endpoint).replace(/\/v2\.1(\/.*)?$/, '/v2.1')}/`],
  versionDocumentNeeded: true,
};

/** Placement. */
export const placementService: ServiceDefinition = {
  type: 'placement',
  versionName: 'placement',
  legacyVersionHeader: null,
  major: 'v1',
  baseUrl: (endpoint) => endpoint,
  versionUrls: (endpoint) => [`${endpoint}/`],
  versionDocumentNeeded: true,
};

/** Cinder. Some deployments list versions below `/v3/`, others at the root only. */
export const blockStorageService: ServiceDefinition = {
  type: 'block-storage',
  versionName: 'volume',
  legacyVersionHeader: null,
  major: 'v3',
  baseUrl: (endpoint) => endpoint,
  versionUrls: (endpoint) => [
    `${endpoint.replace(/\/v3(\/.*)?$/, '/v3')}/`,
    `${endpoint.replace(/\/v3(\/.*)?$/, '')}/`,
  ],
  versionDocumentNeeded: false,
};

/** Glance, which is used without microversions. Its catalogue entry may or may not end in `/v2`. */
export const imageService: ServiceDefinition = {
  type: 'image',
  versionName: 'image',
  legacyVersionHeader: null,
  major: 'v2',
  baseUrl: (endpoint) => `${endpoint.replace(/\/v2$/, '')}/v2`,
  versionUrls: () => [],
  versionDocumentNeeded: false,
};

/** Neutron, which has no microversions. Its catalogue entry may or may not end in `/v2.0`. */
export const networkService: ServiceDefinition = {
  type: 'network',
  versionName: 'network',
  legacyVersionHeader: null,
  major: 'v2.0',
  baseUrl: (endpoint) => `${endpoint.replace(/\/v2\.0$/, '')}/v2.0`,
  versionUrls: () => [],
  versionDocumentNeeded: false,
};

/** Keystone, for changes by administrators. Its catalogue entry may or may not end in `/v3`. */
export const identityService: ServiceDefinition = {
  type: 'identity',
  versionName: 'identity',
  legacyVersionHeader: null,
  major: 'v3',
  baseUrl: (endpoint) => `${endpoint.replace(/\/v3$/, '')}/v3`,
  versionUrls: () => [],
  versionDocumentNeeded: false,
};

/** Watcher, whose catalogue entry may or may not end in `/v1`. Without a header its first microversion is used. */
export const optimizationService: ServiceDefinition = {
  type: 'infra-optim',
  versionName: 'infra-optim',
  legacyVersionHeader: null,
  major: 'v1',
  baseUrl: (endpoint) => `${endpoint.replace(/\/v1$/, '')}/v1`,
  versionUrls: () => [],
  versionDocumentNeeded: false,
};

/** Ironic, whose catalogue entry may or may not end in `/v1`. */
export const baremetalService: ServiceDefinition = {
  type: 'baremetal',
  versionName: 'baremetal',
  legacyVersionHeader: 'X-OpenStack-Ironic-API-Version',
  major: 'v1',
  baseUrl: (endpoint) => `${ironicRoot(endpoint)}/v1`,
  versionUrls: (endpoint) => [`${ironicRoot(endpoint)}/`, `${ironicRoot(endpoint)}/v1/`],
  versionDocumentNeeded: true,
};

function ironicRoot(endpoint: string): string {
  return endpoint.replace(/\/v1$/, '');
}

function novaBase(endpoint: string): string {
  const versioned = /\/v2(\.\d+)?(?=\/|$)/;
  return versioned.test(endpoint) ? endpoint.replace(versioned, '/v2.1') : `${endpoint}/v2.1`;
}
