import { Grid, GridItem, PageSection } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { dataOf, type WhatIfRequest } from '#libs/client';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { whatIfFormOf, whatIfQuery, whatIfRequestOf } from '../../components/what-if-path.ts';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { FlavorRoom } from './flavor-room.tsx';
import { QuestionForm } from './question-form.tsx';
import { WhatIfResult } from './what-if-result.tsx';

/** The effects of a hypothetical change of the cloud. The URL has the question. */
export function WhatIfPage() {
  const [query, setQuery] = useSearchParams();
  const link = String(whatIfQuery(whatIfFormOf(query)));
  const request = useMemo(() => whatIfRequestOf(whatIfFormOf(new URLSearchParams(link))), [link]);
  return (
    <>
      <PageHeader title={text('page.whatIf')}>{text('whatIf.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <Grid hasGutter>
          <GridItem>
            <TitledCard title={text('whatIf.question')}>
              <QuestionForm link={link} onRequest={(form) => setQuery(whatIfQuery(form))} />
            </TitledCard>
          </GridItem>
          <GridItem>
            {request === null ? (
              <TitledCard title={text('room.title')}>
                <FlavorRoom />
              </TitledCard>
            ) : (
              <Computed key={link} request={request} />
            )}
          </GridItem>
        </Grid>
      </PageSection>
    </>
  );
}

function Computed({ request }: { request: WhatIfRequest }) {
  const { client } = useDashboard();
  const result = useQuery({
    queryKey: ['what-if', request],
    queryFn: () => dataOf(client.api.POST('/v1/what_if', { body: request })),
    // Each opening computes on the current model.
    ...{ staleTime: 0, gcTime: 0, retry: false },
  });
  return (
    <div aria-live="polite" aria-busy={result.isFetching}>
      {result.isPending && <Loading what={text('whatIf.result')} />}
      {result.isError && (
        <Failure title={text('whatIf.failed')} error={result.error} onRetry={() => void result.refetch()} />
      )}
      {result.data && !result.isError && <WhatIfResult result={result.data} request={request} />}
    </div>
  );
}
