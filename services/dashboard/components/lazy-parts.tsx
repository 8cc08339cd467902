import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import type { DialogProps } from './open-dialog.tsx';

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }));

/** An open dialog with its title, its text and its buttons. Its code is loaded with the first dialog. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense fallback={null}>
      <OpenDialog {...props} />
    </Suspense>
  );
}

interface Shown {
  children?: ReactNode;
}

/** A component whose code is loaded when it is first shown. Its children, if any, show until then. */
function late(load: () => Promise<ComponentType<Shown>>): ComponentType<Shown> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Late(props: Shown) {
    return (
      <Suspense fallback={props.children}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

const drawer = () => import('@patternfly/react-core/dist/esm/components/Drawer');
const popover = () => import('@patternfly/react-core/dist/esm/components/Popover');
const searchMenu = () => import('@patternfly/react-core/dist/esm/components/SearchInput/AdvancedSearchMenu');

// Rarely shown parts of PatternFly's components. `vite.config.ts` lists their importers.

/** Help in a header of a table that opens by a click. */
export const Popover = late(async () => (await popover()).Popover as ComponentType<Shown>);
/** Fields of a search that has attributes. */
export const AdvancedSearchMenu = late(async () => (await searchMenu()).AdvancedSearchMenu as ComponentType<Shown>);
/** Parts of a page with a drawer for notifications. */
export const Drawer = late(async () => (await drawer()).Drawer as ComponentType<Shown>);
export const DrawerContent = late(async () => (await drawer()).DrawerContent as ComponentType<Shown>);
export const DrawerPanelContent = late(async () => (await drawer()).DrawerPanelContent as ComponentType<Shown>);
