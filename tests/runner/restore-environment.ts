import { afterAll } from 'vitest';

// Test files share the process of their worker. A file's changes to the environment would reach processes started by
// the next file.
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
