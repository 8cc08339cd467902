import type { SimulatedProject } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import type { ApplicationCredential, Directory, SimulatedUser } from './directory.ts';
import type { Token, TokenStore } from './token-store.ts';

/** Keystone's text for an unsupported login method. */
export const unsupportedMethodMessage = 'Attempted to authenticate with an unsupported method.';

/** Text of every refused login: Keystone's, independent of the reason. */
export const unauthorizedMessage = 'The request you have made requires authentication.';

interface Named {
  id?: string;
  name?: string;
  domain?: { id?: string; name?: string };
}

/** The used fields of the body of `POST /v3/auth/tokens`. */
export interface AuthenticationRequest {
  auth?: {
    identity?: {
      methods?: string[];
      password?: { user?: Named & { password?: string } };
      token?: { id?: string };
      application_credential?: Named & { secret?: string; user?: Named };
    };
    scope?: 'unscoped' | { project?: Named; system?: { all?: boolean }; unscoped?: object };
  };
}

interface Proof {
  user: SimulatedUser;
  /** Scope determined by the method. */
  projectId?: string;
  roles?: string[];
  applicationCredential?: ApplicationCredential;
  /** The token that was presented. */
  parent?: Token;
}

function refuse(): never {
  throw new SimulatedApiError(401, unauthorizedMessage);
}

/** There is one domain. Names in other domains are unknown. */
function inDefaultDomain(named: Named): boolean {
  const { id, name } = named.domain ?? {};
  return id === 'default' || name === 'Default';
}

function findUser(directory: Directory, named: Named | undefined): SimulatedUser | undefined {
  if (named?.id !== undefined) return directory.users.get(named.id);
  return named?.name === undefined || !inDefaultDomain(named) ? undefined : directory.userByName(named.name);
}

function findProject(directory: Directory, named: Named): SimulatedProject | undefined {
  if (named.id !== undefined) return directory.projects.get(named.id);
  return inDefaultDomain(named) ? directory.projectByName(named.name ?? '') : undefined;
}

function prove(request: AuthenticationRequest, directory: Directory, tokens: TokenStore): Proof {
  if (request.auth === undefined) throw malformed('auth in request body');
  const { identity } = request.auth;
  const method = identity?.methods?.[0];
  if (identity === undefined || method === undefined) {
    throw new SimulatedApiError(400, "'identity' is a required property\n\nFailed validating 'required' in schema");
  }
  if (method === 'password') {
    if (identity.password === undefined) throw malformed('password in identity');
    const user = findUser(directory, identity.password?.user);
    if (user === undefined || user.password === null || user.password !== identity.password?.user?.password) refuse();
    return { user };
  }
  if (method === 'token') {
    const parent = tokens.find(identity.token?.id);
    if (parent === undefined) throw new SimulatedApiError(404, 'Could not recognize Fernet token');
    return { user: parent.user, parent, ...(parent.applicationCredential && proofOf(parent.applicationCredential)) };
  }
  if (method === 'application_credential')
    return proveByCredential(identity.application_credential, { directory, nowMs: tokens.now() });
  throw new SimulatedApiError(401, unsupportedMethodMessage);
}

function malformed(missing: string): SimulatedApiError {
  const text = 'The server could not comply with the request since it is either malformed or otherwise incorrect.';
  return new SimulatedApiError(400, `Expecting to find ${missing}. ${text} The client is assumed to be in error.`);
}

function proveByCredential(
  given: (Named & { secret?: string; user?: Named }) | undefined,
  { directory, nowMs }: { directory: Directory; nowMs: number },
): Proof {
  const owner = findUser(directory, given?.user);
  const found = [...directory.applicationCredentials.values()].find((credential) =>
    given?.id !== undefined ? credential.id === given.id : credential.name === given?.name && credential.user === owner,
  );
  if (found === undefined || found.secret !== given?.secret) refuse();
  if (found.expiresAt !== null && found.expiresAt <= nowMs) refuse();
  return proofOf(found);
}

function proofOf(credential: ApplicationCredential): Proof {
  const { user, projectId, roles } = credential;
  return { user, projectId, roles, applicationCredential: credential };
}

/** Issues a token for a login. @throws SimulatedApiError 400 or 401 */
export function authenticate(request: AuthenticationRequest, directory: Directory, tokens: TokenStore): Token {
  const proof = prove(request, directory, tokens);
  const methods = request.auth?.identity?.methods ?? [];
  const scope = scopeOf(request, proof, directory);
  const { applicationCredential } = proof;
  const content = { methods, user: proof.user, ...scope, ...(applicationCredential && { applicationCredential }) };
  return tokens.issue(content, proof.parent?.expiresAt);
}

function scopeOf(
  request: AuthenticationRequest,
  proof: Proof,
  directory: Directory,
): Pick<Token, 'project' | 'system' | 'roles'> {
  const scope = request.auth?.scope;
  const wanted = typeof scope === 'object' ? scope : undefined;
  if (proof.projectId !== undefined) {
    const project = directory.projects.get(proof.projectId) ?? refuse();
    return { project, system: false, roles: proof.roles ?? [] };
  }
  if (wanted?.system !== undefined) {
    const isAdmin = [...proof.user.roles.values()].some((roles) => roles.includes('admin'));
    return isAdmin ? { project: null, system: true, roles: ['admin', 'member', 'reader'] } : refuse();
  }
  if (wanted?.project === undefined) return { project: null, system: false, roles: [] };
  const project = findProject(directory, wanted.project);
  const roles = project === undefined ? undefined : proof.user.roles.get(project.id);
  return project === undefined || roles === undefined ? refuse() : { project, system: false, roles };
}
