import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { text } from '../texts/texts.ts';

interface PageTabsProps {
  label: string;
  /** `count` is shown beside the title, unless it is 0. */
  tabs: readonly { key: string; title: string; count?: number; render: () => ReactNode }[];
}

/** Tabs of a page. The URL stores the open one. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [query, setQuery] = useSearchParams();
  const parameter = query.get('tab');
  const active = tabs.find((tab) => tab.key === parameter) ?? tabs[0];
  return (
    <Tabs
      activeKey={active?.key ?? ''}
      onSelect={(_event, key) =>
        setQuery((known) => {
          known.set('tab', String(key));
          return known;
        })
      }
      aria-label={label}
      backScrollAriaLabel={text('shell.tabsBefore')}
      forwardScrollAriaLabel={text('shell.tabsAfter')}
      mountOnEnter
      unmountOnExit
    >
      {tabs.map(({ key, title, count, render }) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{count ? `${title} (${count})` : title}</TabTitleText>}>
          <div className="vigil-tab">{key === active?.key && render()}</div>
        </Tab>
      ))}
    </Tabs>
  );
}
