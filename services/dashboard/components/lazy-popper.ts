import type { Instance, OptionsGeneric } from '@patternfly/react-core/dist/esm/helpers/Popper/thirdparty/popper-core';

type Options = Partial<OptionsGeneric<never>>;
type Create = (reference: Element, popper: HTMLElement, options?: Options) => Instance;

/** Undefined until the first menu or hint has opened. */
let create: Create | undefined;

/**
 * Places a menu or a hint beside its element. In place of the function of PatternFly, whose code is loaded with the
 * first of them: 5 kB of the first load. Until then the element is hidden, but can have the focus.
 */
export function createPopper(reference: Element, popper: HTMLElement, options: Options = {}): Instance {
  if (create) return create(reference, popper, options);
  let instance: Instance | undefined;
  let latest = options;
  let isEnded = false;
  popper.style.clipPath = 'inset(50%)';
  load()
    .then((loaded) => {
      if (!isEnded) instance = loaded(reference, popper, latest);
    })
    .finally(() => {
      popper.style.clipPath = '';
    })
    .catch(() => undefined);
  return {
    get state() {
      return instance?.state ?? null;
    },
    setOptions: async (next: Options) => {
      latest = next;
      return instance?.setOptions(next as never) ?? null;
    },
    update: async () => instance?.update() ?? null,
    forceUpdate: () => instance?.forceUpdate(),
    destroy: () => {
      isEnded = true;
      instance?.destroy();
    },
  } as Instance;
}

async function load(): Promise<Create> {
  const module = await import('@patternfly/react-core/dist/esm/helpers/Popper/thirdparty/popper-core/popper');
  create = module.createPopper as Create;
  return create;
}
