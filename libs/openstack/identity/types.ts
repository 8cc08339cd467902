import type { CloudCallOptions } from '../call-options.ts';
import type { Credentials } from '../config/openstack-config.ts';

/** Keystone's description of a token that a client of Vigil presents. */
export interface ValidatedToken {
  userId: string;
  userName: string;
  projectId: string | null;
  projectName: string | null;
  domainId: string | null;
  /** `all` for a token of the whole system. Absent for any other. */
  systemScope?: string;
  roles: string[];
  expiresAt: string;
}

/** Vigil's identity in the cloud. */
export interface Requester {
  userId: string;
  /** Null without a project. */
  projectId: string | null;
}

/** A project in which a user has a role. */
export interface OwnProject {
  id: string;
  name: string;
  domainId: string | null;
}

/** Keystone. */
export interface IdentityPort {
  /** A token for the service credentials, renewed before it expires. */
  token(options?: CloudCallOptions): Promise<string>;
  /** The user and the project of the service credentials. Null when Keystone does not return them. */
  requester(options?: CloudCallOptions): Promise<Requester | null>;
  /**
   * Null when the token is unknown, expired or revoked. With `allowExpired`, an expired token is accepted within
   * Keystone's `allow_expired_window`, for requests that a service passes on.
   */
  validate(token: string, options?: CloudCallOptions & { allowExpired?: boolean }): Promise<ValidatedToken | null>;
  /**
   * A token for a user, from a password, an application credential or another token. Null when Keystone refuses the
   * credentials or the project.
   * @throws OpenStackError when Keystone is unavailable.
   */
  signIn(credentials: Credentials, options?: CloudCallOptions): Promise<string | null>;
  /**
   * The projects in which the bearer of a token has a role, by name. Empty for an invalid token.
   * @throws OpenStackError when Keystone is unavailable.
   */
  projects(token: string, options?: CloudCallOptions): Promise<OwnProject[]>;
  /**
   * Revokes a token with the rights of the token. An invalid token is not an error.
   * @throws OpenStackError when Keystone is unavailable or refuses.
   */
  revoke(token: string, options?: CloudCallOptions): Promise<void>;
  /** Base URL of a service in the catalogue, or null. */
  endpoint(serviceType: string, options?: CloudCallOptions): Promise<string | null>;
}
