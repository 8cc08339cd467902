import { describe, expect, it } from 'vitest';
import { findEndpoint, parseCatalogue } from './catalogue.ts';

const catalogue = parseCatalogue([
  {
    type: 'volumev3',
    endpoints: [
      { interface: 'public', region_id: 'One', url: 'http://one/v3/p/' },
      { interface: 'public', region: 'Two', url: 'http://two/v3/p' },
    ],
  },
  { type: 'compute', endpoints: [{ interface: 'internal', region_id: 'One', url: 'http://inside' }, 'rubbish'] },
  'rubbish',
]);
const any = { region: null, interface: 'public', overrides: {} } as const;

describe('endpoints', () => {
  it('are found by alias, region and interface', () => {
    expect(findEndpoint(catalogue, 'block-storage', any)).toBe('http://one/v3/p');
    expect(findEndpoint(catalogue, 'block-storage', { ...any, region: 'Two' })).toBe('http://two/v3/p');
    expect(findEndpoint(catalogue, 'compute', { ...any, interface: 'internal' })).toBe('http://inside');
    expect(findEndpoint(catalogue, 'compute', any)).toBeNull();
    expect(findEndpoint(catalogue, 'placement', any)).toBeNull();
  });

  it('can be overridden by official name or alias', () => {
    const overrides = { volumev3: 'http://mine/v3/' };
    expect(findEndpoint(catalogue, 'block-storage', { ...any, overrides })).toBe('http://mine/v3');
  });
});
