// The OpenAPI documents by the recommended rules of Redocly: a step of `npm run check`. Its warnings are faults too.
import { createConfig, lint } from '@redocly/openapi-core';

const documents = ['openapi/vigil.json', 'openapi/internal.json'];
const config = await createConfig({ extends: ['recommended'] });
let count = 0;
for (const document of documents) {
  const problems = await lint({ ref: document, config });
  count += problems.length;
  for (const { ruleId, message, location } of problems)
    console.error(`${document}${location[0]?.pointer ?? ''}: ${ruleId}: ${message}`);
}
console.log(`${documents.length} documents, ${count} problems`);
process.exitCode = count > 0 ? 1 : 0;
