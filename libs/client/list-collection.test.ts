import { expect, test } from 'vitest';
import { createVigilClient } from './create-client.ts';

/** Two pages of strategies. Each request is recorded. `next` is the URL of the second page. */
async function listedFrom(url: string, next: string) {
  const requested: string[] = [];
  const client = createVigilClient({
    url,
    fetch: async (input) => {
      requested.push(String(input));
      const body = requested.length === 1 ? { strategies: [{ name: 'basic' }], next } : { strategies: [] };
      return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
    },
  });
  const names = (await client.list('strategies')).map(({ name }) => name);
  return { names, second: requested[1] };
}

test.each([
  ['no prefix', 'http://front:80', 'http://api:9322/v1/strategies/detail?limit=1&marker=a'],
  ['a prefix that both have', 'https://front/infra-optim', 'https://front/infra-optim/v1/strategies/detail?marker=a'],
  ['a prefix of the client alone', 'https://front/optim/', 'http://api:9322/v1/strategies/detail?marker=a'],
  ['a prefix that ends in v1', 'https://front/optim/v1', 'https://front/optim/v1/strategies/detail?marker=a'],
])('the next page of a list is requested at the URL of the client: %s', async (_, url, next) => {
  const { names, second } = await listedFrom(url, next);
  const base = url.replace(/\/$/, '').replace(/\/v1$/, '');
  expect(names).toEqual(['basic']);
  expect(second).toBe(`${base}/v1/strategies/detail${new URL(next).search}`);
});
