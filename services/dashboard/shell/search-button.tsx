import { Button } from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { FoundEntry } from '../api/find-types.ts';
import { FindBox } from '../components/find-box.tsx';
import { Dialog } from '../components/form-parts.tsx';
import { useMay } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';

/** The search for any host or instance, from every page: by its button, `/` or Ctrl and K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const maySearch = useMay('internal:read');
  const navigate = useNavigate();
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
  const go = (entry: FoundEntry) => {
    setOpen(false);
    void navigate(pathOf(entry));
  };
  return (
    <>
      <Button
        variant="plain"
        aria-label={text('find.button')}
        title={`${text('find.button')} ( / )`}
        icon={<SearchIcon />}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Dialog
          title={text('find.button')}
          position="top"
          elementToFocus="#search-everything"
          onClose={() => setOpen(false)}
          aria-label={text('table.search')}
        >
          <FindBox
            id="search-everything"
            label={text('find.label')}
            kinds={['host', 'instance']}
            placeholder={text('find.placeholder')}
            onPick={go}
            isAlone
          />
        </Dialog>
      )}
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

function pathOf({ kind, id }: FoundEntry): string {
  return kind === 'host' ? `/cluster/hosts/${encodeURIComponent(id)}` : `/cluster/instances/${encodeURIComponent(id)}`;
}
