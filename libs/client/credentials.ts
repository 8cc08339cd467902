/** A name or id of a Keystone domain. */
export interface DomainReference {
  name?: string;
  id?: string;
}

/** How to log in to Keystone v3. */
export type KeystoneCredentials = {
  /** URL of Keystone, with or without `/v3`. */
  authUrl: string;
  /** Region whose endpoint is used. Any when absent. */
  region?: string;
  /** Endpoint interface, default `public`. */
  interface?: 'public' | 'internal' | 'admin';
} & (
  | {
      kind: 'password';
      userName?: string;
      userId?: string;
      password: string;
      userDomain?: DomainReference;
      projectName?: string;
      projectId?: string;
      projectDomain?: DomainReference;
    }
  | {
      kind: 'application-credential';
      id?: string;
      name?: string;
      secret: string;
      userName?: string;
      userDomain?: DomainReference;
    }
  | { kind: 'token'; token: string; projectName?: string; projectId?: string; projectDomain?: DomainReference }
);

/** The body of `POST /v3/auth/tokens` for these credentials. */
export function authRequest(credentials: KeystoneCredentials): object {
  return { auth: { identity: identityOf(credentials), ...scopeOf(credentials) } };
}

function identityOf(credentials: KeystoneCredentials): object {
  switch (credentials.kind) {
    case 'password': {
      const user = credentials.userId
        ? { id: credentials.userId }
        : { name: credentials.userName, domain: domainOf(credentials.userDomain) };
      return { methods: ['password'], password: { user: { ...user, password: credentials.password } } };
    }
    case 'application-credential': {
      const { id, name, secret } = credentials;
      const reference = id
        ? { id }
        : { name, user: { name: credentials.userName, domain: domainOf(credentials.userDomain) } };
      return { methods: ['application_credential'], application_credential: { ...reference, secret } };
    }
    case 'token':
      return { methods: ['token'], token: { id: credentials.token } };
  }
}

function scopeOf(credentials: KeystoneCredentials): object {
  if (credentials.kind === 'application-credential') return {};
  if (credentials.projectId) return { scope: { project: { id: credentials.projectId } } };
  if (!credentials.projectName) return {};
  return { scope: { project: { name: credentials.projectName, domain: domainOf(credentials.projectDomain) } } };
}

function domainOf(domain: DomainReference | undefined): object {
  if (domain?.id) return { id: domain.id };
  return domain?.name ? { name: domain.name } : { id: 'default' };
}
