import { Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useDashboard } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
import { useNotices } from './notices.tsx';
import { createSavedViews, longestQuery, maxViews, queryOfView, type SavedView } from './saved-views.ts';

const dialogs = () => import('./saved-views-dialogs.tsx');
const SaveViewDialog = lazy(async () => ({ default: (await dialogs()).SaveViewDialog }));
const ManageViewsDialog = lazy(async () => ({ default: (await dialogs()).ManageViewsDialog }));

/** Keys of the entries that open a dialog. Names of views have a prefix. */
const [save, manage, viewPrefix] = ['save', 'manage', 'view:'] as const;

/**
 * Menu of the views that this user saved of a page in this browser: open, save, rename, delete, and a link to copy.
 * @param page name of the page in the storage, such as `plans`
 */
export function SavedViewsMenu({ page }: { page: string }) {
  const { user } = useDashboard().session;
  const store = useMemo(() => createSavedViews(() => window.localStorage, { user: user ?? '', page }), [user, page]);
  const [views, setViews] = useState(() => store.list());
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<typeof save | typeof manage | null>(null);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const notices = useNotices();
  const current = queryOfView(search);
  const keep = (next: readonly SavedView[]) => {
    if (!store.keep(next)) notices.failure(text('views.failed'), new Error(text('views.failedHint')));
    setViews(store.list());
  };
  const toggle = () => {
    // Another tab may have changed them.
    if (!isOpen) setViews(store.list());
    setOpen(!isOpen);
  };
  const choose = (key: string) => {
    setOpen(false);
    if (key === save || key === manage) setDialog(key);
    const view = views.find(({ name }) => `${viewPrefix}${name}` === key);
    if (view) void navigate({ pathname, search: view.query });
  };
  const isFull = views.length >= maxViews || current.length > longestQuery;
  return (
    <>
      <Dropdown
        isOpen={isOpen}
        isScrollable
        popperProps={{ position: 'right' }}
        onOpenChange={setOpen}
        onSelect={(_event, key) => choose(String(key))}
        toggle={(ref) => (
          <MenuToggle ref={ref} isExpanded={isOpen} onClick={toggle}>
            {text('views.title')}
          </MenuToggle>
        )}
      >
        <DropdownList aria-label={text('views.title')}>
          {views.map(({ name, query }) => (
            <DropdownItem key={name} value={`${viewPrefix}${name}`} isSelected={query === current}>
              {name}
            </DropdownItem>
          ))}
          {views.length > 0 && <Divider component="li" />}
          <DropdownItem value={save} isDisabled={isFull} description={isFull ? text('views.full') : undefined}>
            {text('views.save')}
          </DropdownItem>
          {views.length > 0 && <DropdownItem value={manage}>{text('views.manage')}</DropdownItem>}
        </DropdownList>
      </Dropdown>
      <Suspense fallback={null}>
        {dialog === save && (
          <SaveViewDialog
            views={views}
            onSave={(name) => keep([...views, { name, query: current }])}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === manage && <ManageViewsDialog views={views} onChange={keep} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}
