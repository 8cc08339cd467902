import type { TestStack } from '../../tests/system/test-stack.ts';

const limitMs = 60_000;

/**
 * A request to the internal API of a stack, as its administrator.
 * @param path below `/internal`
 * @throws Error with the response when it is not 2xx
 */
export async function callInternal<Result>(
  { api, issueToken }: TestStack,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${api.url}/internal${path}`, {
    method,
    headers: {
      'X-Auth-Token': await issueToken(),
      'X-Vigil-Internal-Version': '0',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
    signal: AbortSignal.timeout(limitMs),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}
