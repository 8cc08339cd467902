import { useNavigate } from 'react-router';
import type { FoundEntry } from '../api/find-types.ts';
import { FindBox } from '../components/find-box.tsx';
import { Dialog } from '../components/lazy-parts.tsx';
import { text } from '../texts/texts.ts';

/** The dialog of the search for any host or instance. It opens the page of the selected one. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const go = (entry: FoundEntry) => {
    onClose();
    void navigate(pathOf(entry));
  };
  return (
    <Dialog
      title={text('find.button')}
      position="top"
      elementToFocus="#search-everything"
      onClose={onClose}
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
  );
}

function pathOf({ kind, id }: FoundEntry): string {
  return kind === 'host' ? `/cluster/hosts/${encodeURIComponent(id)}` : `/cluster/instances/${encodeURIComponent(id)}`;
}
