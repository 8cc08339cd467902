import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const starter = 'vigil-chromium';

/** Chromium without a window, with its own font: texts are as wide here as on any other machine. */
export const chromiumPackages: PackageSet = {
  name: 'chromium',
  packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
  relocate,
};

const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** A program that finds libraries and fonts in its folder, wherever the folder is. */
const script = `#!/bin/sh
root=$(cd "$(dirname "$0")" && pwd)
export FONTCONFIG_FILE="$root/fonts.conf"
for machine in x86_64 aarch64; do
  libraries="$libraries\${libraries:+:}$root/usr/lib/$machine-linux-gnu:$root/usr/lib/$machine-linux-gnu/pulseaudio"
done
export LD_LIBRARY_PATH="$libraries"
exec "$root/usr/lib/chromium/chromium-headless-shell" "$@"
`;

async function relocate(root: string): Promise<void> {
  await writeFile(join(root, 'fonts.conf'), fonts);
  await writeFile(join(root, starter), script);
  await chmod(join(root, starter), 0o755);
}

/** Debian's Chromium, unpacked. `url` is the path of the program. */
export async function provideChromium({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, chromiumPackages);
  return { url: join(root, starter), stop: async () => undefined };
}
