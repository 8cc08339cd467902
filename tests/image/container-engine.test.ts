import { expect, test } from 'vitest';
import { findContainerEngine } from './container-engine.ts';

test('without an engine it reports the requirement', async () => {
  await expect(findContainerEngine({ PATH: '/nonexistent' })).rejects.toThrow(
    /needs a container engine that works: Docker or Podman .*VIGIL_CONTAINER_ENGINE.*docker: .*podman: /,
  );
});

test('an engine that is named and does not work is not replaced by another one', async () => {
  await expect(findContainerEngine({ ...process.env, VIGIL_CONTAINER_ENGINE: 'no-such-engine' })).rejects.toThrow(
    /\(no-such-engine: [^;]*\)$/,
  );
});
