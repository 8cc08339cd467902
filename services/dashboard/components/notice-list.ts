/** A short message about the result of a request. */
export interface Notice {
  id: number;
  variant: 'success' | 'danger' | 'info';
  title: string;
  detail?: string;
  /** Whether the API was unreachable: the notice closes when the connection is restored. */
  isOutage?: boolean;
}

/** Failures whose cause has ended: all of a closed page, or those of a restored connection. */
export type EndedFailures = 'failures' | 'outages';

/** Notices of the frame. The newest five stay. */
export interface NoticeList {
  all(): readonly Notice[];
  add(notice: Omit<Notice, 'id'>): void;
  close(id: number): void;
  clear(which: EndedFailures): void;
  /** Calls `listener` after each change of the list. */
  subscribe(listener: () => void): () => void;
}

/**
 * An empty list. A state of React is not enough: every page clears failures when it opens, and React keeps each update
 * without effect until the next render.
 */
export function createNoticeList(): NoticeList {
  let notices: readonly Notice[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly Notice[]) => {
    notices = next;
    for (const listener of [...listeners]) listener();
  };
  const keep = (isKept: (notice: Notice) => boolean) => {
    if (!notices.every(isKept)) set(notices.filter(isKept));
  };
  return {
    all: () => notices,
    add: (notice) => set([...notices.slice(-4), { ...notice, id: (notices.at(-1)?.id ?? 0) + 1 }]),
    close: (id) => keep((notice) => notice.id !== id),
    clear: (which) => keep(({ variant, isOutage }) => variant !== 'danger' || (which === 'outages' && !isOutage)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
