import { expect, it } from 'vitest';
import { createProxyTrust, parseNetwork } from './proxy-trust.ts';

const from = (ip: string, forwarded?: string) => ({ ip, headers: { 'x-forwarded-for': forwarded } });

it('only listed proxies name the client', () => {
  const { clientAddress } = createProxyTrust({ trustedProxies: ['192.0.2.1', '2001:db8::/32', '10.0.0.0/8'] });
  expect(clientAddress(from('192.0.2.1', '198.51.100.7'))).toBe('198.51.100.7');
  expect(clientAddress(from('::ffff:192.0.2.1', '198.51.100.7'))).toBe('198.51.100.7');
  expect(clientAddress(from('2001:db8::5', '198.51.100.7'))).toBe('198.51.100.7');
  expect(clientAddress(from('203.0.113.9', '198.51.100.7'))).toBe('203.0.113.9');
});

it('an address that the client itself wrote is ignored', () => {
  const { clientAddress } = createProxyTrust({ trustedProxies: ['10.0.0.0/8'] });
  expect(clientAddress(from('10.0.0.1', '1.1.1.1, 198.51.100.7'))).toBe('198.51.100.7');
  expect(clientAddress(from('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.0.0.2'))).toBe('198.51.100.7');
  expect(clientAddress(from('10.0.0.1', '1.1.1.1, nonsense'))).toBe('10.0.0.1');
  expect(clientAddress(from('10.0.0.1'))).toBe('10.0.0.1');
});

it('without a list the setting for all peers counts', () => {
  expect(createProxyTrust({}).clientAddress(from('192.0.2.1', '198.51.100.7'))).toBe('192.0.2.1');
  const all = createProxyTrust({ proxyHeaders: true });
  expect(all.clientAddress(from('192.0.2.1', '1.1.1.1, 198.51.100.7'))).toBe('198.51.100.7');
});

it.each(['10.0.0.0/33', '10.0.0.0/', 'proxy.example', '10.0.0', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1'])(
  '%s is no network',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  },
);
