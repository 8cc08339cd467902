import { describe, expect, it } from 'vitest';
import { pickMicroversion } from './microversion.ts';
import { parseVersionDocument } from './service-versions.ts';

describe('microversions', () => {
  it.each([
    [{ min: '2.53', max: '2.96' }, { min: '2.1', max: '2.93' }, '2.93'],
    [{ min: '2.53', max: '2.69' }, { min: '2.1', max: '2.100' }, '2.69'],
    [{ min: '2.53', max: '2.69' }, { min: '2.1', max: '2.9' }, null],
    [{ min: '2.30', max: '2.30' }, { min: '2.1', max: '2.93' }, '2.30'],
    [{ min: '2.30', max: '2.30' }, { min: '2.60', max: '2.99' }, null],
    [{ min: '1.0', max: '1.36' }, { min: '1.0', max: 'rubbish' }, null],
  ])('of %o and %o is %s', (wanted, offered, expected) => {
    expect(pickMicroversion(wanted, offered)).toBe(expected);
  });

  it.each([
    ['Nova', { version: { id: 'v2.1', version: '2.93', min_version: '2.1' } }, 'v2.1', { min: '2.1', max: '2.93' }],
    [
      'Nova at its root',
      {
        versions: [
          { id: 'v2.0', version: '', min_version: '' },
          { id: 'v2.1', version: '2.93', min_version: '2.1' },
        ],
      },
      'v2.1',
      { min: '2.1', max: '2.93' },
    ],
    [
      'Placement',
      { versions: [{ id: 'v1.0', max_version: '1.39', min_version: '1.0' }] },
      'v1',
      { min: '1.0', max: '1.39' },
    ],
    ['something else', { hello: 'world' }, 'v2.1', null],
    ['no JSON', null, 'v2.1', null],
  ])('are read from the document of %s', (_, body, major, expected) => {
    expect(parseVersionDocument(body, major)).toEqual(expected);
  });
});
