import { AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { VigilApiError } from '#libs/client';
import { text } from '../texts/texts.ts';
import { textOf } from './states.tsx';
import { Alert } from './worded-parts.tsx';

interface Notice {
  id: number;
  variant: 'success' | 'danger' | 'info';
  title: string;
  detail?: string;
  /** Whether the API was unreachable: the notice closes when the connection is restored. */
  isOutage?: boolean;
}

interface Notices {
  success(title: string): void;
  info(title: string): void;
  failure(title: string, error: unknown): void;
  /** Closes failures whose cause has ended: all of a closed page, or those of a restored connection. */
  clear(which: 'failures' | 'outages'): void;
}

const NoticesContext = createContext<Notices>({
  success: () => undefined,
  info: () => undefined,
  failure: () => undefined,
  clear: () => undefined,
});

/** Short messages about the results of requests. Failures stay until the user closes them or their cause ends. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const close = useCallback((id: number) => setNotices((known) => known.filter((notice) => notice.id !== id)), []);
  const value = useMemo<Notices>(() => {
    const add = (notice: Omit<Notice, 'id'>) =>
      setNotices((known) => [...known.slice(-4), { ...notice, id: (known.at(-1)?.id ?? 0) + 1 }]);
    const clear: Notices['clear'] = (which) =>
      setNotices((known) => {
        const kept = known.filter(
          ({ variant, isOutage: isOut }) => variant !== 'danger' || (which === 'outages' && !isOut),
        );
        return kept.length === known.length ? known : kept;
      });
    return {
      success: (title) => {
        clear('failures');
        add({ variant: 'success', title });
      },
      info: (title) => add({ variant: 'info', title }),
      failure: (title, error) => add({ variant: 'danger', title, detail: textOf(error), isOutage: isOutage(error) }),
      clear,
    };
  }, []);
  return (
    <NoticesContext.Provider value={value}>
      {children}
      <AlertGroup isToast isLiveRegion>
        {notices.map((notice) => (
          <Alert
            key={notice.id}
            variant={notice.variant}
            title={notice.title}
            timeout={notice.variant === 'danger' ? false : 5000}
            onTimeout={() => close(notice.id)}
            actionClose={
              <AlertActionCloseButton
                aria-label={text('notice.close', { title: notice.title })}
                onClose={() => close(notice.id)}
              />
            }
          >
            {notice.detail}
          </Alert>
        ))}
      </AlertGroup>
    </NoticesContext.Provider>
  );
}

function isOutage(error: unknown): boolean {
  return error instanceof VigilApiError && (error.kind === 'unreachable' || error.kind === 'timeout');
}

/** Shows the result of a request. */
export function useNotices(): Notices {
  return useContext(NoticesContext);
}
