import type { JsonObject } from '#libs/domain';
import type { Credentials } from '#libs/openstack';
import { badRequest } from '../http/faults/fault.ts';

const maxFieldLength = 255;

/** Credentials for a sign-in, and the user that attempts count for. */
export interface SignInBody {
  credentials: Credentials;
  domain: string;
  user: string;
  /** Claimed user, for the audit log. */
  typed: { userName: string; projectName: string | null };
}

/**
 * Reads `POST /dashboard/session`: a password with user and project, or an application credential, which has both.
 * @throws ApiFault 400
 */
export function readSignIn(body: JsonObject): SignInBody {
  const field = (name: string): string => {
    const value = body[name];
    if (typeof value !== 'string' || value === '') throw badRequest(`${name} is missing`);
    if (value.length > maxFieldLength) throw badRequest(`${name} is longer than ${maxFieldLength} characters`);
    return value;
  };
  if (body.application_credential_id !== undefined) {
    const id = field('application_credential_id');
    return {
      credentials: {
        kind: 'application-credential',
        credential: { id },
        secret: field('application_credential_secret'),
      },
      domain: 'application credential',
      user: id,
      typed: { userName: `application credential ${id}`, projectName: null },
    };
  }
  const [user, domain, password] = [field('user'), field('user_domain'), field('password')];
  const project = { name: field('project'), domain: { name: field('project_domain') } };
  return {
    credentials: { kind: 'password', user: { name: user, domain: { name: domain } }, password, project },
    domain,
    user,
    typed: { userName: user, projectName: project.name },
  };
}
