// Creates the files of a new part, adds it to its list, and lists the remaining steps:
// npm run new -- strategy|parameter|action|field|data-source|migration|message NAME
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { dataSource } from './new/data-source.mjs';
import { insertion } from './new/insertion.mjs';

const [kind, name] = process.argv.slice(2);

/** Every kind: the form of its name, its files, its entries in lists, and the manual steps. */
const kinds = {
  strategy: {
    form: /^[a-z][a-z0-9_]*$/,
    files: ({ camel, pascal, words }) => ({
      [`libs/strategies/${name}/parameters.ts`]: `import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const ${camel}Parameters = { type: 'object', properties: {} } as const satisfies JsonObject;

/** Parameters of \`${name}\`. */
export type ${pascal}Parameters = SchemaValue<typeof ${camel}Parameters>;
`,
      [`libs/strategies/${name}/strategy.ts`]: `import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../shared/hosts/rows.ts';
import { ${camel}Parameters, type ${pascal}Parameters } from './parameters.ts';

/** Manifest of \`${name}\`. */
const ${camel}Manifest: StrategyManifest = {
  kind: 'strategy',
  name: '${name}',
  displayName: '${words}',
  goal: 'unclassified',
  description: 'TODO: its proposals and their conditions.',
  parameters: ${camel}Parameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};

/** TODO: its proposals and their conditions. */
export const ${camel}Strategy: StrategyPlugin<${pascal}Parameters> = {
  manifest: ${camel}Manifest,
  async run({ model }): Promise<StrategyResult> {
    return { actions: [], indicators: {}, report: fixedReport(model.snapshot, { emptyBecause: 'TODO' }) };
  },
};
`,
      [`libs/strategies/${name}/strategy.test.ts`]: `import { expect, it } from 'vitest';
import { assertWellBehaved, createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { ${camel}Strategy } from './strategy.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }, { hostname: 'b' }] });

it('reports why its plan is empty', async () => {
  const { actions, report } = await runStrategy(${camel}Strategy, { snapshot });
  expect(actions).toEqual([]);
  expect(report.emptyBecause).not.toBeNull();
});

it('is well-behaved', () => assertWellBehaved(${camel}Strategy, { snapshot }));
`,
      [`libs/strategies/${name}/README.md`]: `# ${words}\n\nTODO: purpose, formula, differences from Watcher, limits.\n`,
    }),
    lists: ({ camel }) => [
      list(
        'libs/strategies/catalogue.ts',
        `import { ${camel}Strategy } from './${name}/strategy.ts';`,
        `  ${camel}Strategy,`,
        '] as StrategyPlugin[];',
      ),
    ],
    left: [
      'choose its goal (libs/goals/catalogue.ts), metrics, models and planner in strategy.ts',
      'libs/strategies/README.md: new words of its report',
      'services/dashboard/texts/de/catalogue-names.ts: its German name; services/dashboard/texts/de/descriptions.ts: its German description',
      'npm run docs, which writes docs/strategies.md; a line in CHANGELOG.md',
      `npx vitest run libs/strategies/catalogue.test.ts tests/tree/parameter-texts.test.ts libs/strategies/${name}`,
    ],
  },
  parameter: {
    form: /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/,
    files: () => ({}),
    lists: ({ owner, member }) => [
      insertion(
        `libs/strategies/${owner}/parameters.ts`,
        '\n  properties: {\n',
        `    ${member}: {
      'x-advanced': true,
      'x-texts': { de: { title: '', description: '' } },
      description: '',
      type: 'number',
      minimum: 0,
    },
`,
      ),
    ],
    left: ({ owner }) => [
      "its description, German texts, type, limits and default; without `'x-advanced'` it is always shown, `format: 'host'` searches for hosts",
      `libs/strategies/${owner}/strategy.ts: its effect; libs/strategies/${owner}/strategy.test.ts: a case with its name`,
      'npm run docs, which writes docs/strategies.md; a line in CHANGELOG.md',
      `npx vitest run libs/strategies/catalogue.test.ts tests/tree/parameter-texts.test.ts libs/strategies/${owner}`,
    ],
  },
  action: {
    form: /^[a-z][a-z0-9_]*$/,
    files: ({ camel, pascal, kebab }) => ({
      [`libs/actions/${name}/${kebab}.ts`]: `import type { SchemaValue } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import { inputSchema } from '../schema.ts';

const schema = inputSchema(['resource_id'], { resource_id: { type: 'string', minLength: 1 } });

/** Parameters of \`${name}\`. */
export type ${pascal}Input = SchemaValue<typeof schema>;

/** TODO: its changes, and their verification. */
export const ${camel}: ActionPlugin<${pascal}Input> = {
  kind: 'action',
  name: '${name}',
  description: 'TODO: its changes.',
  schema,
  revertible: 'impossible',
  abortable: false,
  timeoutMs: () => 60_000,
  occupies: ({ resource_id }) => [\`resource:\${resource_id}\`],
  // All requests to services of the cloud that the action, its abort and its revert may send.
  access: async () => [],
  preCondition: async () => ({ go: true }),
  execute: async () => false,
  postCondition: async () => {},
  probe: async () => 'not_started',
  waitFor: async () => false,
  revert: async () => false,
  abort: async () => false,
};
`,
      [`libs/actions/${name}/${kebab}.test.ts`]: `import { expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext } from '#tests';
import { ${camel} } from './${kebab}.ts';

it('does nothing yet', async () => {
  const context = createTestActionContext(createFakeCloud({ hosts: [] }), { resource_id: 'r' });
  expect(await ${camel}.execute(context)).toBe(false);
});
`,
    }),
    lists: ({ camel, kebab }) => [
      list('libs/actions/catalogue.ts', `import { ${camel} } from './${name}/${kebab}.ts';`, `  ${camel},`, '];'),
      list(
        'libs/domain/action-facts.ts',
        null,
        `  ${name}: { ...stationary, target: null, weighting: { weight: 10, parallelization: 1 } },`,
        '};',
      ),
    ],
    left: [
      'libs/domain/action-facts.ts: its target and effects, and its weight (heavier types run first in planner `weight`)',
      'npm run docs, which writes its weight to docs/configuration.md',
      'new calls of the cloud: the port (libs/openstack/<service>/types.ts), the fake (tests/fake-cloud.ts), the simulator',
      'its rows in libs/actions/README.md and docs/hardening.md; its German name in services/dashboard/texts/de/names.ts',
      'a line in CHANGELOG.md',
      `npx vitest run libs/actions/catalogue.test.ts tests/tree/action-types.test.ts libs/actions/${name} libs/planners`,
    ],
  },
  field: {
    form: /^action_plan\.[a-z][a-z0-9_]*$/,
    files: ({ member, memberPascal, number }) => ({
      [`migrations/${number}-plan-${member.replaceAll('_', '-')}.ts`]: `import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Adds \`${member}\` to plans. Processes of the previous release ignore it. */
export class Plan${memberPascal}${number} implements Migration {
  readonly name = 'Plan${memberPascal}${number}';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans ADD COLUMN ${member} integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans DROP COLUMN ${member}');
  }
}
`,
    }),
    lists: ({ member, memberCamel, memberPascal, number }) => [
      list(
        'migrations/migrations.ts',
        `import { Plan${memberPascal}${number} } from './${number}-plan-${member.replaceAll('_', '-')}.ts';`,
        `  Plan${memberPascal}${number},`,
        '];',
      ),
      insertion(
        'libs/domain/plan-controls.ts',
        '\nconst limits = {\n',
        `  /** TODO: its effect. Null for none. */
  ${memberCamel}: { name: '${member}', type: 'whole', option: 'TODO: its effect (extension).', flag: 'TODO: its effect', shown: '' },
`,
      ),
    ],
    left: [
      'libs/domain/plan-controls.ts: its group, type and texts; the migration: the type of its column',
      'services/applier/plan-runner or services/api/routes/v1/action-plans: its effect, with a test',
      'if a form of the dashboard has it (services/dashboard/pages/plan): its label in services/dashboard/components/error-words.ts',
      'docs/api.md; npm run openapi; a line in CHANGELOG.md',
      'npx vitest run tests/tree/plan-controls.test.ts libs/store/connection libs/store/backup services/api/openapi',
    ],
  },
  'data-source': dataSource,
  migration: {
    form: /^[a-z][a-z0-9-]*$/,
    files: ({ pascal, number, kebab }) => ({
      [`migrations/${number}-${kebab}.ts`]: `import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** TODO: its changes, and why they are safe beside processes of the previous release. */
export class ${pascal}${number} implements Migration {
  readonly name = '${pascal}${number}';
  /** TODO: only if processes of the previous release can run beside it; otherwise remove it and use two releases (docs/upgrade.md). */
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
`,
    }),
    lists: ({ pascal, number, kebab }) => [
      list(
        'migrations/migrations.ts',
        `import { ${pascal}${number} } from './${number}-${kebab}.ts';`,
        `  ${pascal}${number},`,
        '];',
      ),
    ],
    left: [
      'for a field of an entity: libs/domain/entities.ts, the schema in libs/store/schemas, and where the API shows it serializer, schema and sort keys (services/api/routes/v1), then npm run openapi',
      'for a table: docs/architecture.md, libs/store/maintenance (purge, retention, grants), and backup.db.test.ts',
      'npx vitest run libs/store/connection libs/store/backup libs/store/maintenance',
    ],
  },
  message: {
    form: /^[a-z]+\.[a-z]+$/,
    files: ({ camel, kebab }) => ({
      [`libs/messaging/catalogue/${kebab}.ts`]: `import type { MessageDefinition } from './message-definition.ts';

/** TODO: its request and its consumer. */
export const ${camel} = {
  type: '${name}',
  version: 1,
  queue: 'engine.${name}',
  deliveryLimit: 5,
  retrySeconds: [5, 30, 120, 600],
  description: 'TODO: its request.',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['schema'],
    properties: { schema: { const: '${name}/1' } },
  },
} as const satisfies MessageDefinition;
`,
    }),
    lists: ({ camel, kebab }) => [
      list('libs/messaging/catalogue/catalogue.ts', `import { ${camel} } from './${kebab}.ts';`, ` ${camel}`, '];'),
      list('libs/messaging/index.ts', null, `export { ${camel} } from './catalogue/${kebab}.ts';`, null),
    ],
    left: [
      'the queue (its consumer) and the schema of the body; payloads carry ids only',
      'its handler in compose.ts of the consumer, behind whileOpen; the writer adds `message(…)` to the outbox in the transaction of its cause',
      'docs/architecture.md: the queue; npx vitest run libs/messaging/asyncapi.test.ts -u',
    ],
  },
};

/** A line at the end of a list that `end` closes, and the import that it needs. */
function list(file, importLine, line, end) {
  return { file, importLine, line, end };
}

const definition = kinds[kind];
if (!definition || !name || !definition.form.test(name)) {
  console.error(
    'npm run new -- strategy|action NAME (snake_case), parameter STRATEGY.NAME, field action_plan.NAME, data-source NAME, ' +
      'migration NAME (kebab-case), message NAME (such as plan.launch)',
  );
  process.exit(64);
}
const parts = name.split(/[_.-]/);
const pascalOf = (words) => words.map((part) => part[0].toUpperCase() + part.slice(1)).join('');
const camelOf = (pascal) => pascal[0].toLowerCase() + pascal.slice(1);
const pascal = pascalOf(parts);
const [owner, member = owner] = name.split('.');
const memberPascal = pascalOf(member.split(/[_-]/));
const newest = Math.max(...readdirSync('migrations').map((file) => Number.parseInt(file, 10) || 0));
const names = {
  name,
  pascal,
  camel: camelOf(pascal),
  owner,
  member,
  memberPascal,
  memberCamel: camelOf(memberPascal),
  kebab: parts.join('-'),
  words: `${parts.join(' ')[0].toUpperCase()}${parts.join(' ').slice(1)}`,
  number: newest + 10_000,
};
const files = Object.entries(definition.files(names));
const taken = files.find(([file]) => existsSync(file));
if (taken) refuse(`${taken[0]} already exists`);
const lists = definition.lists(names);
for (const { file, after = '', line } of lists) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const key = /^\s*(\w+): /m.exec(line)?.[1];
  if (after !== '' && new RegExp(`^ +${key}: `, 'm').test(text)) refuse(`${file} already contains ${key}`);
  if (text === '' || text.split(after).length < 2) refuse(`${file} has no line "${after.trim()}"`);
}
for (const [file, text] of files) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`created  ${file}`);
}
for (const { file, importLine, line, end, after } of lists) {
  const text = readFileSync(file, 'utf8');
  const listed = after === undefined ? appended(text, line, end) : text.replace(after, () => after + line);
  writeFileSync(file, importLine ? `${importLine}\n${listed}` : listed);
  console.log(`extended ${file}`);
}
console.log('npx biome check --write sorts the imports. Remaining steps:');
const left = typeof definition.left === 'function' ? definition.left(names) : definition.left;
for (const step of left) console.log(`  [ ] ${step}`);

/** The text with a line at the end of the list that `end` closes. Null: at the end of the file. */
function appended(text, line, end) {
  const at = end === null ? text.length : text.lastIndexOf(end);
  const before = text.slice(0, at);
  const needsComma = end === '];' && !before.trimEnd().endsWith(',');
  return `${needsComma ? `${before.trimEnd()},` : before}${line}${needsComma ? '' : '\n'}${text.slice(at)}`;
}

function refuse(reason) {
  console.error(reason);
  process.exit(1);
}
