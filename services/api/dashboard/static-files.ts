import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** No inline scripts or styles, no foreign sources, no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
const yearSeconds = 365 * 24 * 3600;
/** For files that the build keeps in compressed form only. */
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves the built dashboard below `/dashboard/`: files under `assets/` (named by content hash) with unlimited caching,
 * and the page itself for every other path, so that deep links work. Without a build, the page explains how to make
 * one.
 */
export async function registerDashboardFiles(app: FastifyInstance, folder: string | null): Promise<void> {
  const options = { schema: { hide: true } };
  const file = folder === null ? null : join(folder, 'index.html');
  if (folder === null || file === null || !existsSync(file)) {
    const respond = (reply: FastifyReply) =>
      reply.code(404).type('text/plain').send('The dashboard is not built; `npm run build` builds it.\n');
    app.get('/dashboard', options, async (_request, reply) => respond(reply));
    app.get('/dashboard/*', options, async (_request, reply) => respond(reply));
    return;
  }
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, index: false });
  await app.register(
    async (assets) => {
      assets.get<{ Params: { '*': string } }>('/*', options, (request, reply) => {
        const name = request.params['*'];
        // No subfolders: only assets are served.
        if (!/^[\w.-]+$/.test(name)) return reply.callNotFound();
        return reply.sendFile(`assets/${name}`, { maxAge: yearSeconds * 1000, immutable: true });
      });
      // Also reached when the file exists in compressed form only and the client accepts none of these encodings.
      assets.setNotFoundHandler<{ Params: { '*': string } }>((request, reply) => {
        const name = request.params['*'];
        const type = contentTypes[extname(name)];
        const packed = join(folder, 'assets', `${basename(name)}.gz`);
        if (type === undefined || !existsSync(packed))
          return reply.code(404).type('text/plain').send('No such file.\n');
        return reply
          .type(type)
          .headers({ 'Cache-Control': `public, max-age=${yearSeconds}, immutable`, Vary: 'accept-encoding' })
          .send(createReadStream(packed).pipe(createGunzip()));
      });
    },
    { prefix: '/dashboard/assets' },
  );
  const servePage = async (appUrl: string, reply: FastifyReply) => {
    // Read each time, so that a new build is served immediately.
    const page = await readFile(file, 'utf8');
    // One slash: two would name another server.
    const base = `${new URL(appUrl).pathname.replace(/\/+$/, '').replace(/^\/+/, '/')}/dashboard/`;
    return reply
      .headers({
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'same-origin',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(page.replace('<base href="/dashboard/"', `<base href="${escapeAttribute(base)}"`));
  };
  app.get('/dashboard', options, async (request, reply) => servePage(request.base.app, reply));
  app.get('/dashboard/*', options, async (request, reply) => servePage(request.base.app, reply));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
