import fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import { installOutcomes } from '../http/request/outcome-hook.ts';
import { installServerTiming } from '../http/request/server-timing.ts';
import { installDeprecation } from './deprecation.ts';

const app = fastify();
afterEach(() => app.close());

test('deprecated routes say since when and until when, and the document too; others say nothing', async () => {
  const deprecation = { since: new Date('2026-01-01T00:00:00Z'), sunset: new Date('2027-01-01T00:00:00Z') };
  const schemas: unknown[] = [];
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields, text) => void warnings.push([text, fields]) };
  installDeprecation(app);
  installServerTiming(app, installOutcomes(app, logger), { logger, clock: { now: () => 1_767_225_600_123 } }, 30);
  app.addHook('onRoute', ({ url, schema }) => void schemas.push([url, schema?.deprecated ?? false]));
  app.get('/old', { config: { deprecation } }, async () => ({}));
  app.get('/new', async () => ({}));
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return {};
  });

  const old = await app.inject('/old');
  expect(old.headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' });
  expect((await app.inject('/new')).headers).not.toHaveProperty('deprecation');
  expect(schemas).toContainEqual(['/old', true]);
  expect(schemas).toContainEqual(['/new', false]);

  const slow = await app.inject('/slow?token=x');
  expect(slow.headers['server-timing']).toMatch(/^total;dur=\d+\.\d$/);
  expect(slow.headers['x-vigil-time']).toBe('2026-01-01T00:00:00.123Z');
  await vi.waitFor(
    () => expect(warnings).toContainEqual(['slow request', expect.objectContaining({ route: '/slow' })]),
    60_000,
  );
});
