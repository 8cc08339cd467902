import { AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import { VigilApiError } from '#libs/client';
import { text } from '../texts/texts.ts';
import { createNoticeList, type EndedFailures } from './notice-list.ts';
import { textOf } from './states.tsx';
import { Alert } from './worded-parts.tsx';

interface Notices {
  success(title: string): void;
  info(title: string): void;
  failure(title: string, error: unknown): void;
  clear(which: EndedFailures): void;
}

const NoticesContext = createContext<Notices>({
  success: () => undefined,
  info: () => undefined,
  failure: () => undefined,
  clear: () => undefined,
});

/** Short messages about the results of requests. Failures stay until the user closes them or their cause ends. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [list] = useState(createNoticeList);
  const notices = useSyncExternalStore(list.subscribe, list.all);
  const value = useMemo<Notices>(
    () => ({
      success: (title) => {
        list.clear('failures');
        list.add({ variant: 'success', title });
      },
      info: (title) => list.add({ variant: 'info', title }),
      failure: (title, error) =>
        list.add({ variant: 'danger', title, detail: textOf(error), isOutage: isOutage(error) }),
      clear: list.clear,
    }),
    [list],
  );
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
            onTimeout={() => list.close(notice.id)}
            actionClose={
              <AlertActionCloseButton
                aria-label={text('notice.close', { title: notice.title })}
                onClose={() => list.close(notice.id)}
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
