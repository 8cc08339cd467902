// Writes dist/sbom.cdx.json, the bill of materials (CycloneDX) of the package: its run-time dependencies and the
// packages bundled into the dashboard. Run by `npm pack`, after the build.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const bundledList = 'dist/dashboard/bundled-packages.json';
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const places = JSON.parse(readFileSync(bundledList, 'utf8'));
const unknown = places.filter((place) => !packages[place]);
if (unknown.length > 0) {
  console.error(`node_modules and package-lock.json differ (${unknown.join(', ')}): run "npm ci" first`);
  process.exit(1);
}
const bundled = new Set(
  places.map(
    (place) => `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${packages[place].version}`,
  ),
);
rmSync(bundledList);

const sbom = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
    // On Windows npm is a script, which needs a shell.
    shell: process.platform === 'win32',
  }),
);

const development = 'cdx:npm:package:development';
const isDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === development);
const isBundled = (component) => bundled.has(component['bom-ref']);

sbom.components = sbom.components
  .filter((component) => !isDevelopment(component) || isBundled(component))
  .map((component) => ({
    ...component,
    properties: [
      ...(component.properties ?? []).filter(({ name }) => name !== development),
      ...(isBundled(component) ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : []),
    ],
  }));
// npm names the root after its folder.
sbom.metadata.component.name = packages[''].name;
const kept = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom)}\n`);
