import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { GoalPlugin } from './goal.ts';
import { validateIndicators, validateParameters } from './parameters.ts';

const schema: JsonObject = {
  type: 'object',
  additionalProperties: true,
  required: ['host'],
  properties: {
    host: { type: 'string' },
    threshold: { type: 'number', minimum: 0, maximum: 10.2, default: 1.5 },
    mode: { enum: ['live', 'cold'], default: 'live' },
    limits: {
      type: 'object',
      properties: { hosts: { type: 'integer', default: 3 }, zones: { type: 'integer', default: 2 } },
      default: {},
    },
    optional: { type: 'object', properties: { deep: { type: 'integer', default: 9 } } },
    weights: { type: 'object' },
    nodes: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, on: { default: true } } },
    },
    strict: { type: 'number', minimum: 0, exclusiveMinimum: true, default: 1 },
  },
};

function faultOf(given: JsonObject): InvalidInputError {
  try {
    validateParameters(schema, given);
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
  throw new Error('the parameters were accepted');
}

describe('validateParameters', () => {
  it('fills in defaults, also nested ones where the parent is there, and leaves the input alone', () => {
    const given = Object.freeze({ host: 'a', nodes: [{ name: 'n' }], limits: Object.freeze({ hosts: 8 }) });

    expect(validateParameters(schema, given as unknown as JsonObject)).toEqual({
      host: 'a',
      threshold: 1.5,
      mode: 'live',
      limits: { hosts: 8, zones: 2 },
      nodes: [{ name: 'n', on: true }],
      strict: 1,
    });
    expect(validateParameters(schema, { host: 'a' }).limits).toEqual({ hosts: 3, zones: 2 });
    expect(validateParameters(schema, { host: 'a', optional: {} }).optional).toEqual({ deep: 9 });
    expect(given).toEqual({ host: 'a', nodes: [{ name: 'n' }], limits: { hosts: 8 } });
  });

  it('does not share default objects between calls', () => {
    const first = validateParameters(schema, { host: 'a' });
    (first.limits as JsonObject).hosts = 99;

    expect(validateParameters(schema, { host: 'a' }).limits).toEqual({ hosts: 3, zones: 2 });
  });

  it('accepts several schemas of the same id', () => {
    const make = (value: number): JsonObject => ({
      id: 'http://example.org/parameters',
      type: 'object',
      properties: { n: { type: 'integer', default: value } },
    });

    expect([1, 2].map((value) => validateParameters(make(value), {}))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('accepts no parameters where none is required', () => {
    const easy: JsonObject = { type: 'object', properties: { wait: { type: 'integer', default: 5 } } };

    expect(validateParameters(easy, null)).toEqual({ wait: 5 });
    expect(validateParameters(easy, undefined)).toEqual({ wait: 5 });
    expect(validateParameters({}, {})).toEqual({});
  });

  it.each([
    [{ host: 'a', treshold: 2 }, 'treshold', /treshold: is not a parameter of this strategy/],
    [{ host: 'a', limits: { hots: 1 } }, 'limits.hots', /is not a parameter/],
    [{ host: 'a', nodes: [{ name: 'n' }, { nme: 'x' }] }, 'nodes[1].nme', /is not a parameter/],
    [{ host: 'a', threshold: 11 }, 'threshold', /must be at most 10\.2/],
    [{ host: 'a', threshold: '2' }, 'threshold', /must be number/],
    [{ host: 'a', mode: 'warm' }, 'mode', /one of "live", "cold"/],
    [{}, 'host', /is required/],
    [{ host: 'a', strict: 0 }, 'strict', /must be above 0/],
    [{ host: 'a', limits: { hosts: 1.5 } }, 'limits.hosts', /must be integer/],
  ])('refuses %j', (given, field, reason) => {
    const fault = faultOf(given as JsonObject);

    expect(fault.field).toBe(field);
    expect(fault.message).toMatch(reason);
  });

  it('names every fault at once', () => {
    const { message } = faultOf({ threshold: -1, colour: 'red', limits: { hosts: 'many' } });

    expect(message).toMatch(/colour: is not/);
    expect(message).toMatch(/host: is required/);
    expect(message).toMatch(/threshold: must be at least 0/);
    expect(message).toMatch(/limits\.hosts: must be integer/);
  });

  it('refuses everything when the strategy has no parameters, and keeps free-form objects', () => {
    expect(() => validateParameters({}, { a: 1 })).toThrow(/a: is not a parameter/);
    expect(validateParameters(schema, { host: 'a', weights: { anything: 1 } }).weights).toEqual({ anything: 1 });
  });

  it('ends with parameters or an InvalidInputError for any input', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        try {
          validateParameters(schema, given as JsonObject);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInputError);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('validateIndicators', () => {
  const goal: GoalPlugin = {
    kind: 'goal',
    name: 'balance',
    displayName: 'Balance',
    indicators: [
      { name: 'moves', description: 'moves', unit: null, required: true, schema: { type: 'integer', minimum: 0 } },
      { name: 'spread', description: 'spread', unit: '%', required: false, schema: { type: 'number' } },
    ],
    globalEfficacy: () => [],
  };

  it('accepts the parameters that the goal requires', () => {
    expect(() => validateIndicators(goal, { moves: 3 })).not.toThrow();
    expect(() => validateIndicators(goal, { moves: 0, spread: 1.5 })).not.toThrow();
  });

  it.each([
    [{}, 'moves', /goal balance requires it/],
    [{ moves: 1, hosts: 2 }, 'hosts', /not an indicator of goal balance/],
    [{ moves: -1 }, 'moves', /at least 0/],
    [{ moves: Number.NaN }, 'moves', /not a finite number/],
  ])('refuses %j', (values, field, reason) => {
    expect(() => validateIndicators(goal, values as Record<string, number>)).toThrow(
      expect.objectContaining({ field, message: expect.stringMatching(reason) as string }),
    );
  });
});
