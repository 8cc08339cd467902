import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Usual times of kinds of files, longest first. All others are short. Files that mostly wait start first. */
const kinds = [
  /\.simulator\.test\.ts$/,
  /\.e2e\.test\.ts$/,
  /\.system\.test\.ts$/,
  /\.broker\.test\.ts$/,
  // Among those that need no server, these take ten seconds and more.
  /\b(worlds|strategy-runner)\.test\.ts$/,
  /\.db\.test\.ts$/,
];

function rank({ moduleId }: TestSpecification): number {
  const index = kinds.findIndex((kind) => kind.test(moduleId));
  return index < 0 ? kinds.length : index;
}

/** Starts with the long files, so that no worker is busy with one of them when all others have ended. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
