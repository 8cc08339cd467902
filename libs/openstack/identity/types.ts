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

/** Who Vigil is for the cloud. */
export interface Requester {
  userId: string;
  /** Null without a project. */
  projectId: string | null;
}

/** A project that a person has a role in. */
export interface OwnProject {
  id: string;
  name: string;
  domainId: string | null;
}

/** Keystone. */
export interface IdentityPort {
  /** A token for the service credentials, renewed when it nears its end. */
  token(options?: CloudCallOptions): Promise<string>;
  /** The user and the project of the service credentials. Null when Keystone does not return them. */
  requester(options?: CloudCallOptions): Promise<Requester | null>;
  /**
   * Null when the token is unknown, expired or revoked. With `allowExpired` an expired one is good for as long as
   * Keystone still knows it (`allow_expired_window`), which is meant for requests that a service passes on.
   */
  validate(token: string, options?: CloudCallOptions & { allowExpired?: boolean }): Promise<ValidatedToken | null>;
  /**
   * A token for a person, of a password, an application credential or another token. Null when Keystone refuses these
   * or the project.
   * @throws OpenStackError when Keystone cannot be asked.
   */
  signIn(credentials: Credentials, options?: CloudCallOptions): Promise<string | null>;
  /**
   * The projects that the bearer of a token has a role in, by name. None for a token that is no longer valid.
   * @throws OpenStackError when Keystone cannot be asked.
   */
  projects(token: string, options?: CloudCallOptions): Promise<OwnProject[]>;
  /**
   * Revokes a token by its own right. One that is no longer valid is not an error.
   * @throws OpenStackError when Keystone cannot be asked or refuses.
   */
  revoke(token: string, options?: CloudCallOptions): Promise<void>;
  /** Base URL of a service of the catalogue, or null when there is none. */
  endpoint(serviceType: string, options?: CloudCallOptions): Promise<string | null>;
}
