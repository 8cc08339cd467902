import { describe, expect, it } from 'vitest';
import { createSignInLimit } from './sign-in-limit.ts';

const time = { ms: 0 };
const attempt = { address: '10.0.0.1', domain: 'Default', user: 'member' };

function createTimes() {
  const limit = createSignInLimit({ now: () => time.ms });
  return {
    limit,
    times: (count: number, make: (index: number) => Partial<typeof attempt>) =>
      Array.from({ length: count }, (_, index) => limit({ ...attempt, ...make(index) })),
  };
}

describe('the limit of sign-ins', () => {
  it('counts by address, for any user', () => {
    const { limit, times } = createTimes();
    expect(times(10, (index) => ({ user: `u${index}` }))).toEqual(Array(10).fill(0));
    expect(() => limit({ ...attempt, user: 'another' })).toThrow('Too many attempts');
    expect(limit({ ...attempt, address: '10.0.0.2' })).toBe(0);
    time.ms += 15_000;
    expect(limit(attempt)).toBe(0);
    expect(() => limit(attempt)).toThrow('Too many attempts');
  });

  it('counts all spellings of a name as one user, which other addresses delay but never lock out', () => {
    const { times } = createTimes();
    const names = ['Member', 'MEMBER', 'member', ' member ', 'ｍember'];
    const waits = times(40, (index) => ({ address: `10.1.0.${index}`, user: names[index % names.length] ?? '' }));
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(waits.slice(10, 14)).toEqual([250, 500, 1000, 2000]);
    expect(Math.max(...waits)).toBe(4000);
  });

  it('takes a network of IPv6 for one client', () => {
    const { limit, times } = createTimes();
    times(10, (index) => ({ address: `2001:db8:0:1::${index}`, user: `u${index}` }));
    expect(() => limit({ ...attempt, address: '2001:db8::1:0:0:0:99' })).toThrow('Too many attempts');
    expect(limit({ ...attempt, address: '2001:db8:0:2::1' })).toBe(0);
  });
});
