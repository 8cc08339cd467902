import { expect, it } from 'vitest';
import { knowsOfTls } from './checks.ts';

it.each([
  ['127.0.0.1', undefined, false, true],
  ['0.0.0.0', undefined, false, false],
  ['0.0.0.0', undefined, true, true],
  ['0.0.0.0', 'https://cloud.example/vigil', false, true],
  ['0.0.0.0', 'http://cloud.example/vigil', true, false],
])('on %s with the public URL %s and proxy headers %s it knows of TLS: %s', (host, url, headers, expected) => {
  const env = { VIGIL_HOST: host, VIGIL_PUBLIC_URL: url, VIGIL_ENABLE_PROXY_HEADERS: headers };
  expect(knowsOfTls(env)).toBe(expected);
});
