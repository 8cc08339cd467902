import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { anonymousCaller, type CallerIdentity } from '../http/request/request-context.ts';
import { defaultRules } from './default-rules.ts';
import { createPolicy } from './policy.ts';
import { loadPolicyFile } from './policy-file.ts';

const caller = (...roles: string[]): CallerIdentity => ({
  ...anonymousCaller,
  userId: 'u',
  projectId: 'p',
  projectName: 'ops',
  roles,
});

describe('the default policy', () => {
  it.each(Object.keys(defaultRules))('%s is not for members, readers or strangers', (rule) => {
    const policy = createPolicy();
    for (const roles of [[], ['member'], ['reader']]) expect(policy.allows(rule, caller(...roles))).toBe(false);
  });

  it.each([
    ['audit:create', ['admin'], true],
    ['audit:create', ['Administrator'], true],
    ['audit:create', ['member', 'reader', 'service'], false],
    ['webhook:trigger', ['service'], true],
    ['webhook:trigger', ['member'], false],
    ['no:such', ['admin'], false],
    ['show_password', ['admin'], false],
  ])('%s for %j: %s', (rule, roles, allowed) => {
    expect(createPolicy().allows(rule, caller(...roles))).toBe(allowed);
  });
});

describe('the language of rules', () => {
  it.each([
    ['', true],
    ['@', true],
    ['!', false],
    ['not !', true],
    ['role:reader', true],
    ['role:READER', true],
    ['role:admin', false],
    ['role:admin or role:reader', true],
    ['role:admin and role:reader', false],
    ['not role:admin and role:reader', true],
    ['not (role:admin or role:reader)', false],
    ['role:reader or role:a and role:b', true],
    ['(role:reader or role:a) and role:b', false],
    ['rule:other', true],
    ['project_id:p', true],
    ['project_id:%(project_id)s', true],
    ['project_name:ops and user_id:other', false],
    ['user_name:%(user_id)s', false],
  ])('%s: %s', (check, allowed) => {
    expect(
      createPolicy({ 'goal:get': check, 'goal:detail': 'rule:other', other: 'role:reader' }).allows(
        'goal:get',
        caller('reader'),
      ),
    ).toBe(allowed);
  });

  it.each([
    ['role:', 'is not a check'],
    ['admin', 'is not a check'],
    ['(role:a', 'not closed'],
    ['role:a)', 'ends before'],
    ['role:a role:b', 'ends before'],
    ['role:a or', 'a check is missing'],
    ['planet:mars', 'is not a check'],
    ['user_id:%(planet)s', 'is not known'],
    ['rule:nothing', 'which does not exist'],
    ['rule:goal:get', 'refers to itself'],
  ])('%s is refused', (check, reason) => {
    expect(() => createPolicy({ 'goal:get': check })).toThrow(reason);
  });
});

describe('scopes and administrators', () => {
  it.each([
    ['system_scope:all', { systemScope: 'all' }, true],
    ['system_scope:all', {}, false],
    ['domain_id:d1', { domainId: 'd1' }, true],
    ['domain_id:d1', { domainId: null }, false],
    ['is_admin:True', { roles: ['Admin'] }, true],
    ['is_admin:True', {}, false],
    ['is_admin:False', {}, true],
  ])('%s for %j: %s', (check, credentials, allowed) => {
    const policy = createPolicy({ 'goal:get': check });
    expect(policy.allows('goal:get', { ...caller('reader'), ...credentials })).toBe(allowed);
  });
});

describe('names of rules', () => {
  it.each([
    ['audit:creat', 'did you mean audit:create?'],
    ['admin_apy', 'did you mean admin_api?'],
    ['planet', 'is unknown, and no other rule refers to it'],
  ])('%s is refused', (name, reason) => {
    expect(() => createPolicy({ [name]: 'role:admin' })).toThrow(reason);
  });

  it('may be of one that another rule uses, and of the fallback', () => {
    const policy = createPolicy({ mine: 'role:reader', 'goal:get': 'rule:mine', default: '!' });
    expect(policy.allows('goal:get', caller('reader'))).toBe(true);
  });
});

describe('a policy file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigil-policy-'));
    path = join(folder, 'policy.yaml');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('overrides the defaults, is read again when it changes, and keeps the rules when it breaks', async () => {
    await writeFile(path, '# comment\n"goal:get_all": "rule:admin_api or role:reader"\n');
    const policy = await loadPolicyFile(path, silentLogger);
    expect(policy.allows('goal:get_all', caller('reader'))).toBe(true);
    expect(policy.allows('goal:get', caller('reader'))).toBe(false);
    await writeFile(path, '{"goal:get": "role:reader"}');
    await utimes(path, 1, 1);
    await policy.refresh();
    expect(policy.allows('goal:get', caller('reader'))).toBe(true);
    expect(policy.allows('goal:get_all', caller('reader'))).toBe(false);
    await writeFile(path, 'goal:get: [');
    await policy.refresh();
    expect(policy.allows('goal:get', caller('reader'))).toBe(true);
  });

  it.each(['- a', 'goal:get: 1', 'goal:get: "role:"', '{'])('%s is refused', async (text) => {
    await writeFile(path, text);
    await expect(loadPolicyFile(path, silentLogger)).rejects.toThrow(`invalid policy file ${path}`);
  });

  it('must exist unless it is optional', async () => {
    await expect(loadPolicyFile(path, silentLogger)).rejects.toThrow('invalid policy file');
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: unknown) => void warnings.push(fields) };

    const policy = await loadPolicyFile(path, logger, { isRequired: false });

    expect(await policy.refresh()).toBe(false);
    expect(policy.allows('goal:get', caller('admin'))).toBe(true);
    expect(policy.allows('goal:get', caller('reader'))).toBe(false);
    expect(warnings).toEqual([{ path }]);
    await writeFile(path, '"goal:get": "role:reader"\n');
    expect(await policy.refresh()).toBe(true);
    expect(policy.allows('goal:get', caller('reader'))).toBe(true);
    await writeFile(path, 'goal:get: [');
    await expect(loadPolicyFile(path, logger, { isRequired: false })).rejects.toThrow('invalid policy file');
  });
});
