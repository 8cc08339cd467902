import { afterAll } from 'vitest';

// Test files share the process of their worker. What one sets in the environment would reach the processes that another
// starts.
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
