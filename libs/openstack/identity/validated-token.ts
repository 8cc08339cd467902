import type { FieldReader } from '../service/field-reader.ts';
import type { ValidatedToken } from './types.ts';

/** Translates the body of `GET /v3/auth/tokens`. `domainId` is set for domain-scoped tokens only, `systemScope` for those of the whole
 * system. */
export function parseValidatedToken(body: FieldReader): ValidatedToken {
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
