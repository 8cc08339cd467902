import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { asyncApiDocument } from './asyncapi.ts';
import { messageCatalogue } from './index.ts';

const file = fileURLToPath(new URL('../../openapi/asyncapi.yaml', import.meta.url));
const note = '# Made from libs/messaging/catalogue by: npx vitest run libs/messaging/asyncapi.test.ts -u\n';

it('openapi/asyncapi.yaml equals the catalogue', async () => {
  const text = note + stringify(asyncApiDocument(messageCatalogue), { lineWidth: 120, aliasDuplicateObjects: false });
  await expect(text).toMatchFileSnapshot(file);
});

it('every reference of the document has a target', () => {
  const document: unknown = asyncApiDocument(messageCatalogue);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThanOrEqual(messageCatalogue.length * 5);
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    expect(target, reference).toBeDefined();
  }
});
