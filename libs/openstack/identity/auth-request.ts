import type { Credentials, DomainRef, ProjectRef } from '../config/openstack-config.ts';

/**
 * Body of `POST /v3/auth/tokens`. `unscoped` omits the project. It distinguishes a wrong password from an unknown or
 * inaccessible project, for which Keystone returns the same text.
 */
export function authRequest(credentials: Credentials, options: { unscoped: boolean } = { unscoped: false }): object {
  const identity = identityPart(credentials);
  if (options.unscoped) return { auth: { identity, scope: 'unscoped' } };
  const project = 'project' in credentials ? credentials.project : null;
  return { auth: { identity, ...(project === null ? {} : { scope: { project: projectPart(project) } }) } };
}

function identityPart(credentials: Credentials): object {
  switch (credentials.kind) {
    case 'password':
      return {
        methods: ['password'],
        password: { user: { ...userPart(credentials.user), password: credentials.password } },
      };
    case 'token':
      return { methods: ['token'], token: { id: credentials.token } };
    case 'application-credential':
      return {
        methods: ['application_credential'],
        application_credential: { ...credentialPart(credentials.credential), secret: credentials.secret },
      };
  }
}

type ApplicationCredential = Extract<Credentials, { kind: 'application-credential' }>['credential'];

function credentialPart(credential: ApplicationCredential): object {
  if ('id' in credential) return { id: credential.id };
  return { name: credential.name, user: userPart(credential.user) };
}

function userPart(user: { id: string } | { name: string; domain: DomainRef }): object {
  return 'id' in user ? { id: user.id } : { name: user.name, domain: user.domain };
}

function projectPart(project: ProjectRef): object {
  return 'id' in project ? { id: project.id } : { name: project.name, domain: project.domain };
}
