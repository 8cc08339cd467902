import type { InitializeHook, LoadHook } from 'node:module';

/** A change of a compiled file while it is loaded. */
export interface CodePatch {
  /** End of the file's path, such as `libs/actions/change/send-once.js`. */
  file: string;
  /** Text that must occur exactly once. */
  find: string;
  replace: string;
}

let patches: readonly CodePatch[] = [];

/** Called by Node with the data of `register`. */
export const initialize: InitializeHook<CodePatch[]> = (given) => {
  patches = given;
};

/** Loads a module with its patches. @throws Error when a text to replace is missing: the protection has moved. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const own = patches.filter(({ file }) => url.endsWith(`/${file}`));
  if (own.length === 0) return loaded;
  let source = String(loaded.source);
  for (const { file, find, replace } of own) {
    if (source.split(find).length !== 2) throw new Error(`${file} does not have exactly one ${JSON.stringify(find)}`);
    source = source.replace(find, () => replace);
  }
  return { ...loaded, source };
};
