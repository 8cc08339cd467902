import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const source = 'tests/servers/helm/main.go';
const compileLimits = { timeout: 600_000 };

/** Go, and the libraries of Helm's template engine. Debian has no Helm. */
export const helmPackages: PackageSet = {
  name: 'helm-engine',
  packages: ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'],
};

/**
 * A program that understands `helm template NAME CHART --values FILE`, compiled once per version of its source. `url`
 * is its path. Helm itself fits as well.
 */
export async function provideHelm({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, helmPackages);
  const revision = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 8);
  const program = join(root, `vigil-helm-${revision}`);
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (!isThere) await compile(root, program);
  return { url: program, stop: async () => undefined };
}

/** Compiles next to the final place: other runs find the complete program or none. */
async function compile(root: string, program: string): Promise<void> {
  const work = await mkdtemp(join(root, 'compiling-'));
  const env = {
    PATH: process.env.PATH,
    HOME: work,
    GOROOT: join(root, 'usr/lib/go'),
    GOPATH: join(root, 'usr/share/gocode'),
    GOCACHE: join(work, 'cache'),
    GO111MODULE: 'off',
    CGO_ENABLED: '0',
  };
  const built = join(work, 'helm');
  await promisify(execFile)(join(env.GOROOT, 'bin/go'), ['build', '-o', built, source], { env, ...compileLimits });
  await rename(built, program);
  await rm(work, { recursive: true, force: true });
}
