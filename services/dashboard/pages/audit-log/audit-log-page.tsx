import {
  Button,
  Content,
  Label,
  PageSection,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AuditLogEntry } from '../../api/internal-types.ts';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { fullTime, Time, zoneName } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useLiveEntities } from '../../live/use-live.ts';
import { useReadOnStream } from '../../live/use-read-on-stream.ts';
import { displayNameOf, phraseOf, wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { filtersOf, hasFilters, pathOf, targetPath } from './audit-log-query.ts';
import { EntryChanges } from './entry-changes.tsx';
import { parameterTitles, type SummaryNames, summaryWords } from './summary-words.ts';

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

interface AuditLogPageResponse {
  entries: AuditLogEntry[];
  next: string | null;
}

/** Requested changes with their users and results, newest first. New entries appear automatically. */
export function AuditLogPage() {
  const { internal } = useDashboard();
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const queryKey = ['audit-log', filters];
  const log = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => internal<AuditLogPageResponse>(pathOf(filters, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: (known) => known,
  });
  useReadOnStream(queryKey, ['audit_log']);
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
      <PageHeader title={text('page.auditLog')}>{text('log.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <Toolbar>
          <ToolbarContent>
            <ToolbarItem>
              <FilterInput label={text('log.user')} value={filters.user} onChange={(value) => set('user', value)} />
            </ToolbarItem>
            <ToolbarItem>
              <FilterInput
                label={text('log.target')}
                value={filters.target}
                onChange={(value) => set('target', value)}
              />
            </ToolbarItem>
            <ToolbarItem>
              <ChoiceFilter
                label={text('log.kind')}
                value={filters.target_kind}
                choices={kinds}
                onChange={(value) => set('target_kind', value)}
              />
            </ToolbarItem>
            <ToolbarItem>
              <ChoiceFilter
                label={text('log.method')}
                value={filters.method}
                choices={methods}
                onChange={(value) => set('method', value)}
              />
            </ToolbarItem>
            <ToolbarGroup>
              <ToolbarItem>
                <FilterInput
                  label={text('log.from', { zone })}
                  type="datetime-local"
                  value={filters.from}
                  onChange={(at) => set('from', at)}
                />
              </ToolbarItem>
              <ToolbarItem>
                <FilterInput
                  label={text('log.to', { zone })}
                  type="datetime-local"
                  value={filters.to}
                  onChange={(at) => set('to', at)}
                />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
        {log.isPending && <Loading what={text('page.auditLog')} as="table" />}
        {log.isError && !log.data && (
          <Failure title={text('log.unreadable')} error={log.error} onRetry={() => void log.refetch()} />
        )}
        {log.data && entries.length === 0 && (
          <Nothing title={hasFilters(filters) ? text('table.nothing') : text('log.none')}>
            {hasFilters(filters) ? text('log.changeFilters') : text('log.noneHint')}
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
            {text('log.older')}
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
    (): SummaryNames => ({
      entities: new Map([
        ...goals.flatMap((goal) => namesOf(goal, displayNameOf('goal', goal))),
        ...strategies.flatMap((strategy) => namesOf(strategy, displayNameOf('strategy', strategy))),
      ]),
      parameters: parameterTitles(strategies),
    }),
    [goals, strategies],
  );
  return (
    <div className="vigil-scroll" data-testid="table-box">
      <Table aria-label={text('page.auditLog')} variant="compact">
        <Thead>
          <Tr>
            <Th>{text('column.when')}</Th>
            <Th modifier="wrap">{text('log.requester')}</Th>
            <Th>{text('log.changeColumn')}</Th>
            <Th>{text('log.target')}</Th>
            <Th>{text('column.result')}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {entries.map((entry) => (
            <Tr key={entry.uuid}>
              <Td dataLabel={text('column.when')} modifier="nowrap">
                <Time at={entry.at} />
                <Content component="small">{fullTime(entry.at)}</Content>
              </Td>
              <Td dataLabel={text('log.requester')}>
                <span>{entry.user_name ?? entry.user_id ?? text('log.anonymous')}</span>
                <Content component="small">{[projectText(entry), entry.address].filter(Boolean).join(', ')}</Content>
              </Td>
              <Td dataLabel={text('log.changeColumn')}>
                <strong>{wordsOf(entry.operation)}</strong>
                {entry.summary && (
                  <Content component="p">
                    <span data-literal>{summaryWords(entry.summary, names)}</span>
                  </Content>
                )}
                <Content component="small">
                  <code>{text('log.request', { method: entry.method, route: entry.route, id: entry.request_id })}</code>
                </Content>
                <EntryChanges changes={entry.changes} />
              </Td>
              <Td dataLabel={text('log.target')} modifier="nowrap">
                <Target entry={entry} />
              </Td>
              <Td dataLabel={text('column.result')}>
                <StatusLabel status={entry.status} />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  );
}

const namesOf = ({ uuid, name }: { uuid: string; name: string }, title: string) =>
  [uuid, name].map((ident) => [ident, title] as const);

function projectText({ project_name: name, project_id: id }: AuditLogEntry): string | null {
  const project = name ?? id;
  return project === null ? null : text('log.project', { name: project });
}

/** Short uuids. The title has the whole one. */
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

/**
 * Result of a request: succeeded, rejected (4xx) or failed, with its HTTP status. Null: the process ended before its
 * response.
 */
function StatusLabel({ status }: { status: number | null }) {
  if (status === null)
    return (
      <Label isCompact color="orange">
        {text('common.noResponse')}
      </Label>
    );
  const [color, word] =
    status < 400
      ? (['green', 'common.done'] as const)
      : status < 500
        ? (['orange', 'common.refused'] as const)
        : (['red', 'common.failed'] as const);
  return (
    <Label isCompact color={color}>
      {text(word, { status: String(status) })}
    </Label>
  );
}
