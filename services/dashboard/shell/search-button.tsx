import { Button } from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useMay } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

/** The search for any host or instance, from every page: by its button, `/` or Ctrl and K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const maySearch = useMay('internal:read');
  useEffect(() => {
    if (!maySearch) return;
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [maySearch]);
  if (!maySearch) return null;
  return (
    <>
      <Button
        variant="plain"
        aria-label={text('find.button')}
        title={`${text('find.button')} ( / )`}
        icon={<SearchIcon />}
        onClick={() => setOpen(true)}
      />
      <Suspense fallback={null}>{isOpen && <SearchDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** A slash in a text field is text. The other shortcuts always apply. */
function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) return true;
  if (key !== '/' || ctrlKey || metaKey || altKey) return false;
  return !(
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
