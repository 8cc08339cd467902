import { join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.ts';
import { prometheusPackages } from './prometheus-server.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

/** Debian's `promtool`, which comes with Prometheus. `url` is the path of the program. */
export async function providePromtool({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, prometheusPackages);
  return { url: join(root, 'usr/bin/promtool'), stop: async () => undefined };
}
