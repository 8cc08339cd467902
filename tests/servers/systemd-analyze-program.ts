import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const starter = 'vigil-systemd-analyze';

/** The program that reads systemd's units, with its libraries from Debian. */
export const systemdPackages: PackageSet = { name: 'systemd', packages: ['systemd', 'proot'], relocate };

const script = `#!/bin/sh
root=$(cd "$(dirname "$0")" && pwd)
for machine in x86_64 aarch64; do
  libraries="$libraries\${libraries:+:}$root/usr/lib/$machine-linux-gnu:$root/usr/lib/$machine-linux-gnu/systemd"
done
export LD_LIBRARY_PATH="$libraries"
# Units that ours name, such as sysinit.target; the colon keeps the usual folders.
export SYSTEMD_UNIT_PATH="$root/usr/lib/systemd/system:"
# It makes a folder in /run, which only root may where systemd does not run: then it gets a /run of its own.
if [ -d /run/systemd ] || [ -w /run ]; then exec "$root/usr/bin/systemd-analyze" "$@"; fi
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
"$root/usr/bin/proot" -b "$own:/run" "$root/usr/bin/systemd-analyze" "$@"
`;

async function relocate(root: string): Promise<void> {
  await writeFile(join(root, starter), script);
  await chmod(join(root, starter), 0o755);
}

/** Debian's `systemd-analyze`, unpacked. `url` is the path of the program. */
export async function provideSystemdAnalyze({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, systemdPackages);
  return { url: join(root, starter), stop: async () => undefined };
}
