import { describe, expect, it } from 'vitest';
import { authRequest } from './auth-request.ts';

const domain = { name: 'Default' };

describe('the body of a token request to Keystone', () => {
  it('for a password', () => {
    const credentials = {
      kind: 'password',
      user: { name: 'ann', domain },
      password: 'pw',
      project: { name: 'lab', domain },
    } as const;
    const identity = { methods: ['password'], password: { user: { name: 'ann', domain, password: 'pw' } } };
    expect(authRequest(credentials)).toEqual({ auth: { identity, scope: { project: { name: 'lab', domain } } } });
    expect(authRequest(credentials, { unscoped: true })).toEqual({ auth: { identity, scope: 'unscoped' } });
  });

  it('for an application credential, which carries its project', () => {
    const byId = { kind: 'application-credential', credential: { id: 'ac' }, secret: 's' } as const;
    expect(authRequest(byId)).toEqual({
      auth: { identity: { methods: ['application_credential'], application_credential: { id: 'ac', secret: 's' } } },
    });
    const byName = { ...byId, credential: { name: 'n', user: { id: 'u' } } } as const;
    expect(authRequest(byName)).toEqual({
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { name: 'n', user: { id: 'u' }, secret: 's' },
        },
      },
    });
  });

  it('for a token', () => {
    expect(authRequest({ kind: 'token', token: 't', project: { id: 'p' } })).toEqual({
      auth: { identity: { methods: ['token'], token: { id: 't' } }, scope: { project: { id: 'p' } } },
    });
  });
});
