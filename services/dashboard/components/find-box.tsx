import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { ClusterFound, FoundEntry } from '../api/find-types.ts';
import { useDashboard } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
import './find-box.css';
import { shortId } from './links.tsx';

interface FindBoxProps {
  /** Unique on the page. */
  id: string;
  /** Label for screen readers. Default: the label that names `id`. */
  label?: string;
  kinds: readonly FoundEntry['kind'][];
  placeholder: string;
  onPick: (entry: FoundEntry) => void;
  /** Effect of Enter without a selection. Default: none. */
  onText?: (text: string) => void;
  /** The box is the only content of a dialog: Escape closes the dialog. */
  isAlone?: boolean;
}

/** Pause after the last key in milliseconds before the server is queried. */
const pauseMs = 200;
const limit = 8;

/**
 * A field that searches hosts, instances, projects and flavors on the server as the user types. Arrow keys and Enter
 * select.
 */
export function FindBox({ id, label, kinds, placeholder, onPick, onText, isAlone = false }: FindBoxProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isHasty, setHasty] = useState(false);
  const { found, more, isKnown } = useFound(typed, kinds, isOpen);
  const pick = (entry: FoundEntry) => {
    onPick(entry);
    close();
  };
  const close = () => {
    setTyped('');
    setActive(-1);
    setOpen(false);
  };
  // Immediate Enter selects the best result for the typed text, not for an earlier text.
  useEffect(() => {
    if (!isHasty || !isKnown) return;
    setHasty(false);
    if (found[0]) pick(found[0]);
  });
  const go = (step: number) => {
    setOpen(true);
    setActive((active + step + found.length) % Math.max(1, found.length));
  };
  const enter = () => {
    const entry = found[active];
    if (entry) pick(entry);
    else if (!onText) setHasty(true);
    else if (onText && typed.trim() !== '') {
      onText(typed.trim());
      close();
    }
  };
  // Typed text counts without Enter.
  const leave = () => {
    if (onText && typed.trim() !== '') {
      onText(typed.trim());
      close();
    } else setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const acts: Record<string, () => void> = { ArrowDown: () => go(1), ArrowUp: () => go(-1), Enter: enter };
    const act = acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === 'Escape' && isOpen && !isAlone) {
      // A surrounding dialog stays open.
      event.stopPropagation();
      setOpen(false);
    }
  };
  const list = `${id}-found`;
  return (
    <div className="vigil-find">
      <input
        id={id}
        className="vigil-find-input"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={typed}
        onFocus={() => setOpen(true)}
        onBlur={leave}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(-1);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <FoundList id={list} found={found} active={active} isOpen={isOpen} onPick={pick} onKeyDown={onKeyDown} />
      <p className="vigil-subtle" aria-live="polite">
        {isOpen && isKnown && found.length === 0 && text('find.nothing')}
        {isOpen && more > 0 && text('find.more', { count: more })}
      </p>
    </div>
  );
}

interface FoundListProps {
  id: string;
  found: readonly FoundEntry[];
  /** Place of the selected entry. */
  active: number;
  isOpen: boolean;
  onPick: (entry: FoundEntry) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The entries below the field. */
function FoundList({ id, found, active, isOpen, onPick, onKeyDown }: FoundListProps) {
  return (
    <div id={id} role="listbox" aria-label={text('find.found')} className="vigil-find-list" hidden={!isOpen}>
      {found.map((entry, at) => (
        <div
          key={`${entry.kind}-${entry.id}`}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className="vigil-find-entry"
          // The field keeps the focus, so that its blur does not close the list first.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(entry)}
          onKeyDown={onKeyDown}
        >
          <span className="vigil-find-name" data-literal>
            {entry.name}
          </span>{' '}
          <span className="vigil-subtle">{detailOf(entry)}</span>
        </div>
      ))}
    </div>
  );
}

function useFound(typed: string, kinds: readonly FoundEntry['kind'][], isOpen: boolean) {
  const { internal } = useDashboard();
  const [searched, setSearched] = useState(typed.trim());
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = new URLSearchParams({ q: searched, kinds: kinds.join(), limit: String(limit) });
  const { data, isFetched, isPlaceholderData } = useQuery({
    queryKey: ['find', String(query)],
    queryFn: () => internal<ClusterFound>(`cluster/find?${query}`),
    enabled: isOpen,
    staleTime: 30_000,
    placeholderData: (known) => known,
  });
  return {
    found: data?.found ?? [],
    more: data?.more ?? 0,
    isKnown: isFetched && !isPlaceholderData && searched === typed.trim(),
  };
}

function detailOf({ kind, id, host, instances }: FoundEntry): string {
  if (kind !== 'instance') return text(`find.${kind}`, { count: instances ?? 0 });
  return host === null
    ? text('find.instance', { id: shortId(id) })
    : text('find.instanceOn', { id: shortId(id), host });
}
