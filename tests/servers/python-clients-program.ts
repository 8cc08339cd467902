import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const starter = 'vigil-python';

/** A Python in which `import openstackclient, watcherclient` works. */
export const pythonClientsPackages: PackageSet = {
  name: 'openstack-clients',
  packages: ['python3', 'python3-openstackclient', 'python3-watcherclient'],
  relocate,
};

/** A Python that finds libraries and modules in its folder, wherever the folder is. */
const script = `#!/bin/sh
root=$(cd "$(dirname "$0")" && pwd)
export PYTHONHOME="$root/usr" PYTHONPATH="$root/usr/lib/python3/dist-packages" PYTHONNOUSERSITE=1
for machine in x86_64 aarch64; do
  libraries="$libraries\${libraries:+:}$root/usr/lib/$machine-linux-gnu"
done
export LD_LIBRARY_PATH="$libraries"
exec "$root/usr/bin/python3" "$@"
`;

async function relocate(root: string): Promise<void> {
  await writeFile(join(root, starter), script);
  await chmod(join(root, starter), 0o755);
}

/** Debian's unchanged OpenStack clients, unpacked with their Python. `url` is the path of that Python. */
export async function providePythonClients({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, pythonClientsPackages);
  return { url: join(root, starter), stop: async () => undefined };
}
