import { expect, it } from 'vitest';
import { shareExposition } from './operations-routes.ts';

it('is made once for all simultaneous requests, and again after a failure', async () => {
  let made = 0;
  const share = shareExposition({
    expose: async () => {
      made += 1;
      if (made === 1) throw new Error('broken');
      return { contentType: 'text/plain', body: String(made) };
    },
  });
  await expect(share()).rejects.toThrow('broken');
  const expositions = await Promise.all(Array.from({ length: 20 }, share));
  expect(new Set(expositions.map(({ body }) => body))).toEqual(new Set(['2']));
  await expect.poll(async () => (await share()).body, { interval: 200 }).toBe('3');
});
