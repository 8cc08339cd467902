// Checks the built site: every link and anchor leads somewhere, and search, themes and the version are there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('dist', import.meta.url));
const base = process.env.VIGIL_DOCS_BASE ?? '/';
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const pages = readdirSync(site, { recursive: true }).filter((path) => path.endsWith('.html') && path !== '404.html');
const texts = new Map(pages.map((path) => [path, readFileSync(join(site, path), 'utf8')]));
const idsOf = (text) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
const anchors = new Map([...texts].map(([path, text]) => [path, idsOf(text)]));

/**
 * Folders and files that are not pages: programs, manifests, documents of the API. See `ignoreDeadLinks` of the
 * configuration.
 */
const noPage = /(^|\/)(libs|services|openapi)\/(index)?$|(^|\/)(LICENSE|NOTICE|Dockerfile)$|\.(?!html$)[a-z0-9]+$/;

function pageOf(path) {
  const found = [path, `${path}.html`, posix.join(path, 'index.html')].find((each) => texts.has(each));
  return found ?? (existsSync(join(site, path)) ? null : undefined);
}

const faults = [];
for (const [path, text] of texts) {
  if (text.includes('language-mermaid')) faults.push(`${path}: a Mermaid diagram is shown as its source only`);
  for (const [, link] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
    if (/^[a-z]+:|^\/\//.test(link)) continue;
    const [to = '', anchor] = link.replaceAll('&amp;', '&').split('#');
    const target = to.startsWith('/') ? posix.relative(base, to) : posix.join(posix.dirname(path), to);
    const page = to === '' ? path : pageOf(decodeURIComponent(target));
    if (page === undefined && !noPage.test(target)) faults.push(`${path}: there is no page ${link}`);
    if (page && anchor && !anchors.get(page).has(decodeURIComponent(anchor)))
      faults.push(`${path}: there is no anchor ${link}`);
  }
  for (const [what, sign] of Object.entries({
    'switch of themes': 'VPSwitchAppearance',
    search: 'VPNavBarSearch',
    version: `v${version}`,
  })) {
    if (!text.includes(sign)) faults.push(`${path}: no ${what}`);
  }
}
if (![...texts.values()].some((text) => text.includes('"vigil-diagram"'))) faults.push('no Mermaid diagram is drawn');
const files = readdirSync(join(site, 'assets'), { recursive: true });
if (!files.some((path) => path.includes('localSearchIndex'))) faults.push('there is no index for the search');
if (pages.length < 50) faults.push(`only ${pages.length} pages`);
for (const fault of faults) console.error(`site: ${fault}`);
console.log(`site: ${pages.length} pages, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
