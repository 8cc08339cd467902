import type { Clock, Logger } from '#libs/domain';
import type { CloudCallOptions } from '../call-options.ts';
import { keystoneUrl, type OpenStackConfig } from '../config/openstack-config.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import { createFieldReader, type FieldReader } from '../http/field-reader.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { type CatalogueEntry, explainMissingEndpoint, findEndpoint, typesInCatalogue } from './catalogue.ts';
import { projectsOf, revokeToken, signIn } from './sign-in.ts';
import { createTokenCache } from './token-cache.ts';
import { fetchToken } from './token-fetch.ts';
import type { IdentityPort, ValidatedToken } from './types.ts';

/** Keystone for this library: the port, and further calls for the service clients. */
export interface Identity extends IdentityPort {
  /** Call it after a service responded 401 to this token. */
  invalidate(token: string): void;
  /** As `endpoint`, but throws an OpenStackError that lists the entries of the catalogue. */
  requireEndpoint(serviceType: string, options?: CloudCallOptions): Promise<string>;
  /**
   * Whether requests use an application credential. A service may then refuse requests by its access rules with 401.
   */
  isApplicationCredential: boolean;
  /** The types of a service in the catalogue. */
  serviceTypes(serviceType: string, options?: CloudCallOptions): Promise<string[]>;
  /**
   * Whether the catalogue has another endpoint of the service than `endpoint`. Reads the catalogue again, at most once
   * a minute for each service. Call it after a service did not respond, or responded as if it were empty.
   */
  hasMoved(serviceType: string, endpoint: string, options?: CloudCallOptions): Promise<boolean>;
}

/** Interval at which the catalogue is read again because of one service, in milliseconds. */
const recheckMs = 60_000;

const subjectRequest = 'GET /v3/auth/tokens';

/** Keystone v3 with one set of credentials. */
export function createIdentity(
  deps: { http: HttpClient; clock: Clock; logger: Logger },
  config: OpenStackConfig,
): Identity {
  const authUrl = keystoneUrl(config.authUrl);
  const tokens = createTokenCache(deps, () => fetchToken(deps.http, authUrl, config.credentials));
  const choice = {
    region: config.region ?? null,
    interface: config.interface ?? 'public',
    overrides: config.endpointOverrides ?? {},
  } as const;

  const recheckedAtMs = new Map<string, number>();

  function isElsewhere(catalogue: readonly CatalogueEntry[], serviceType: string, endpoint: string): boolean {
    const current = findEndpoint(catalogue, serviceType, choice);
    return current !== null && current !== endpoint;
  }

  async function introspect(
    subject: string,
    options?: CloudCallOptions & { allowExpired?: boolean },
  ): Promise<HttpResponse> {
    const url = new URL(`${authUrl}/auth/tokens?nocatalog${options?.allowExpired ? '&allow_expired=1' : ''}`);
    for (let mayRenew = true; ; mayRenew = false) {
      const { token } = await tokens.current(options?.signal);
      const headers = { 'x-auth-token': token, 'x-subject-token': subject };
      const response = await deps.http.send({
        service: 'identity',
        method: 'GET',
        url,
        headers,
        signal: options?.signal,
      });
      if (response.status !== 401 || !mayRenew) return response;
      tokens.invalidate(token);
    }
  }

  return {
    isApplicationCredential: config.credentials.kind === 'application-credential',

    invalidate: tokens.invalidate,

    async token(options) {
      return (await tokens.current(options?.signal)).token;
    },

    async requester(options) {
      return (await tokens.current(options?.signal)).requester;
    },

    async validate(subject, options) {
      if (!isTokenText(subject)) return null;
      const response = await introspect(subject, options);
      if (response.status === 404) return null;
      if (response.status !== 200) {
        const detail = faultText(response.body) ?? `HTTP ${response.status} without explanation`;
        throw new OpenStackError('identity', subjectRequest, response.status, `Keystone: ${detail}`);
      }
      return parseValidatedToken(createFieldReader(response.body, { service: 'identity', request: subjectRequest }));
    },

    signIn: (credentials, options) => signIn(deps.http, authUrl, credentials, options),

    projects: async (token, options) => (isTokenText(token) ? projectsOf(deps.http, authUrl, token, options) : []),

    revoke: (token, options) => revokeToken(deps.http, authUrl, token, options),

    async endpoint(serviceType, options) {
      const { catalogue } = await tokens.current(options?.signal);
      return findEndpoint(catalogue, serviceType, choice);
    },

    async requireEndpoint(serviceType, options) {
      const { catalogue } = await tokens.current(options?.signal);
      const url = findEndpoint(catalogue, serviceType, choice);
      if (url !== null) return url;
      const detail = explainMissingEndpoint(catalogue, serviceType, choice);
      throw new OpenStackError(serviceType, 'catalogue', 0, detail);
    },

    async serviceTypes(serviceType, options) {
      return typesInCatalogue((await tokens.current(options?.signal)).catalogue, serviceType);
    },

    async hasMoved(serviceType, endpoint, options) {
      const held = await tokens.current(options?.signal);
      if (isElsewhere(held.catalogue, serviceType, endpoint)) return true;
      const now = deps.clock.now();
      if (serviceType in choice.overrides || now - (recheckedAtMs.get(serviceType) ?? -recheckMs) < recheckMs) {
        return false;
      }
      recheckedAtMs.set(serviceType, now);
      const { catalogue } = await tokens.renewed(options?.signal);
      return isElsewhere(catalogue, serviceType, endpoint);
    },
  };
}

/** Other characters cannot be part of a token and must not be sent in a header. */
function isTokenText(value: string): boolean {
  return /^[\x21-\x7e]{1,8192}$/.test(value);
}

/**
 * Translates the body of `GET /v3/auth/tokens`. `domainId` is set for domain-scoped tokens only, `systemScope` for
 * those of the whole system.
 */
function parseValidatedToken(body: FieldReader): ValidatedToken {
  const token = body.object('token');
  const user = token.object('user');
  const project = token.optionalObject('project');
  return {
    userId: user.text('id'),
    userName: user.textOr('name', user.text('id')),
    projectId: project?.text('id') ?? null,
    projectName: project?.optionalText('name') ?? null,
    domainId: token.optionalObject('domain')?.text('id') ?? null,
    ...(token.optionalObject('system') ? { systemScope: 'all' } : {}),
    roles: token.listOr('roles').map((role) => role.text('name')),
    expiresAt: token.text('expires_at'),
  };
}
