import { readFileSync, writeFileSync } from 'node:fs';
import { renderConfigurationDocs, renderKnownKeys } from './configuration-docs.ts';
import { renderMetricsDocs } from './metrics-docs.ts';
import { renderPermissionDocs } from './permission-docs.ts';
import { renderStateDocs } from './state-docs.ts';
import { renderStrategyDocs } from './strategy-docs.ts';
import { renderTaskDocs } from './task-docs.ts';

/**
 * `npm run docs` writes the generated pages. With `--check`, only its exit code reports whether they are up to date.
 */
const pages = [
  { path: 'docs/states.md', render: renderStateDocs },
  { path: 'docs/configuration.md', render: renderConfigurationDocs },
  { path: 'libs/service-kit/env/generated/known-keys.ts', render: renderKnownKeys },
  { path: 'docs/strategies.md', render: renderStrategyDocs },
  { path: 'docs/tasks.md', render: renderTaskDocs },
  { path: 'docs/metrics.md', render: renderMetricsDocs },
  { path: 'docs/permissions.md', render: renderPermissionDocs },
];

const isCheck = process.argv.includes('--check');
for (const { path, render } of pages) {
  const text = render();
  if (!isCheck) {
    writeFileSync(path, text);
  } else if (readIfThere(path) !== text) {
    process.stderr.write(`${path} is not up to date; run: npm run docs\n`);
    process.exitCode = 1;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
