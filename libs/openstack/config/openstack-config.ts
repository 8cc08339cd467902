/** Vigil's credentials for Keystone. Names may be given by id or by name plus domain. */
export type Credentials =
  | {
      kind: 'password';
      user: { id: string } | { name: string; domain: DomainRef };
      password: string;
      project: ProjectRef;
    }
  | {
      kind: 'application-credential';
      /** Application credential by id, or by name together with its user. */
      credential: { id: string } | { name: string; user: { id: string } | { name: string; domain: DomainRef } };
      secret: string;
    }
  | {
      kind: 'token';
      token: string;
      /** Scope to request. Null: the scope of the token. */
      project: ProjectRef | null;
    };

/** A Keystone domain by id or by name. */
export type DomainRef = { id: string } | { name: string };

/** A Keystone project by id, or by name within a domain. */
export type ProjectRef = { id: string } | { name: string; domain: DomainRef };

/** Interface of the catalogue endpoints to use. */
export type EndpointInterface = 'public' | 'internal' | 'admin';

/** Address, credentials and limits for a cloud. */
export interface OpenStackConfig {
  /** Keystone's base URL, with or without the trailing `/v3`. */
  authUrl: string;
  credentials: Credentials;
  /** Region of the catalogue. Null (default): the first matching endpoint. */
  region?: string | null;
  /** Default `public`. */
  interface?: EndpointInterface;
  /** Certificates (PEM) to trust instead of Node's list, for TLS endpoints with a private authority. */
  caCertificate?: string | null;
  /** Base URLs by service type that override the catalogue. */
  endpointOverrides?: Readonly<Record<string, string>>;
  /** Limit of one HTTP call from connect to the last byte. Default 30,000, range 100 to 600,000. */
  timeoutMs?: number;
  /** Most connections per service. Further calls wait for a free connection. Default 32. */
  maxConnections?: number;
  /** First pause before an idempotent call is repeated. Doubles each time. Default 200. */
  retryDelayMs?: number;
}

/** `authUrl` without trailing slashes and ending in `/v3`. */
export function keystoneUrl(authUrl: string): string {
  const base = authUrl.replace(/\/+$/, '');
  return base.endsWith('/v3') ? base : `${base}/v3`;
}
