import { Button, Content, PageSection, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { phraseOf, wordsOf } from '#libs/client';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { StatusLabel } from '../../components/status-label.tsx';
import { fullTime, Time, zoneName } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { AuditLogEntry } from '../../live/live-entities.ts';
import { useLiveEntities } from '../../live/use-live.ts';
import { useOnStream } from '../../live/use-on-stream.ts';
import { filtersOf, hasFilters, named, pathOf, targetPath } from './audit-log-query.ts';

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const kinds = [
  'audit',
  'audit_template',
  'action_plan',
  'action',
  'task',
  'service',
  'dead_letter',
  'session',
] as const;

interface AuditLogPageAnswer {
  entries: AuditLogEntry[];
  next: string | null;
}

/** Who asked for which change and what came of it, newest first; new entries appear by themselves. */
export function AuditLogPage() {
  const { internal } = useDashboard();
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const log = useInfiniteQuery({
    queryKey: ['audit-log', filters],
    queryFn: ({ pageParam }) => internal<AuditLogPageAnswer>(pathOf(filters, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: (known) => known,
  });
  useOnStream(['audit_log'], () => log.refetch());
  const set = (name: string, value: string) =>
    setQuery((known) => {
      if (value === '') known.delete(name);
      else known.set(name, value);
      return known;
    });
  const zone = zoneName();
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <PageHeader title="Audit log">Who asked for which change, and what came of it.</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <Toolbar>
          <ToolbarContent>
            <ToolbarItem>
              <FilterInput label="User" value={filters.user} onChange={(value) => set('user', value)} />
            </ToolbarItem>
            <ToolbarItem>
              <FilterInput label="Target" value={filters.target} onChange={(value) => set('target', value)} />
            </ToolbarItem>
            <ToolbarItem>
              <ChoiceFilter
                label="Kind"
                value={filters.target_kind}
                choices={kinds}
                onChange={(value) => set('target_kind', value)}
              />
            </ToolbarItem>
            <ToolbarItem>
              <ChoiceFilter
                label="Method"
                value={filters.method}
                choices={methods}
                onChange={(value) => set('method', value)}
              />
            </ToolbarItem>
            <ToolbarItem>
              <FilterInput
                label={`From (${zone})`}
                type="datetime-local"
                value={filters.from}
                onChange={(at) => set('from', at)}
              />
            </ToolbarItem>
            <ToolbarItem>
              <FilterInput
                label={`To (${zone})`}
                type="datetime-local"
                value={filters.to}
                onChange={(at) => set('to', at)}
              />
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
        {log.isPending && <Loading what="audit log" />}
        {log.isError && !log.data && (
          <Failure title="The audit log can not be read" error={log.error} onRetry={() => void log.refetch()} />
        )}
        {log.data && entries.length === 0 && (
          <Nothing title={hasFilters(filters) ? 'Nothing matches' : 'Nothing has been asked for yet'}>
            {hasFilters(filters) ? 'Change the filters.' : 'Every request that changes something is kept here.'}
          </Nothing>
        )}
        {entries.length > 0 && <Entries entries={entries} />}
        {log.hasNextPage && (
          <Button
            variant="secondary"
            isLoading={log.isFetchingNextPage}
            isDisabled={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            Older entries
          </Button>
        )}
      </PageSection>
    </>
  );
}

function Entries({ entries }: { entries: readonly AuditLogEntry[] }) {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  const names = useMemo(
    () => new Map([...goals, ...strategies].map(({ uuid, name }) => [uuid, name])),
    [goals, strategies],
  );
  return (
    <div className="vigil-scroll">
      <Table aria-label="Audit log" variant="compact">
        <Thead>
          <Tr>
            <Th>When</Th>
            <Th>Who</Th>
            <Th>What</Th>
            <Th>Target</Th>
            <Th>Result</Th>
          </Tr>
        </Thead>
        <Tbody>
          {entries.map((entry) => (
            <Tr key={entry.uuid}>
              <Td dataLabel="When" modifier="nowrap">
                <Time at={entry.at} />
                <Content component="small">{fullTime(entry.at)}</Content>
              </Td>
              <Td dataLabel="Who">
                {entry.user_name ?? entry.user_id ?? 'nobody'}
                <Content component="small">
                  {[projectText(entry), entry.address].filter(Boolean).join(', from ')}
                </Content>
              </Td>
              <Td dataLabel="What">
                <strong>{wordsOf(entry.operation)}</strong>
                {entry.summary && (
                  <Content component="p">
                    <code>{named(entry.summary, names)}</code>
                  </Content>
                )}
                <Content component="small">
                  <code>
                    {entry.method} {entry.route}, request {entry.request_id}
                  </code>
                </Content>
              </Td>
              <Td dataLabel="Target" modifier="nowrap">
                <Target entry={entry} />
              </Td>
              <Td dataLabel="Result">
                <StatusLabel status={entry.status} />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  );
}

function projectText({ project_name: name, project_id: id }: AuditLogEntry): string | null {
  return (name ?? id) === null ? null : `project ${name ?? id}`;
}

/** Uuids as lists show them; the whole one is the title. */
function nameOf(target: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(target) ? shortId(target) : target;
}

function Target({ entry }: { entry: AuditLogEntry }) {
  if (entry.target === null) return <>{phraseOf(entry.target_kind ?? '–')}</>;
  const path = targetPath(entry);
  return (
    <>
      <span title={entry.target} data-literal>
        {path ? <Link to={path}>{nameOf(entry.target)}</Link> : nameOf(entry.target)}
      </span>
      <Content component="small">{phraseOf(entry.target_kind ?? '')}</Content>
    </>
  );
}
