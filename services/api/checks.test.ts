import { expect, it } from 'vitest';
import { clientAddressDoubt, knowsOfTls } from './checks.ts';

it.each([
  ['127.0.0.1', undefined, false, true],
  ['0.0.0.0', undefined, false, false],
  ['0.0.0.0', undefined, true, true],
  ['0.0.0.0', 'https://cloud.example/vigil', false, true],
  ['0.0.0.0', 'http://cloud.example/vigil', true, false],
])('on %s with the public URL %s and proxy headers %s it knows of TLS: %s', (host, url, headers, expected) => {
  const env = {
    VIGIL_HOST: host,
    VIGIL_PUBLIC_URL: url,
    VIGIL_ENABLE_PROXY_HEADERS: headers,
    VIGIL_TRUSTED_PROXIES: [],
  };
  expect(knowsOfTls(env)).toBe(expected);
});

it.each([
  ['127.0.0.1', undefined, false, [], null],
  ['0.0.0.0', undefined, false, [], null],
  ['0.0.0.0', 'https://cloud.example', false, [], /share the address of the proxy/],
  ['0.0.0.0', undefined, true, [], /bypasses the proxy/],
  ['127.0.0.1', 'https://cloud.example', true, [], null],
  ['0.0.0.0', 'https://cloud.example', false, ['192.0.2.1'], null],
])('on %s with the public URL %s, headers %s and proxies %s the doubt is %s', (host, url, headers, proxies, doubt) => {
  const found = clientAddressDoubt({
    VIGIL_HOST: host,
    VIGIL_PUBLIC_URL: url,
    VIGIL_ENABLE_PROXY_HEADERS: headers,
    VIGIL_TRUSTED_PROXIES: proxies,
  });
  if (doubt) expect(found).toMatch(doubt);
  else expect(found).toBeNull();
});
