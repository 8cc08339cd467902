import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import { auditTrigger, messageCatalogue, planLaunch } from './index.ts';
import { createMessageChecker } from './validate.ts';

const uuid = '2f1c3b52-33b5-4a3a-8d1e-0f7d1f3c9a11';

describe('the message checker', () => {
  const checker = createMessageChecker(messageCatalogue);

  it.each([
    ['a launch', 'plan.launch', { schema: 'plan.launch/1', plan_uuid: uuid, launch_seq: 1, requested_by: null }],
    ['a trigger', 'audit.trigger', { schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'webhook' }],
    ['unknown fields', 'audit.trigger', { schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'created', later: {} }],
  ])('accepts %s', (_, type, body) => {
    expect(checker.findProblem(type, body)).toBeNull();
  });

  it.each([
    ['an unknown type', 'plan.lunch', {}, /^there is no message type plan\.lunch in the catalogue$/],
    ['a missing field', 'plan.launch', { schema: 'plan.launch/1', plan_uuid: uuid }, /required property 'launch_seq'/],
    [
      'what is not a uuid',
      'audit.trigger',
      { schema: 'audit.trigger/1', audit_uuid: 'x', reason: 'created' },
      /body\/audit_uuid must match format "uuid"/,
    ],
    [
      'a body of another type',
      'plan.launch',
      { schema: 'audit.trigger/9', plan_uuid: uuid, launch_seq: 1 },
      /must be equal/,
    ],
    [
      'a newer version',
      'plan.launch',
      { schema: 'plan.launch/2' },
      /^schema plan\.launch\/2 is newer than version 1, the newest known here$/,
    ],
  ])('refuses %s', (_, type, body, problem) => {
    expect(checker.findProblem(type, body)).toMatch(problem);
  });

  it('knows its definitions and no others', () => {
    expect(checker.definition('plan.launch')).toBe(planLaunch);
    expect(() => checker.definition('plan.lunch')).toThrow(InvalidInputError);
    expect(() => createMessageChecker([auditTrigger, auditTrigger])).toThrow(
      /audit\.trigger is in the catalogue twice/,
    );
  });
});

describe('the catalogue', () => {
  it.each(messageCatalogue.map((definition) => [definition.type, definition] as const))(
    '%s is sound',
    (type, found) => {
      expect(type).toMatch(/^[a-z_]+(\.[a-z_]+)+$/);
      expect(found.version).toBeGreaterThanOrEqual(1);
      expect(found.deliveryLimit).toBeGreaterThanOrEqual(1);
      expect(found.retrySeconds.length).toBeGreaterThan(0);
      expect([...found.retrySeconds].sort((a, b) => a - b)).toEqual(found.retrySeconds);
      expect(found.schema).toMatchObject({ properties: { schema: { const: `${type}/${found.version}` } } });
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      ajvFormats.default(ajv);
      expect(() => ajv.compile(found.schema)).not.toThrow();
    },
  );

  it('has no queue twice', () => {
    expect(new Set(messageCatalogue.map(({ queue }) => queue)).size).toBe(messageCatalogue.length);
    expect(messageCatalogue.length).toBeGreaterThanOrEqual(2);
  });
});
