import { expect, it } from 'vitest';
import { networksOf, parseMigrationNetworks } from './migration-networks.ts';

it('finds the networks of hosts by patterns', () => {
  const networks = parseMigrationNetworks('KEY', ['rack=a*', 'rack=b.1', 'row=*']);
  expect(networksOf(['a7', 'bx1'], networks)).toEqual(['rack', 'row']);
  expect(networksOf(['b.1'], networks.slice(0, 2))).toEqual(['rack']);
});

it.each(['rack', '=a', 'rack=', 'a=b=c'])('refuses the entry %s and names the key', (entry) => {
  expect(() => parseMigrationNetworks('KEY', [entry])).toThrow(
    `KEY must list <network>=<host name with *>, not "${entry}"`,
  );
});
