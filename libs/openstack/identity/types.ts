import type { CloudCallOptions } from '../call-options.ts';

/** What Keystone says of a token that a client of Vigil presents. */
export interface ValidatedToken {
  userId: string;
  userName: string;
  projectId: string | null;
  projectName: string | null;
  domainId: string | null;
  /** `all` for a token of the whole system; absent for any other. */
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

/** What a person signs in with; domains by name. */
export interface SignIn {
  userName: string;
  userDomain: string;
  password: string;
  projectName: string;
  projectDomain: string;
}

/** Keystone. */
export interface IdentityPort {
  /** A token for the service credentials, fetched anew when it nears its end. */
  token(options?: CloudCallOptions): Promise<string>;
  /** The user and the project that the service credentials stand for; null when Keystone does not tell. */
  requester(options?: CloudCallOptions): Promise<Requester | null>;
  /**
   * Null when the token is unknown, expired or revoked. With `allowExpired` an expired one is good for as long as Keystone
   * still knows it (`allow_expired_window`), which is meant for requests that a service passes on.
   */
  validate(token: string, options?: CloudCallOptions & { allowExpired?: boolean }): Promise<ValidatedToken | null>;
  /**
   * A token for a person who gives a password; null when Keystone refuses the user, the password or the project.
   * @throws OpenStackError when Keystone cannot be asked.
   */
  signIn(login: SignIn, options?: CloudCallOptions): Promise<string | null>;
  /**
   * Revokes a token by its own right; one that is no longer valid is no error.
   * @throws OpenStackError when Keystone cannot be asked or refuses.
   */
  revoke(token: string, options?: CloudCallOptions): Promise<void>;
  /** Base URL of a service of the catalogue, or null when there is none. */
  endpoint(serviceType: string, options?: CloudCallOptions): Promise<string | null>;
}
