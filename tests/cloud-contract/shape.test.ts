import { describe, expect, it } from 'vitest';
import { expectedShapes } from './expected-shapes.ts';
import { type Shape, shapeFaults } from './shape.ts';

describe('shapes', () => {
  it.each<[string, Shape, unknown]>([
    ['types', { a: 'string', b: 'number|null', c: 'any' }, { a: 'x', b: null, c: [] }],
    ['lists', [{ a: 'string' }], [{ a: 'x' }, { a: 'y' }]],
    ['empty lists', ['string'], []],
    ['absent keys', { 'a?': 'string' }, {}],
    ['maps', { '*': 'number' }, { x: 1, y: 2 }],
    ['open objects', { a: 'string', '...': 'any' }, { a: 'x', z: 1 }],
    ['either', { image: { '|': ['string', { id: 'string' }] } }, { image: { id: 'i' } }],
  ])('fit: %s', (_, shape, value) => {
    expect(shapeFaults(shape, value)).toEqual([]);
  });

  it.each<[Shape, unknown, string]>([
    [{ a: 'string' }, { a: 1 }, 'answer.a is number, not string'],
    [{ a: 'string' }, {}, 'answer.a is missing'],
    [{ a: 'string' }, { a: 'x', b: 1 }, 'answer.b is not expected'],
    [[{ a: 'string' }], [{ a: 'x' }, { a: null }], 'answer[1].a is null, not string'],
    [{ '*': 'number' }, { x: 'y' }, 'answer.x is string, not number'],
    [['string'], {}, 'answer is object, not a list'],
    [{ '|': ['string', { id: 'string' }] }, { id: 1 }, 'answer.id is number, not string'],
  ])('%j does not fit %j', (shape, value, fault) => {
    expect(shapeFaults(shape, value)).toEqual([fault]);
  });

  it('are there for every service', () => {
    const counts = Object.entries(expectedShapes()).map(([service, shapes]) => [
      service,
      Object.keys(shapes).length > 3,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      identity: true,
      compute: true,
      placement: true,
      'block-storage': true,
    });
  });
});
