import { PageHeader } from '../../components/page-header.tsx';

/** Overview. */
export function OverviewPage() {
  return <PageHeader title="Overview">Health, load, and what is being done about it.</PageHeader>;
}
