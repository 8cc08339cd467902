import type { ContractCase } from './contract-case.ts';

const wrongUser = { name: 'no-such-user', domain: { id: 'default' }, password: 'wrong' };

function login(auth: unknown): ContractCase {
  return { service: 'identity', method: 'POST', path: '/auth/tokens', token: '', body: auth };
}

/** Logins that Keystone refuses, and its reads of tokens, projects and regions. */
export const identityCases: readonly ContractCase[] = [
  login({ auth: { identity: { methods: ['password'], password: { user: wrongUser } } } }),
  login({ auth: { identity: { methods: ['token'], token: { id: 'wrong' } } } }),
  login({ auth: { identity: { methods: ['password'] } } }),
  login({ auth: { identity: { methods: ['nonsense'], nonsense: {} } } }),
  login({ auth: {} }),
  login({}),
  { service: 'identity', path: '/auth/tokens', headers: { 'x-subject-token': 'wrong' } },
  { service: 'identity', path: '/auth/tokens' },
  { service: 'identity', path: '/auth/tokens', token: 'wrong', headers: { 'x-subject-token': 'wrong' } },
  { service: 'identity', path: '/auth/catalog', token: '' },
  { service: 'identity', path: '/auth/projects' },
  { service: 'identity', path: '/projects/{unknown}' },
  { service: 'identity', path: '/projects?name=no-such-project' },
  { service: 'identity', path: '/users/{unknown}' },
  { service: 'identity', path: '/users/{user}' },
  { service: 'identity', path: '/projects/{project}' },
  { service: 'identity', path: '/domains/default' },
];
